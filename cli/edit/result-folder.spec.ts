/** A folder of results that somebody else has made: what it says must not lead out of it. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CommandError } from "../command-line/command.ts";
import { type Photo, photoFile } from "./photo.ts";
import { openResultFolder } from "./result-folder.ts";

let root: string;
let out: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "packshot-results-"));
  out = join(root, "home", "edited");
  mkdirSync(join(out, ".packshot"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const photo: Photo = photoFile({
  name: "mug.jpg",
  path: "/shelf/mug.jpg",
  relativePath: "mug.jpg",
  bytes: 1,
  modifiedMs: 1,
});
const result = (contentType = "image/png") => ({ contentType, stream: new Blob(["result"]).stream() });

function journal(record: object): void {
  const line = { photo: photo.id, fingerprint: photo.fingerprint, settings: "s", resultName: "mug", ...record };
  writeFileSync(join(out, ".packshot/edits.ndjson"), `${JSON.stringify(line)}\n`);
}

test.each(["../../x", "/tmp/packshot-x", "a/../../../x", "..", ".packshot/edits", "", "a\0b", 7, null])(
  "a line whose resultName is %j is passed over",
  async (resultName) => {
    journal({ resultName });
    const folder = openResultFolder(out);
    expect(await folder.save(photo, result())).toBe("mug.png");
    folder.close();
    expect(readdirSync(root)).toEqual(["home"]);
    expect(readdirSync(join(root, "home"))).toEqual(["edited"]);
  },
);

test.each([
  { file: "../../secret.png" },
  { file: 7 },
  { file: "mug.png", shadow: "/etc/passwd" },
  { file: "mug.png", reasons: "all" },
])("a line with %j does not make a photo done", (fields) => {
  writeFileSync(join(root, "secret.png"), "");
  writeFileSync(join(out, "mug.png"), "");
  journal(fields);
  expect(openResultFolder(out).stateOf(photo, "s").kind).not.toBe("done");
});

test("a link in the folder is not followed to where results are written", async () => {
  mkdirSync(join(root, "elsewhere"));
  symlinkSync(join(root, "elsewhere"), join(out, "web"));
  const inWeb = photoFile({
    name: "web/mug.jpg",
    path: "/web/mug.jpg",
    relativePath: "web/mug.jpg",
    bytes: 1,
    modifiedMs: 1,
  });
  const folder = openResultFolder(out);
  await expect(folder.save(inWeb, result())).rejects.toThrow(CommandError);
  expect(readdirSync(join(root, "elsewhere"))).toEqual([]);
});

test.each([".packshot", ".packshot/parts", ".packshot/edits.ndjson"])("%s is never a link", (name) => {
  const precious = join(root, "precious");
  mkdirSync(precious);
  writeFileSync(join(precious, "letter"), "mine");
  writeFileSync(join(precious, "profile"), "mine");
  rmSync(join(out, name), { recursive: true, force: true });
  symlinkSync(name.endsWith("ndjson") ? join(precious, "profile") : precious, join(out, name));
  expect(() => openResultFolder(out)).toThrow(CommandError);
  expect(readFileSync(join(precious, "letter"), "utf8")).toBe("mine");
  expect(readFileSync(join(precious, "profile"), "utf8")).toBe("mine");
});

test("only what a run began is removed from the folder of parts", () => {
  mkdirSync(join(out, ".packshot/parts"));
  for (const name of ["notes.txt", "2147483646-1"]) writeFileSync(join(out, ".packshot/parts", name), "");
  openResultFolder(out);
  expect(readdirSync(join(out, ".packshot/parts"))).toEqual(["notes.txt"]);
});

test("a result of an unknown type has a plain extension, whatever the service calls it", async () => {
  const folder = openResultFolder(out);
  expect(await folder.save(photo, result("constructor"))).toBe("mug.bin");
  expect(existsSync(join(out, "mug.bin"))).toBe(true);
});
