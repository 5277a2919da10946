import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { makeCutDisk, whyNoCutDisk } from "../../../testing/power-cuts/cut-disk.ts";
import { startSmallDisk } from "../../../testing/storage/small-disk.ts";
import { describeStorage } from "./describe-storage.ts";
import { createDiskStorage } from "./disk-storage.ts";

const noDisk = whyNoCutDisk();
const links = { publicUrl: "http://127.0.0.1:1", linkKeys: [randomBytes(32)] };

describeStorage("disk", async () => {
  const dir = await mkdtemp(join(tmpdir(), "packshot-storage-"));
  return { storage: createDiskStorage({ dir, links }), dispose: () => rm(dir, { recursive: true }) };
});

it("removes the folders that a deletion empties", async () => {
  const dir = await mkdtemp(join(tmpdir(), "packshot-storage-"));
  const storage = createDiskStorage({ dir, links });
  await storage.write("api/a/1/x/result.png", Buffer.from("x"), { bytesMax: 10 });
  await storage.deletePrefix("api/a/1/");
  expect(await readdir(dir)).toEqual([]);
  await rm(dir, { recursive: true });
});

it("lists all remaining files while other folders are being removed", async () => {
  const dir = await mkdtemp(join(tmpdir(), "packshot-storage-"));
  const storage = createDiskStorage({ dir, links });
  const kept = Array.from({ length: 60 }, (_, job) => `api/a/kept-${String(job).padStart(2, "0")}/source`);
  for (const key of kept) await storage.write(key, Buffer.from("x"), { bytesMax: 10 });
  for (let round = 0; round < 10; round++) {
    await storage.write("api/a/gone/x/source", Buffer.from("x"), { bytesMax: 10 });
    const removal = storage.deletePrefix("api/a/gone/");
    const listed = await Array.fromAsync(storage.list("api/"), ({ key }) => key);
    await removal;
    expect(listed).toEqual(expect.arrayContaining(kept));
  }
  await rm(dir, { recursive: true });
});

it("lists what is removed while it lists, so that whoever reads it looks again", async () => {
  const dir = await mkdtemp(join(tmpdir(), "packshot-storage-"));
  const storage = createDiskStorage({ dir, links });
  const keys = ["api/a/1", "api/a/2", "api/a/3"];
  for (const key of keys) await storage.write(key, Buffer.from("x"), { bytesMax: 10 });
  const listed: string[] = [];
  for await (const { key } of storage.list("api/a/")) {
    if (listed.push(key) > 1) continue;
    for (const other of keys) if (other !== key) await storage.deletePrefix(other);
  }
  expect(listed.toSorted()).toEqual(keys);
  await rm(dir, { recursive: true });
});

it("signs no link without a link key", async () => {
  const storage = createDiskStorage({ dir: tmpdir() });
  await expect(async () => storage.signGet("api/a", { expiresAtMs: 1, contentType: "image/png" })).rejects.toThrow(
    "no link key",
  );
});

it("has no room for a file that would leave less space than the floor, and creates its folder to find out", async () => {
  const { bavail, bsize } = await statfs(tmpdir());
  const freeBytes = bavail * bsize;
  const dir = join(tmpdir(), `packshot-storage-${randomBytes(8).toString("hex")}`);
  const storage = createDiskStorage({ dir, freeBytesMin: Math.floor(freeBytes / 2) });
  await storage.assertRoom(0);
  await expect(storage.assertRoom(freeBytes)).rejects.toMatchObject({ code: "unavailable" });
  // Without a floor only a disk that is full has no room.
  await createDiskStorage({ dir }).assertRoom(2 * freeBytes);
  await rm(dir, { recursive: true });
});

it("is full where nothing is free, and for some seconds after a file has found no room, whatever the floor", async (context) => {
  const disk = await startSmallDisk({ megabytes: 2 });
  try {
    if (!disk.isMounted) return context.skip("no file system may be mounted here");
    const storage = createDiskStorage({ dir: disk.dir });
    await storage.assertRoom(0);
    await disk.fill();
    await expect(storage.assertRoom(0)).rejects.toMatchObject({ code: "unavailable" });
    await disk.empty();
    await storage.assertRoom(0);
    const large = Buffer.alloc(3 * 1024 * 1024);
    await expect(storage.write("api/a/1/source", large, { bytesMax: large.length })).rejects.toThrow("ENOSPC");
    await expect(storage.assertRoom(0)).rejects.toMatchObject({ code: "unavailable" });
    const now = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 5_000);
    await storage.assertRoom(0).finally(() => now.mockRestore());
  } finally {
    await disk.stop();
  }
});

it.skipIf(noDisk !== undefined)(
  `has after a power cut what was written and copied, with its bytes${noDisk ? ` (no disk: ${noDisk})` : ""}`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "packshot-storage-"));
    const disk = makeCutDisk(join(folder, "disk"), "ext4");
    const storage = createDiskStorage({ dir: join(disk.folder, "storage") });
    const limits = { bytesMax: 1_000_000 };
    const source = randomBytes(300_000);
    const result = randomBytes(1_000);
    try {
      await storage.write("api/a/uploads/u/source", source, limits);
      await storage.write("api/a/1/x/result", result, limits);
      await storage.copy("api/a/uploads/u/source", "api/a/1/source");
      disk.cut();
      await disk.recover();
      const hasBytes = async (key: string, bytes: Buffer) => (await storage.read(key, limits))?.equals(bytes);
      expect(await hasBytes("api/a/uploads/u/source", source)).toBe(true);
      expect(await hasBytes("api/a/1/x/result", result)).toBe(true);
      expect(await hasBytes("api/a/1/source", source)).toBe(true);
    } finally {
      await disk.remove();
      await rm(folder, { recursive: true });
    }
  },
);
