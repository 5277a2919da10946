import { Readable } from "node:stream";
import { expect, it } from "vitest";
import type { Storage } from "./storage.ts";
import { StorageTimeout, withStorageTimeout } from "./storage-fault.ts";

const never = () => new Promise<never>(() => {});
const hanging = { write: never, read: never, deletePrefix: never } as unknown as Storage;
const limits = { bytesMax: 10 };

it("ends operations of a storage that does not answer", async () => {
  const storage = withStorageTimeout(hanging, 20);
  await expect(storage.read("api/a", limits)).rejects.toBeInstanceOf(StorageTimeout);
  await expect(storage.write("api/a", Buffer.from("x"), limits)).rejects.toBeInstanceOf(StorageTimeout);
  await expect(storage.deletePrefix("api/a")).rejects.toBeInstanceOf(StorageTimeout);
});

it("counts the time of a streamed write from the end of its stream", async () => {
  const storage = withStorageTimeout(hanging, 20);
  const body = new Readable({ read() {} });
  let isOver = false;
  const writing = storage.write("api/a", body, limits).finally(() => (isOver = true));
  writing.catch(() => {});
  // A read begins and ends its time while the stream still flows.
  await expect(storage.read("api/a", limits)).rejects.toBeInstanceOf(StorageTimeout);
  expect(isOver).toBe(false);
  body.destroy();
  await expect(writing).rejects.toBeInstanceOf(StorageTimeout);
});

it("gives what the storage gives", async () => {
  const storage = withStorageTimeout({ ...hanging, read: async () => Buffer.from("photo") }, 60_000);
  expect((await storage.read("api/a", limits))?.toString()).toBe("photo");
});
