import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { pngClaiming } from "../../../testing/images/odd-images.ts";
import { inspectImage } from "./inspect-image.ts";

const limits = { maxPixels: 100_000_000 };
const image = (width = 30, height = 20) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 60, b: 20 } } });

function isoMedia(major: string, ...compatible: string[]): Buffer {
  const brands = [major, "\0\0\0\0", ...compatible].join("");
  const box = Buffer.alloc(8 + brands.length);
  box.writeUInt32BE(box.length, 0);
  box.write(`ftyp${brands}`, 4, "latin1");
  return Buffer.concat([box, Buffer.alloc(64)]);
}

describe("inspectImage", () => {
  it.each(["jpeg", "png", "webp", "avif", "tiff", "gif"] as const)("reads the size of a %s", async (format) => {
    const bytes = await image().toFormat(format).toBuffer();
    expect(await inspectImage(bytes, limits)).toEqual({
      format,
      contentType: `image/${format}`,
      width: 30,
      height: 20,
      pages: 1,
    });
  });

  it("reads a file by its path", async () => {
    const folder = await mkdtemp(join(tmpdir(), "packshot-header-"));
    try {
      const path = join(folder, "photo.txt");
      await writeFile(path, await image().webp().toBuffer());
      expect(await inspectImage(path, limits)).toMatchObject({ format: "webp", width: 30 });
      await writeFile(path, "");
      await expect(inspectImage(path, limits)).rejects.toMatchObject({ code: "unsupported_media_type" });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("gives the size after EXIF orientation", async () => {
    const bytes = await image().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await inspectImage(bytes, limits)).toMatchObject({ width: 20, height: 30 });
  });

  it("counts the frames of an animation", async () => {
    const frames = await sharp(Buffer.alloc(30 * 60 * 3, 90), {
      raw: { width: 30, height: 60, channels: 3, pageHeight: 20 },
    })
      .gif({ keepDuplicateFrames: true })
      .toBuffer();
    expect(await inspectImage(frames, limits)).toMatchObject({ format: "gif", width: 30, height: 20, pages: 3 });
  });

  it.each([
    ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /SVG.*PNG/],
    ["SVG behind an XML declaration", Buffer.from('\uFEFF<?xml version="1.0"?>\n<!-- x --><svg width="1">'), /SVG/],
    ["an empty file", Buffer.alloc(0), /empty/],
    ["text", Buffer.from("hello, this is no image"), /not a supported image/],
    ["HTML", Buffer.from("<!doctype html><html></html>"), /not a supported image/],
    ["a video", isoMedia("isom", "mp42"), /not a supported image/],
    ["a single byte", Buffer.from([0xff]), /not a supported image/],
  ])("refuses %s", async (_name, bytes, message) => {
    await expect(inspectImage(bytes, limits)).rejects.toMatchObject({
      code: "unsupported_media_type",
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ["HEIC", isoMedia("heic", "mif1", "heic")],
    ["HEIF without a codec brand", isoMedia("mif1", "mif1")],
  ])("calls a %s without an image unreadable", async (_name, bytes) => {
    await expect(inspectImage(bytes, limits)).rejects.toMatchObject({ code: "image_unreadable" });
  });

  it("refuses a 200-megapixel PNG by its header alone", async () => {
    await expect(inspectImage(pngClaiming(20_000, 10_000), limits)).rejects.toMatchObject({
      code: "image_too_large",
      message: "The image has 20000 × 10000 pixels (200 MP); the limit is 100 MP.",
    });
  });

  it.each([
    [10_001, 10_000, "(100.01 MP); the limit is 100 MP."],
    [12_345, 9_876, "(121.9 MP); the limit is 100 MP."],
    [5_882_353, 17, "(100.000001 MP); the limit is 100 MP."],
  ])("tells %d × %d pixels apart from the limit", async (width, height, end) => {
    const message = `The image has ${width} × ${height} pixels ${end}`;
    await expect(inspectImage(pngClaiming(width, height), limits)).rejects.toMatchObject({ message });
  });

  it("allows exactly maxPixels", async () => {
    const bytes = await image().png().toBuffer();
    await expect(inspectImage(bytes, { maxPixels: 600 })).resolves.toMatchObject({ width: 30 });
    await expect(inspectImage(bytes, { maxPixels: 599 })).rejects.toMatchObject({ code: "image_too_large" });
  });

  it("calls a file that ends inside its header unreadable", async () => {
    const bytes = await image().jpeg().toBuffer();
    await expect(inspectImage(bytes.subarray(0, 24), limits)).rejects.toMatchObject({ code: "image_unreadable" });
  });
});
