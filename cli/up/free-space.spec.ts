import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { diskOf, warnOfLittleRoom } from "./free-space.ts";

const GiB = 1024 ** 3;

test("each disk with less than 2 GiB is named once, whatever the floor of the storage is", () => {
  const full = { dir: "/a", device: 1, freeBytes: 0 };
  const data = { dir: "/a", device: 1, freeBytes: 0.3 * GiB };
  expect(warnOfLittleRoom([full])).toEqual([expect.stringMatching(/^Only 0\.0 GiB free in \/a: at least 2 GiB/)]);
  expect(warnOfLittleRoom([data, { ...data, dir: "/a/storage" }])).toEqual([
    "Only 0.3 GiB free in /a/storage: at least 2 GiB is needed, because sources and results are kept for an hour. What finds no room is refused with 503, unavailable.",
  ]);
  expect(warnOfLittleRoom([data, { dir: "/b", device: 2, freeBytes: GiB }])).toHaveLength(2);
  expect(warnOfLittleRoom([{ dir: "/b", device: 2, freeBytes: 2 * GiB }])).toEqual([]);
});

test("a folder that is to be made is on the disk of the one above it", () => {
  const dir = mkdtempSync(join(tmpdir(), "packshot-free-space-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const disk = diskOf(join(dir, "storage", "deep"));
  expect(disk).toMatchObject({ dir, device: diskOf(dir)!.device, freeBytes: expect.any(Number) });
  expect(disk!.freeBytes).toBeGreaterThan(0);
  expect(existsSync(join(dir, "storage"))).toBe(false);
});

test("nothing is said of a disk that does not tell its free space", () => {
  const tellsNothing = () => {
    throw new Error("ENOSYS: function not implemented, statfs");
  };
  expect(diskOf(tmpdir(), tellsNothing)).toBeUndefined();
  expect(diskOf(join(tmpdir(), "not", "there"), tellsNothing)).toBeUndefined();
});
