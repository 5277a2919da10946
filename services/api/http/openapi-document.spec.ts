import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readOpenapiDocument } from "./openapi-document.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "packshot-document-"));
  file = join(folder, "openapi.yaml");
  write("first");
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (title: string) =>
  writeFileSync(file, `openapi: 3.1.0\nx-errors: &e {a: 1}\ninfo: {<<: *e, title: ${title}}\npaths: {}\n`);
const read = (kept?: string) => readOpenapiDocument(pathToFileURL(file), kept);
const saying = (title: string) => ({ openapi: "3.1.0", info: { a: 1, title }, paths: {} });

test("an unchanged document is not parsed again, and a changed one is", () => {
  const kept = mkdtempSync(join(folder, "kept-"));
  expect(read(kept)).toEqual(saying("first"));
  const [name] = readdirSync(kept);
  writeFileSync(join(kept, name!), JSON.stringify(saying("as kept")));
  expect(read(kept)).toEqual(saying("as kept"));
  write("second");
  expect(read(kept)).toEqual(saying("second"));
});

test.each([
  ["there is no folder to keep it in", () => undefined],
  ["nothing can be written there", () => join(folder, "missing")],
])("a document is read where %s", (_why, kept) => {
  expect(read(kept())).toEqual(saying("first"));
});

test("what was kept in part is parsed again, and kept", () => {
  const kept = mkdtempSync(join(folder, "kept-"));
  read(kept);
  const [name] = readdirSync(kept);
  writeFileSync(join(kept, name!), '{"openapi": "3.1');
  expect(read(kept)).toEqual(saying("first"));
  expect(JSON.parse(readFileSync(join(kept, name!), "utf8"))).toEqual(saying("first"));
});
