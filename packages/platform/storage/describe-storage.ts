/** One suite for every adapter of the Storage port. */
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Storage } from "./storage.ts";

export function describeStorage(
  adapter: string,
  create: () => Promise<{ storage: Storage; dispose: () => Promise<void> }>,
): void {
  describe(`storage on ${adapter}`, () => {
    let storage: Storage;
    let dispose: () => Promise<void>;
    const bytesMax = 1024;

    beforeAll(async () => {
      ({ storage, dispose } = await create());
    });
    afterAll(() => dispose());

    async function keysBelow(prefix: string): Promise<string[]> {
      return (await Array.fromAsync(storage.list(prefix), ({ key }) => key)).sort();
    }

    it("reads what was written, as bytes and as a stream", async () => {
      expect(await storage.write("api/a/1/source", Buffer.from("photo"), { bytesMax })).toEqual({ bytes: 5 });
      expect((await storage.read("api/a/1/source", { bytesMax }))?.toString()).toBe("photo");
      const opened = await storage.open("api/a/1/source");
      expect(opened?.bytes).toBe(5);
      expect(Buffer.concat(await opened!.stream.toArray()).toString()).toBe("photo");
      expect(await storage.stat("api/a/1/source")).toEqual({ bytes: 5 });
    });

    it("replaces a file as a whole", async () => {
      await storage.write("api/a/2/source", Buffer.from("a long first version"), { bytesMax });
      await storage.write("api/a/2/source", Readable.from([Buffer.from("sec"), Buffer.from("ond")]), { bytesMax });
      expect((await storage.read("api/a/2/source", { bytesMax }))?.toString()).toBe("second");
    });

    it("refuses what is larger than allowed, and leaves nothing behind", async () => {
      const endless = Readable.from(
        (function* () {
          for (;;) yield Buffer.alloc(300);
        })(),
      );
      await expect(storage.write("api/a/3/source", endless, { bytesMax })).rejects.toMatchObject({
        code: "file_too_large",
      });
      expect(await keysBelow("api/a/3/")).toEqual([]);
      await storage.write("api/a/4/source", Buffer.alloc(600), { bytesMax });
      await expect(storage.read("api/a/4/source", { bytesMax: 599 })).rejects.toMatchObject({ code: "file_too_large" });
    });

    it("leaves nothing behind when the sender breaks off", async () => {
      const broken = new Readable({ read() {} });
      const writing = storage.write("api/a/5/source", broken, { bytesMax });
      broken.push(Buffer.from("half"));
      broken.destroy(new Error("connection reset"));
      await expect(writing).rejects.toThrow("connection reset");
      expect(await keysBelow("api/a/5/")).toEqual([]);
    });

    it("reports missing files", async () => {
      expect(await storage.read("api/none/x", { bytesMax })).toBeUndefined();
      expect(await storage.open("api/none/x")).toBeUndefined();
      expect(await storage.stat("api/none/x")).toBeUndefined();
      expect(await storage.copy("api/none/x", "api/a/6/source")).toBe(false);
      expect(await keysBelow("api/none/")).toEqual([]);
    });

    it("opens a file, or a part of it", async () => {
      await storage.write("api/e/1/source", Buffer.from("0123456789"), { bytesMax });
      const textOf = async (range?: { first: number; last: number }) => {
        const { stream, bytes } = (await storage.open("api/e/1/source", range))!;
        return [(await stream.toArray()).join(""), bytes];
      };
      expect(await textOf()).toEqual(["0123456789", 10]);
      expect(await textOf({ first: 0, last: 0 })).toEqual(["0", 10]);
      expect(await textOf({ first: 7, last: 9 })).toEqual(["789", 10]);
    });

    it("copies so that neither file depends on the other", async () => {
      await storage.write("api/b/uploads/u/source", Buffer.from("shared"), { bytesMax });
      expect(await storage.copy("api/b/uploads/u/source", "api/b/j/source")).toBe(true);
      expect(await storage.copy("api/b/uploads/u/source", "api/b/j/source")).toBe(true);
      await storage.deletePrefix("api/b/uploads/u/");
      expect((await storage.read("api/b/j/source", { bytesMax }))?.toString()).toBe("shared");
      expect(await keysBelow("api/b/")).toEqual(["api/b/j/source"]);
    });

    it("deletes by prefix, also a second time, and nothing else", async () => {
      for (const key of ["api/c/1/source", "api/c/1/x/result.png", "api/c/12/source"]) {
        await storage.write(key, Buffer.from("x"), { bytesMax });
      }
      await storage.deletePrefix("api/c/1/");
      await storage.deletePrefix("api/c/1/");
      expect(await keysBelow("api/c/")).toEqual(["api/c/12/source"]);
    });

    it("deletes one file by its key, also a second time, and no other whose key begins alike", async () => {
      for (const key of ["api/f/1/source", "api/f/1/source2", "api/f/1/result.png"]) {
        await storage.write(key, Buffer.from("x"), { bytesMax });
      }
      await storage.deletePrefix("api/f/1/source");
      await storage.deletePrefix("api/f/1/source");
      expect(await keysBelow("api/f/")).toEqual(["api/f/1/result.png", "api/f/1/source2"]);
    });

    it("stores and reads what takes several parts", async () => {
      const photo = Buffer.alloc(20 * 1024 * 1024 + 1, "packshot");
      const whole = { bytesMax: photo.length };
      const chunks = Array.from({ length: 11 }, (_, i) => photo.subarray(i * 2_000_000, (i + 1) * 2_000_000));
      expect(await storage.write("api/g/1/source", Readable.from(chunks), whole)).toEqual({ bytes: photo.length });
      expect(await storage.write("api/g/2/source", photo, whole)).toEqual({ bytes: photo.length });
      for (const key of ["api/g/1/source", "api/g/2/source"]) {
        expect((await storage.read(key, whole))?.equals(photo)).toBe(true);
      }
      const tooMuch = storage.write("api/g/3/source", Readable.from(chunks), { bytesMax: photo.length - 1 });
      await expect(tooMuch).rejects.toMatchObject({ code: "file_too_large" });
      expect(await keysBelow("api/g/3/")).toEqual([]);
      expect(await storage.discardUnfinished(Date.now() + 60_000)).toBe(0);
    });

    it("stores an empty file", async () => {
      expect(await storage.write("api/h/1/source", Readable.from([]), { bytesMax })).toEqual({ bytes: 0 });
      expect(await storage.read("api/h/1/source", { bytesMax })).toEqual(Buffer.alloc(0));
    });

    it("lists with the time of each file", async () => {
      const before = Date.now() - 5_000;
      await storage.write("api/d/1/source", Buffer.from("x"), { bytesMax });
      for await (const { modifiedAtMs } of storage.list("api/d/")) expect(modifiedAtMs).toBeGreaterThan(before);
    });

    it.each(["../x", "api/../x", "/x", "api//x", "api/./x", "api/a\u0000b", ""])(
      "takes no key like %j",
      async (key) => {
        await expect(storage.read(key, { bytesMax })).rejects.toThrow(RangeError);
      },
    );

    it("signs the same link for the same parameters", async () => {
      const link = { expiresAtMs: Date.now() + 60_000, contentType: "image/png" };
      expect(await storage.signGet("api/a/1/source", link)).toBe(await storage.signGet("api/a/1/source", link));
    });
  });
}
