/**
 * Generates the schemas of parameters, timings and error codes in services/api/openapi.yaml from packages/domain, from openapi.yaml
 * the types of the SDK, and from admin-openapi.yaml those of the operator's page. Tests keep them equal.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { toolIds, tools } from "@packshot/domain/edits/tools.ts";
import { errorCatalog } from "@packshot/domain/errors.ts";
import { timingsSchema } from "@packshot/domain/jobs/stages.ts";
import { editFormSchema, jobParametersSchema, toolSchemaNames } from "../services/api/catalog/edit-schemas.ts";
import { documentHash, loadContract } from "../services/api/http/contract.ts";

const api = new URL("../services/api/", import.meta.url);
const contractFile = new URL("openapi.yaml", api);

let text = readFileSync(contractFile, "utf8");
const generated: Record<string, object> = {
  EditForm: editFormSchema(),
  JobParameters: jobParametersSchema(),
  Timings: timingsSchema(),
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
mkdirSync(new URL("../.cache/", import.meta.url), { recursive: true });

const generator = fileURLToPath(new URL("node_modules/openapi-typescript/bin/cli.js", api));

/** The document with its types: the first line tells which document they are of. */
function typesOf(contract: URL, ...options: readonly string[]): string {
  const { document } = loadContract(contract);
  // The generator's YAML reader does not know merge keys, so it gets JSON.
  const json = new URL("../.cache/openapi.json", import.meta.url);
  writeFileSync(json, JSON.stringify(document));
  const types = execFileSync(process.execPath, [generator, fileURLToPath(json), ...options], {
    encoding: "utf8",
    maxBuffer: 16 * 1024 * 1024,
    stdio: ["ignore", "pipe", "inherit"],
  });
  rmSync(json);
  return `// ${documentHash(document)}\n${types}`;
}

// As others generate them: openapi-fetch makes nothing of readonly arrays.
writeFileSync(new URL("../packages/sdk/generated/openapi.ts", import.meta.url), typesOf(contractFile));
const operatorTypes = typesOf(new URL("admin-openapi.yaml", api), "--immutable");
writeFileSync(new URL("../console/operator/generated/admin-openapi.ts", import.meta.url), operatorTypes);
