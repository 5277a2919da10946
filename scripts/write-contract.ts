/**
 * Generates the tools' parameter schemas in services/api/openapi.yaml from packages/domain/tools.ts, and
 * services/api/generated/openapi.ts from openapi.yaml. Tests keep them equal.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { toolIds, tools } from "@packshot/domain/tools.ts";
import { documentHash, loadContract } from "../services/api/http/contract.ts";
import { toolSchemaNames } from "../services/api/catalog/tool-schema-names.ts";

const api = new URL("../services/api/", import.meta.url);
const contractFile = new URL("openapi.yaml", api);

let text = readFileSync(contractFile, "utf8");
for (const id of toolIds) {
  const line = new RegExp(`^    ${toolSchemaNames[id]}: .*$`, "m");
  text = text.replace(line, `    ${toolSchemaNames[id]}: ${JSON.stringify(tools[id].parameters)}`);
}
writeFileSync(contractFile, text);

// The generator's YAML reader does not know merge keys, so it gets JSON.
const { document } = loadContract(contractFile);
const json = new URL("generated/openapi.json", api);
writeFileSync(json, JSON.stringify(document));
const generator = fileURLToPath(new URL("node_modules/openapi-typescript/bin/cli.js", api));
const types = execFileSync(process.execPath, [generator, fileURLToPath(json), "--immutable"], {
  encoding: "utf8",
  maxBuffer: 16 * 1024 * 1024,
  stdio: ["ignore", "pipe", "inherit"],
});
rmSync(json);
writeFileSync(new URL("generated/openapi.ts", api), `// ${documentHash(document)}\n${types}`);
