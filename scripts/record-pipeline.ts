/** Writes the record of the pipeline's results anew. Other results under the same version are refused. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pipelineVersion } from "@packshot/domain/edits/pipeline.ts";
import { pipelineDigests, readPipelineRecord } from "../testing/edits/pipeline-record.ts";

const before = readPipelineRecord();
const digests = await pipelineDigests();
const changed = Object.keys({ ...before.digests, ...digests }).filter((name) => before.digests[name] !== digests[name]);
if (changed.length > 0 && before.pipeline === pipelineVersion) {
  process.stderr.write(
    `${changed.length} results differ from those of ${pipelineVersion}, the first: ${changed[0]}.\n`,
  );
  process.stderr.write("Raise pipelineVersion in packages/domain/edits/pipeline.ts, and run this again.\n");
  process.exit(1);
}
const file = fileURLToPath(new URL("../testing/edits/pipeline-record.json", import.meta.url));
writeFileSync(file, `${JSON.stringify({ pipeline: pipelineVersion, digests }, null, 2)}\n`);
process.stdout.write(`${pipelineVersion}: ${changed.length} of ${Object.keys(digests).length} results are others\n`);
