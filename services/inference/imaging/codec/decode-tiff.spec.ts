/** TIFFs as print shops, editors and scientists send them. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { type TiffPageToWrite, tiffBytes } from "../../../../testing/images/tiff-bytes.ts";
import { openBackgroundPicture } from "./background-picture.ts";
import { decodePhoto } from "./decode.ts";

const limits = { maxPixels: 1e6 };
const width = 20;
const height = 10;
const size = { width, height };
const orange = [200, 100, 50] as const;
/** Left half 255, right half 0, as a saved selection has it. */
const selection = (i: number) => (i % width < width / 2 ? 255 : 0);

/** Interleaved samples by pixel. */
function samples(pixel: (i: number) => readonly number[]): number[] {
  return Array.from({ length: width * height }, (_, i) => pixel(i)).flat();
}
const bytes = (pixel: (i: number) => readonly number[]) => Uint8Array.from(samples(pixel));
const words = (pixel: (i: number) => readonly number[]) => new Uint8Array(Uint16Array.from(samples(pixel)).buffer);
const floats = (pixel: (i: number) => readonly number[]) => new Uint8Array(Float32Array.from(samples(pixel)).buffer);

const rgb = { ...size, photometric: 2, samplesPerPixel: 3, data: bytes(() => orange) };
const withSelection = { ...rgb, samplesPerPixel: 4, data: bytes((i) => [...orange, selection(i)]) };
const cmyk = { ...size, photometric: 5, samplesPerPixel: 5, data: bytes((i) => [20, 120, 200, 10, selection(i)]) };
const gray = { ...size, photometric: 1, samplesPerPixel: 2, data: bytes((i) => [90, selection(i)]) };

const decode = (...pages: TiffPageToWrite[]) => decodePhoto(tiffBytes(...pages), limits);
const firstPixel = (pixels: Uint8Array) => [...pixels.subarray(0, 3)];
function expectNear(actual: readonly number[], expected: readonly number[], by: number) {
  for (const [c, value] of actual.entries())
    expect(Math.abs(value - expected[c]!), `${actual}`).toBeLessThanOrEqual(by);
}

describe("an extra sample of a TIFF", () => {
  const extra16 = words((i) => [...orange, selection(i)].map((value) => value * 257));
  it.each<[string, TiffPageToWrite]>([
    ["RGB and a selection", { ...withSelection, extraSamples: [0] }],
    ["RGB and a sample of which the file says nothing", withSelection],
    ["RGB of 16 bits and a selection", { ...withSelection, bitsPerSample: 16, extraSamples: [0], data: extra16 }],
    ["CMYK and a spot color", { ...cmyk, extraSamples: [0] }],
    ["CMYK and a sample of which the file says nothing", cmyk],
    ["gray and a selection", { ...gray, extraSamples: [0] }],
    [
      "RGB and two selections",
      { ...rgb, samplesPerPixel: 5, extraSamples: [0, 0], data: bytes((i) => [...orange, selection(i), 9]) },
    ],
  ])("is no transparency: %s", async (_, page) => {
    const photo = await decode(page);
    expect(photo).toMatchObject({ width, height, hasAmbiguousAlpha: true });
    expect(photo.alpha).toBeUndefined();
    expect(photo.rgb.length).toBe(width * height * 3);
    if (page.photometric === 2) expect(firstPixel(photo.rgb)).toEqual(orange);
  });

  it.each<[string, TiffPageToWrite]>([
    ["unassociated", { ...withSelection, extraSamples: [2] }],
    ["unassociated, of CMYK", { ...cmyk, extraSamples: [2] }],
    ["unassociated, of gray", { ...gray, extraSamples: [2] }],
    [
      "unassociated, behind a selection",
      { ...rgb, samplesPerPixel: 5, extraSamples: [0, 2], data: bytes((i) => [...orange, 7, selection(i)]) },
    ],
    [
      "unassociated, before a selection",
      { ...rgb, samplesPerPixel: 5, extraSamples: [2, 0], data: bytes((i) => [...orange, selection(i), 7]) },
    ],
  ])("is alpha where the file says so: %s", async (_, page) => {
    const photo = await decode(page);
    expect([photo.alpha![0], photo.alpha![width - 1]]).toEqual([255, 0]);
    expect(photo).not.toHaveProperty("hasAmbiguousAlpha");
  });

  it("is divided out of the colors where they are premultiplied", async () => {
    const data = bytes(() => [100, 50, 25, 128]);
    const photo = await decode({ ...withSelection, extraSamples: [1], data });
    expect(photo.alpha![0]).toBe(128);
    expectNear(firstPixel(photo.rgb), orange, 2);
  });

  it("does not show through a background picture", async () => {
    const picture = await openBackgroundPicture(tiffBytes({ ...withSelection, extraSamples: [0] }), size, limits);
    expect(new Set(picture)).toEqual(new Set(orange));
    const transparent = await openBackgroundPicture(tiffBytes({ ...withSelection, extraSamples: [2] }), size, limits);
    expect([firstPixel(transparent), transparent.at(-1)]).toEqual([[...orange], 255]);
  });

  it("is refused in words where more follow than are read", async () => {
    const data = bytes((i) => [20, 120, 200, 10, selection(i), 3]);
    await expect(decode({ ...cmyk, samplesPerPixel: 6, extraSamples: [0, 0], data })).rejects.toMatchObject({
      code: "image_unreadable",
      message: expect.stringContaining("2 channels beside the colors"),
    });
  });
});

