import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startSmallDisk } from "../../../testing/storage/small-disk.ts";
import { findFolderProblem, makeFolder } from "./disk-folder.ts";
import { createDiskStorage } from "./disk-storage.ts";
import { StorageFault } from "./storage-fault.ts";

const folder = mkdtempSync(join(tmpdir(), "packshot-folder-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, "file");
writeFileSync(file, "");

/** Folders that nobody can make, and how storage says so. Linux has no folder but its own in /proc. */
const useless = [{ dir: join(file, "storage"), code: "ENOTDIR", why: "a part of its path is a file" }];
if (existsSync("/proc/self"))
  useless.push({ dir: "/proc/packshot/storage", code: "ENOENT", why: "no folder can be made there" });

test("makes folders that are missing, and says which is the topmost", async () => {
  expect(await makeFolder(join(folder, "a", "b", "c"))).toBe(join(folder, "a"));
  expect(await makeFolder(join(folder, "a", "b", "d"))).toBe(join(folder, "a", "b", "d"));
  expect(await makeFolder(join(folder, "a", "b"))).toBeUndefined();
});

test.each(useless)("storage in $dir answers with a fault of the storage, whatever is asked of it", async (given) => {
  const storage = createDiskStorage({ dir: given.dir, freeBytesMin: 1 });
  const refused = [
    () => storage.write("api/a/1/source", Buffer.from("photo"), { bytesMax: 10 }),
    () => storage.assertRoom(1),
  ];
  for (const act of refused) {
    const error = await act().catch((thrown: unknown) => thrown);
    expect([error instanceof StorageFault, error]).toEqual([true, expect.objectContaining({ code: given.code })]);
  }
  expect(await storage.read("api/a/1/source", { bytesMax: 10 })).toBeUndefined();
});

test.each(useless)("$dir cannot be written: $why", async ({ dir, why }) => {
  expect(await findFolderProblem(dir, { mayBeFull: true })).toBe(why);
});

const disk = await startSmallDisk({ megabytes: 1 });
afterAll(() => disk.stop());
test.skipIf(!disk.isMounted)("a full disk is a problem only where it may not be full", async () => {
  const dir = join(disk.dir, "storage");
  await makeFolder(dir);
  await disk.fill();
  expect(await findFolderProblem(dir, { mayBeFull: false })).toBe("its disk is full");
  expect(await findFolderProblem(dir, { mayBeFull: true })).toBeUndefined();
});

test("a folder that can be written, or made, has no problem and is left as it is", async () => {
  expect(await findFolderProblem(join(folder, "new", "storage"), { mayBeFull: false })).toBeUndefined();
  expect(await findFolderProblem(folder, { mayBeFull: false })).toBeUndefined();
  expect(readdirSync(folder).filter((name) => name === "new" || name.startsWith("."))).toEqual([]);
});
