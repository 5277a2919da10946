/**
 * Writes what test/conformance/open-inference.py needs beside a server that is not started by our tests:
 *
 *     node testing/models/conformance-models-main.ts FOLDER
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { protocolFieldNumbers, writeConformanceModels } from "./conformance-models.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("usage: conformance-models-main.ts FOLDER\n");
  process.exit(2);
}
writeConformanceModels(join(folder, "models"));
writeFileSync(join(folder, "fields.json"), JSON.stringify(protocolFieldNumbers()));
