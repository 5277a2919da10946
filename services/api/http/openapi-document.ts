/**
 * Reads an OpenAPI document. Parsing 300 KB of YAML took half of the processor time of an API's start, so what it says is kept as
 * JSON beside the modules that Node keeps compiled (`NODE_COMPILE_CACHE`), under a digest of the text and of how it is read: that is as trusted as
 * they are. Without such a folder, or where it cannot be written, the YAML is parsed each time.
 */
import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { parse } from "yaml";
import yaml from "yaml/package.json" with { type: "json" };

export interface OpenapiDocument {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, unknown>>;
  readonly components: { readonly schemas: Record<string, object>; readonly [part: string]: unknown };
  readonly [field: string]: unknown;
}

const anchors = ["x-errors", "x-error-headers", "x-examples"];
const parsing = { merge: true, maxAliasCount: 1_000 };
/** What is made of a text depends on it. */
const recipe = JSON.stringify([anchors, parsing, yaml.version]);

/** `folder`: where documents are kept, that of Node's compiled modules; undefined: nowhere. */
export function readOpenapiDocument(file: URL, folder: string | undefined): OpenapiDocument {
  const text = readFileSync(file, "utf8");
  const digest = createHash("sha256").update(recipe).update(text).digest("hex");
  const kept = folder === undefined ? undefined : join(folder, `openapi-${digest}.json`);
  return readKept(kept) ?? parseAndKeep(text, kept);
}

function readKept(path: string | undefined): OpenapiDocument | undefined {
  if (path === undefined) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8")) as OpenapiDocument;
  } catch {
    return undefined; // Not kept yet.
  }
}

function parseAndKeep(text: string, path: string | undefined): OpenapiDocument {
  // Loaded only here, since most starts find what was kept: it has seventy modules.
  const { parse: parseYaml }: { parse: typeof parse } = createRequire(import.meta.url)("yaml");
  // Without the nodes that only hold anchors. JSON has no shared nodes either, as YAML has.
  const json = JSON.stringify(parseYaml(text, parsing), (name, value: unknown) =>
    anchors.includes(name) ? undefined : value,
  );
  if (path !== undefined) keep(path, json);
  return JSON.parse(json) as OpenapiDocument;
}

/** Whole or not at all: other processes may start at the same time. */
function keep(path: string, json: string): void {
  try {
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(unfinished, json);
    renameSync(unfinished, path);
  } catch {
    // A folder that is only read: the next start parses again.
  }
}
