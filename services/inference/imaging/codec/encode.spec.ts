import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { Image } from "../pixels/image.ts";
import { encodeImage, encodeThumbnail, losslessWebpQuality } from "./encode.ts";

/** A gradient with noise, so that a color conversion would show. */
function image(width: number, height: number, channels: 3 | 4): Image {
  const pixels = new Uint8Array(width * height * channels);
  for (let i = 0; i < pixels.length; i++) pixels[i] = (i * 37 + (i >> 3)) % 256;
  if (channels === 4) for (let i = 3; i < pixels.length; i += 4) pixels[i] = Math.max(1, i % 256);
  return { width, height, channels, pixels };
}

async function profile(): Promise<Buffer> {
  const tagged = await sharp({ create: { width: 1, height: 1, channels: 3, background: "red" } })
    .withIccProfile("p3")
    .png()
    .toBuffer();
  return (await sharp(tagged).metadata()).icc!;
}

describe("encode", () => {
  it.each([3, 4] as const)("keeps all %d channels of a PNG to the bit", async (channels) => {
    const source = image(61, 47, channels);
    const { bytes, contentType } = await encodeImage(source, { format: "png" });
    expect(contentType).toBe("image/png");
    expect(Buffer.compare(await sharp(bytes).raw().toBuffer(), source.pixels)).toBe(0);
  });

  it.each([3, 4] as const)("attaches a profile without touching the pixels (%d channels)", async (channels) => {
    const icc = await profile();
    const source = { ...image(61, 47, channels), icc };
    const { bytes } = await encodeImage(source, { format: "png" });
    expect((await sharp(bytes).metadata()).icc?.equals(icc)).toBe(true);
    expect(Buffer.compare(await sharp(bytes).keepIccProfile().raw().toBuffer(), source.pixels)).toBe(0);
  });

  it("compresses a WebP without loss less hard above 20 megapixels", async () => {
    expect([losslessWebpQuality(20_000_000), losslessWebpQuality(8_192 ** 2)]).toEqual([75, 25]);
    const source = image(61, 47, 4);
    const { bytes } = await encodeImage(source, { format: "webp", lossless: true });
    const raw = { width: 61, height: 47, channels: 4 } as const;
    const usual = sharp(source.pixels, { raw }).webp({
      quality: losslessWebpQuality(61 * 47),
      effort: 2,
      lossless: true,
    });
    expect(bytes.equals(await usual.toBuffer())).toBe(true);
    expect(Buffer.compare(await sharp(bytes).raw().toBuffer(), source.pixels)).toBe(0);
  });

  it.each(["jpeg", "webp", "avif"] as const)("keeps the profile in %s", async (format) => {
    const icc = await profile();
    const { bytes } = await encodeImage({ ...image(64, 64, 3), icc }, { format });
    expect((await sharp(bytes).metadata()).icc?.equals(icc)).toBe(true);
  });

  it("lays alpha on white in a JPEG", async () => {
    const clear = { width: 32, height: 32, channels: 4, pixels: new Uint8Array(32 * 32 * 4) } as const;
    const { bytes } = await encodeImage(clear, { format: "jpeg" });
    expect([...(await sharp(bytes).raw().toBuffer())].every((v) => v === 255)).toBe(true);
  });

  it("makes a PNG and its thumbnail row by row, without all pixels in memory", async () => {
    const { pixels, ...header } = image(2100, 40, 4);
    const rowwise: Image = {
      ...header,
      fillRow: (y, { bytes, words }) => {
        bytes.set(pixels.subarray(y * 8400, (y + 1) * 8400));
        return { first: 0, last: words.length };
      },
      get pixels(): never {
        throw new Error("all pixels were read");
      },
    };
    const [result] = await Promise.all([encodeImage(rowwise, { format: "png" }), encodeThumbnail(rowwise, "png")]);
    expect(Buffer.compare(await sharp(result.bytes).raw().toBuffer(), pixels)).toBe(0);
  });

  it("obeys the quality", async () => {
    const source = image(200, 200, 3);
    const low = await encodeImage(source, { format: "jpeg", quality: 20 });
    const high = await encodeImage(source, { format: "jpeg", quality: 95 });
    expect(high.bytes.length).toBeGreaterThan(2 * low.bytes.length);
  });
});

describe("encodeThumbnail", () => {
  it("fits into 512 pixels and keeps the aspect ratio", async () => {
    const { bytes, width, height, contentType } = await encodeThumbnail(image(1200, 800, 4), "png");
    expect({ width, height, contentType }).toEqual({ width: 512, height: 341, contentType: "image/webp" });
    expect((await sharp(bytes).metadata()).hasAlpha).toBe(true);
  });

  it("does not enlarge", async () => {
    expect(await encodeThumbnail(image(40, 30, 3), "png")).toMatchObject({ width: 40, height: 30 });
  });
});
