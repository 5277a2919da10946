/** Files that operators and `packshot up` cannot do without, after a power cut. */
import { closeSync, fsyncSync, globSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type CutDisk, makeCutDisk, whyNoCutDisk } from "../../testing/power-cuts/cut-disk.ts";
import { makeSecrets } from "../make-secrets.ts";
import { loadSecrets, saveSecrets } from "./secrets.ts";

const noDisk = whyNoCutDisk();
let disk: CutDisk;

/** As nats-server does with each message: the file system's journal then has what came before, such as a new name. */
function syncAnother(): void {
  const path = join(disk.folder, "message");
  writeFileSync(path, "a message");
  const file = openSync(path, "r");
  fsyncSync(file);
  closeSync(file);
}

async function cut(): Promise<void> {
  disk.cut();
  await disk.recover();
}

describe.skipIf(noDisk !== undefined)(`after a power cut${noDisk ? ` (no disk: ${noDisk})` : ""}`, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "packshot-durable-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeEach(() => {
    disk = makeCutDisk(join(folder, "disk"), "ext4");
  });

  afterEach(() => disk.remove());

  test("a data folder has the secrets of its first start", async () => {
    const first = loadSecrets(disk.folder);
    syncAnother();
    await cut();
    expect(loadSecrets(disk.folder)).toEqual(first);
  });

  test("a data folder has the account that was saved last", async () => {
    const withAccount = { ...loadSecrets(disk.folder), demo: { accountId: "a", apiKey: "k" } };
    saveSecrets(disk.folder, withAccount);
    await cut();
    expect(loadSecrets(disk.folder)).toEqual(withAccount);
  });

  test("the folders of a deployment have the secrets that were made", async () => {
    await makeSecrets.run(["--dir", disk.folder]);
    const read = () =>
      globSync("*/*", { cwd: disk.folder })
        .filter((name) => !name.startsWith("lost+found"))
        .sort()
        .map((name) => [name, readFileSync(join(disk.folder, name), "utf8")]);
    const made = read();
    syncAnother();
    await cut();
    expect(read()).toEqual(made);
  });
});
