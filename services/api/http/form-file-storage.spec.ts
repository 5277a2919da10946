import { AsyncLocalStorage } from "node:async_hooks";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { gifOfFrames } from "../../../testing/images/bombs.ts";
import { createFormFileStorage, storeImage } from "./form-file-storage.ts";

it("inspects the image in its request's context, wherever the bytes arrive", async () => {
  const folder = await mkdtemp(join(tmpdir(), "packshot-form-file-spec-"));
  const currentRequest = new AsyncLocalStorage<string>();
  const inspectedFor: (string | undefined)[] = [];
  const limits = {
    fileBytesMax: 1_000,
    maxPixels: 1_000,
    inspectImage: async () => {
      inspectedFor.push(currentRequest.getStore());
      return { contentType: "image/png" } as never;
    },
  };
  const storage = currentRequest.run("a", () => createFormFileStorage(join(folder, "form"), limits));
  // As a parser calls it that was woken by a socket.
  const handleFile = promisify(storage._handleFile.bind(storage));
  await handleFile({} as never, { fieldname: "image", stream: Readable.from([Buffer.from("bytes")]) } as never);
  expect((await storage.files()).image?.bytes).toBe(5);
  await storage.discard();
  await rm(folder, { recursive: true });
  expect(inspectedFor).toEqual(["a"]);
});

it("refuses what makes a decoder do much, also behind the first bytes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "packshot-form-file-spec-"));
  const inspectImage = async () => ({ contentType: "image/gif" }) as never;
  const limits = { fileBytesMax: 1_000_000, maxPixels: 1_000, inspectImage };
  const store = (file: Buffer, name: string) =>
    storeImage(Readable.from([file]), join(folder, name), limits, new AbortController().signal);
  await expect(store(gifOfFrames(20_000), "bomb")).rejects.toMatchObject({ code: "image_too_large" });
  expect(await store(gifOfFrames(5_000), "animation")).toMatchObject({ contentType: "image/gif" });
  await rm(folder, { recursive: true });
});