describe("the colors of a TIFF", () => {
  /** A light orange in CIE L*a*b*: L 58.8, a 20, b 30, about #bb7f59 in sRGB. */
  const lab = (a: number, b: number) => ({ ...rgb, data: bytes(() => [150, a, b]) });

  it.each([
    ["CIE L*a*b*", { ...lab(20, 30), photometric: 8 }],
    ["ICC L*a*b*", { ...lab(148, 158), photometric: 9 }],
  ])("of 8-bit %s are read", async (_, page) => {
    expectNear(firstPixel((await decode(page)).rgb), [187, 127, 89], 4);
  });

  it("are read under negative a and b", async () => {
    // L 58.8, a -40, b -30.
    expectNear(firstPixel((await decode({ ...lab(216, 226), photometric: 8 })).rgb), [0, 157, 193], 6);
  });

  it("of white L*a*b* are white, in a background picture, too", async () => {
    const page = { ...rgb, photometric: 8, data: bytes(() => [255, 0, 0]) };
    expect(firstPixel((await decode(page)).rgb)).toEqual([255, 255, 255]);
    expect(firstPixel(await openBackgroundPicture(tiffBytes(page), size, limits))).toEqual([255, 255, 255]);
  });

  const float = { ...rgb, bitsPerSample: 32, sampleFormat: 3 };
  it("of floating-point samples are linear light", async () => {
    expectNear(firstPixel((await decode({ ...float, data: floats(() => [0.2158605, 1, 3]) })).rgb), [128, 255, 255], 1);
  });

  it("of floating-point samples are under the profile, if there is one", async () => {
    const tagged = await sharp(Buffer.alloc(3, 9), { raw: { width: 1, height: 1, channels: 3 } })
      .withIccProfile("srgb")
      .png()
      .toBuffer();
    const { icc } = await sharp(tagged).metadata();
    const data = floats((i) => [0.5, 0.25, 0.75, selection(i) / 255]);
    const photo = await decode({ ...float, samplesPerPixel: 4, extraSamples: [2], data, tags: { 34675: icc! } });
    expectNear(firstPixel(photo.rgb), [128, 64, 191], 2);
    expect([photo.alpha![0], photo.alpha![width - 1]]).toEqual([255, 0]);
  });

  it.each([
    ["black is 0", 1, 0.2158605],
    ["white is 0", 0, 1 - 0.2158605],
  ])("of floating-point gray where %s are read", async (_, photometric, value) => {
    const page = { ...float, photometric, samplesPerPixel: 2, extraSamples: [2] };
    const photo = await decode({ ...page, data: floats((i) => [value, selection(i) / 255]) });
    expectNear(firstPixel(photo.rgb), [128, 128, 128], 1);
    expect([photo.alpha![0], photo.alpha![width - 1]]).toEqual([255, 0]);
    const plain = await decode({ ...float, photometric, samplesPerPixel: 1, data: floats(() => [value]) });
    expectNear(firstPixel(plain.rgb), [128, 128, 128], 1);
  });

  it.each<[string, TiffPageToWrite, RegExp]>([
    ["floats of 0 to 255", { ...float, data: floats(() => orange) }, /200 in the mean.*0 to 1/],
    [
      "integers of 32 bits",
      { ...rgb, bitsPerSample: 32, data: new Uint8Array(width * height * 12) },
      /samples of 32 bits/,
    ],
    [
      "signed integers",
      { ...rgb, bitsPerSample: 16, sampleFormat: 2, data: words(() => orange) },
      /signed samples of 16/,
    ],
    [
      "half floats",
      { ...rgb, bitsPerSample: 16, sampleFormat: 3, data: words(() => orange) },
      /floating-point samples of 16/,
    ],
    ["a compression that nobody reads", { ...rgb, compression: 34_712 }, /JPEG 2000/],
  ])("are refused for the true reason: %s", async (_, page, message) => {
    await expect(decode(page)).rejects.toMatchObject({
      code: "image_unreadable",
      message: expect.stringMatching(message),
    });
  });
});

describe("the pages of a TIFF", () => {
  const thumbnail = { width: 4, height: 2, photometric: 2, samplesPerPixel: 3, data: new Uint8Array(24) };
  const mask = { width: 40, height: 20, photometric: 1, samplesPerPixel: 1, data: new Uint8Array(800), subfileType: 4 };

  it.each([
    ["behind its thumbnail", [{ ...thumbnail, subfileType: 1 }, rgb]],
    ["behind a thumbnail that is not said to be one", [thumbnail, rgb]],
    ["before a larger mask", [rgb, mask]],
    ["before a page of the same size", [rgb, { ...rgb, data: bytes(() => [0, 0, 0]) }]],
  ])("show the photo %s", async (_, pages) => {
    const photo = await decode(...pages);
    expect([photo.width, photo.height, firstPixel(photo.rgb)]).toEqual([width, height, [...orange]]);
    const picture = await openBackgroundPicture(tiffBytes(...pages), size, limits);
    expect(firstPixel(picture)).toEqual(orange);
  });

  it("are judged by the size of the largest", async () => {
    const few = { maxPixels: 100 };
    await expect(decodePhoto(tiffBytes(thumbnail, rgb), few)).rejects.toMatchObject({ code: "image_too_large" });
    await expect(decodePhoto(tiffBytes(thumbnail, thumbnail), few)).resolves.toMatchObject({ width: 4 });
  });

  it("may be layered: 37 MB of layers are more than the 50 MB that libtiff takes for one page by itself", async () => {
    const layers = new Uint8Array(37e6);
    const photo = await decode({ ...rgb, tags: { 37724: layers } });
    expect(firstPixel(photo.rgb)).toEqual(orange);
  });

  it("that name an earlier page as the next one end", async () => {
    const looping = tiffBytes(thumbnail, rgb);
    const firstAt = looping.readUInt32LE(4);
    // The last four bytes of the last directory are the link.
    looping.writeUInt32LE(firstAt, looping.length - 4);
    await expect(decodePhoto(looping, limits)).resolves.toMatchObject({ width, height });
  });
});
