/**
 * Generates the schemas of parameters and error codes in services/api/openapi.yaml from packages/domain, and from
 * openapi.yaml the types of the API and of the SDK. Tests keep them equal.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { errorCatalog } from "@packshot/domain/errors.ts";
import { toolIds, tools } from "@packshot/domain/tools.ts";
import { documentHash, loadContract } from "../services/api/http/contract.ts";
import { editFormSchema, jobParametersSchema } from "../services/api/catalog/edit-schemas.ts";
import { toolSchemaNames } from "../services/api/catalog/tool-schema-names.ts";

const api = new URL("../services/api/", import.meta.url);
const contractFile = new URL("openapi.yaml", api);

let text = readFileSync(contractFile, "utf8");
const generated: Record<string, object> = {
  EditForm: editFormSchema(),
  JobParameters: jobParametersSchema(),
  KnownErrorCode: {
    type: "string",
    description: "The codes of this version, of responses and of jobs.",
    enum: Object.keys(errorCatalog),
  },
};
for (const id of toolIds) generated[toolSchemaNames[id]] = tools[id].parameters;
for (const [name, schema] of Object.entries(generated)) {
  text = text.replace(new RegExp(`^    ${name}: .*$`, "m"), () => `    ${name}: ${JSON.stringify(schema)}`);
}
writeFileSync(contractFile, text);

// The generator's YAML reader does not know merge keys, so it gets JSON.
const { document } = loadContract(contractFile);
const json = new URL("generated/openapi.json", api);
writeFileSync(json, JSON.stringify(document));
const generator = fileURLToPath(new URL("node_modules/openapi-typescript/bin/cli.js", api));
const generate = (...options: readonly string[]) =>
  execFileSync(process.execPath, [generator, fileURLToPath(json), ...options], {
    encoding: "utf8",
    maxBuffer: 16 * 1024 * 1024,
    stdio: ["ignore", "pipe", "inherit"],
  });
const write = (folder: URL, types: string) =>
  writeFileSync(new URL("generated/openapi.ts", folder), `// ${documentHash(document)}\n${types}`);
write(api, generate("--immutable"));
// As others generate them: openapi-fetch makes nothing of readonly arrays.
write(new URL("../packages/sdk/", import.meta.url), generate());
rmSync(json);
