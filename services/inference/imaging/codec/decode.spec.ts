import sharp from "sharp";
import { describe, expect, it } from "vitest";
import * as odd from "../../../../testing/images/odd-images.ts";
import { openBackgroundPicture } from "./background-picture.ts";
import { decodePhoto } from "./decode.ts";

const limits = { maxPixels: 100_000_000 };
const width = 320;
const height = 240;
const at = (rgb: Uint8Array, x: number, y: number, rowPixels = width) => [
  ...rgb.subarray((y * rowPixels + x) * 3, (y * rowPixels + x) * 3 + 3),
];
const near = (a: readonly number[], b: readonly number[], by: number) =>
  a.forEach((v, i) => {
    expect(Math.abs(v - b[i]!)).toBeLessThanOrEqual(by);
  });

describe("decodePhoto", () => {
  const original = odd.productPixels();

  it("decodes a PNG to its own pixels", async () => {
    const photo = await decodePhoto(await odd.png(), limits);
    expect(photo).toMatchObject({ format: "png", width, height });
    expect(Buffer.compare(photo.rgb, original)).toBe(0);
    expect(photo.alpha).toBeUndefined();
  });

  it("turns a photo upright as its EXIF says", async () => {
    const photo = await decodePhoto(await odd.rotatedJpeg(), limits);
    expect(photo).toMatchObject({ width: height, height: width });
    // Orientation 6: the stored left edge is the shown top.
    near(at(photo.rgb, height - 1 - 125, 120, height), at(original, 120, 125), 12);
  });

  it("converts a CMYK JPEG to sRGB", async () => {
    const photo = await decodePhoto(await odd.cmykJpeg(), limits);
    expect(photo.icc).toBeUndefined();
    near(at(photo.rgb, 120, 125), at(original, 120, 125), 40);
  });

  it("converts 16 bit to 8", async () => {
    const photo = await decodePhoto(await odd.png16(), limits);
    near(at(photo.rgb, 120, 125), at(original, 120, 125), 1);
    near(at(photo.rgb, 300, 20), at(original, 300, 20), 1);
  });

  it.each([
    ["GIF", odd.animatedGif],
    ["WebP", odd.animatedWebp],
  ])("takes the first frame of an animated %s", async (_name, make) => {
    const photo = await decodePhoto(await make(), limits);
    expect(photo).toMatchObject({ width, height });
    near(at(photo.rgb, 120, 125), at(original, 120, 125), 30);
  });

  it("keeps a source's own alpha beside its colors", async () => {
    const photo = await decodePhoto(await odd.withAlpha(), limits);
    expect(photo.alpha?.[125 * width + 120]).toBe(255);
    expect(photo.alpha?.[5 * width + 5]).toBe(0);
  });

  it("reads gray as RGB", async () => {
    const gray = await sharp(original, { raw: { width, height, channels: 3 } })
      .grayscale()
      .png()
      .toBuffer();
    const photo = await decodePhoto(gray, limits);
    expect(photo.rgb.length).toBe(width * height * 3);
  });

  it("reads a single pixel", async () => {
    expect(await decodePhoto(await odd.onePixel(), limits)).toMatchObject({ width: 1, height: 1 });
  });

  it("keeps the profile, and the pixels as they are under it", async () => {
    const tagged = await sharp(original, { raw: { width, height, channels: 3 } })
      .withIccProfile("p3")
      .png()
      .toBuffer();
    const stored = await sharp(tagged).keepIccProfile().raw().toBuffer();
    const photo = await decodePhoto(tagged, limits);
    expect(photo.icc?.length).toBeGreaterThan(100);
    expect(Buffer.compare(photo.rgb, stored)).toBe(0);
  });

  it("converts a background picture of 16 bits from its profile to sRGB", async () => {
    const p3 = await sharp(original, { raw: { width, height, channels: 3 } })
      .withIccProfile("p3")
      .toColorspace("rgb16")
      .png()
      .toBuffer();
    expect((await sharp(p3).metadata()).depth).toBe("ushort");
    const picture = await openBackgroundPicture(p3, { width, height }, limits);
    near(at(picture, 120, 125), at(original, 120, 125), 2);
  });

  it("fails on a truncated JPEG", async () => {
    await expect(decodePhoto(await odd.truncatedJpeg(), limits)).rejects.toMatchObject({ code: "image_unreadable" });
  });

  it("fails on a JPEG that lacks only its last rows", async () => {
    const whole = await odd.jpeg();
    const cut = whole.subarray(0, Math.floor(whole.length * 0.9));
    await expect(decodePhoto(cut, limits)).rejects.toMatchObject({ code: "image_unreadable" });
  });

  it.each([
    ["baseline", odd.jpeg],
    ["progressive", () => odd.product().jpeg({ progressive: true }).toBuffer()],
    ["gray", () => odd.product().grayscale().jpeg().toBuffer()],
    ["CMYK", odd.cmykJpeg],
  ])("reads a %s JPEG that lacks no more than its end", async (_, make) => {
    const whole = await make();
    expect([...whole.subarray(-2)]).toEqual([0xff, 0xd9]);
    const expected = await decodePhoto(whole, limits);
    for (const missing of [1, 2]) {
      const { rgb } = await decodePhoto(whole.subarray(0, -missing), limits);
      expect(Buffer.compare(rgb, expected.rgb)).toBe(0);
      const [picture, whiteless] = await Promise.all(
        [whole.subarray(0, -missing), whole].map((file) => openBackgroundPicture(file, { width, height }, limits)),
      );
      expect(picture).toEqual(whiteless);
    }
  });

  it.each([
    ["baseline", false],
    ["progressive", true],
  ])("never reads a %s JPEG of which pixels are missing", async (_, progressive) => {
    const whole = await odd.product().jpeg({ progressive }).toBuffer();
    const { rgb } = await decodePhoto(whole, limits);
    // Every cut near the end, and then every ninth: some of them are between two scans.
    for (let missing = 3; missing < whole.length - 700; missing += missing < 60 ? 1 : 9) {
      const decoded = await decodePhoto(whole.subarray(0, -missing), limits).catch((error: Error) => error);
      if (decoded instanceof Error) expect(decoded).toMatchObject({ code: "image_unreadable" });
      else expect(Buffer.compare(decoded.rgb, rgb), `${missing} bytes missing`).toBe(0);
    }
  });

  it("does not take a JPEG without its last scans for whole", async () => {
    const whole = await odd.product().jpeg({ progressive: true }).toBuffer();
    const lastScanAt = whole.lastIndexOf(Buffer.from([0xff, 0xda]));
    await expect(decodePhoto(whole.subarray(0, lastScanAt), limits)).rejects.toMatchObject({
      code: "image_unreadable",
    });
  });

  it("says of a JPEG of a kind that nobody reads which kind it is", async () => {
    const lossless = Buffer.from(await odd.jpeg());
    lossless[lossless.indexOf(Buffer.from([0xff, 0xc0])) + 1] = 0xc3;
    await expect(decodePhoto(lossless, limits)).rejects.toMatchObject({
      code: "image_unreadable",
      message: expect.stringContaining("lossless"),
    });
  });

  it("accepts garbage after the end of a JPEG", async () => {
    const padded = Buffer.concat([await odd.jpeg(), Buffer.alloc(100, 7)]);
    await expect(decodePhoto(padded, limits)).resolves.toMatchObject({ width, height });
  });

  it.each([
    ["an SVG", odd.svg, "unsupported_media_type"],
    ["a text file", odd.notAnImage, "unsupported_media_type"],
    ["an empty file", () => Buffer.alloc(0), "unsupported_media_type"],
    ["a 200-megapixel PNG", odd.pngBomb, "image_too_large"],
  ])("refuses %s before decoding", async (_name, make, code) => {
    await expect(decodePhoto(make(), limits)).rejects.toMatchObject({ code });
  });
});
