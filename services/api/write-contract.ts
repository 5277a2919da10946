/**
 * Writes what follows from others: the tools' parameter schemas into openapi.yaml (from packages/domain/tools.ts), and
 * generated/openapi.ts from openapi.yaml. Run: node services/api/write-contract.ts
 */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { toolIds, tools } from "@packshot/domain/tools.ts";
import { parse } from "yaml";
import { toolSchemaNames } from "./tool-schema-names.ts";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

let text = readFileSync(here("openapi.yaml"), "utf8");
for (const id of toolIds) {
  const line = new RegExp(`^    ${toolSchemaNames[id]}: .*$`, "m");
  text = text.replace(line, `    ${toolSchemaNames[id]}: ${JSON.stringify(tools[id].parameters)}`);
}
writeFileSync(here("openapi.yaml"), text);

// The generator's YAML reader knows no merge keys: it is given JSON.
const json = here("generated/openapi.json");
const { "x-errors": _, ...document } = parse(text, { merge: true, maxAliasCount: 1_000 });
writeFileSync(json, JSON.stringify(document));
execFileSync(
  "npm",
  ["exec", "--", "openapi-typescript", json, "--output", here("generated/openapi.ts"), "--immutable"],
  {
    cwd: here("."),
    stdio: ["ignore", "ignore", "inherit"],
  },
);
rmSync(json);
