import { closeSync, existsSync, fsyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCutDisk, whyNoCutDisk } from "./cut-disk.ts";

const reason = whyNoCutDisk();

function sync(path: string): void {
  const opened = openSync(path, "r");
  fsyncSync(opened);
  closeSync(opened);
}

describe.skipIf(reason !== undefined)(`a disk whose power is cut${reason ? ` (no disk: ${reason})` : ""}`, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "packshot-cut-disk-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("keeps what was synced with its folder, and loses what was not", async () => {
    const disk = makeCutDisk(join(folder, "disk"), "ext4");
    const [synced, after] = ["synced", "after"].map((name) => join(disk.folder, name));
    writeFileSync(synced!, "before the cut");
    sync(synced!);
    sync(disk.folder);
    writeFileSync(after!, "not synced");
    expect(readFileSync(after!, "utf8")).toBe("not synced");
    disk.cut();
    expect(() => writeFileSync(join(disk.folder, "too late"), "x")).toThrow(/EIO/);
    await disk.recover();
    expect(readFileSync(synced!, "utf8")).toBe("before the cut");
    expect(existsSync(after!)).toBe(false);
    await disk.remove();
  });
});
