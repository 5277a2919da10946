import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as bombs from "../../../testing/images/bombs.ts";
import {
  animatedGif,
  animatedWebp,
  cmykJpeg,
  png16,
  productPixels,
  withAlpha,
} from "../../../testing/images/odd-images.ts";
import { assertContainerBounded } from "./container-walk.ts";

const { isoBox, jpegSegment, jpegWith, pngWith, tiffOf, webpWith } = bombs;
const mebibyte = 2 ** 20;
const prefixBytes = 64 * 1024;
const noise = (bytes: number) =>
  Buffer.from(
    Uint32Array.from({ length: Math.ceil(bytes / 4) }, (_, i) => Math.imul(i ^ 0x9e3779b9, 0x85ebca6b)).buffer,
  ).subarray(0, bytes);
const text = (bytes: number, keyword = "k") =>
  Buffer.concat([Buffer.from(`${keyword}\0\0`), deflateSync(Buffer.alloc(bytes, "A"))]);
const packedText = (bytes: number) =>
  Buffer.concat([Buffer.from("XML:com.adobe.xmp\0\x01\0en\0\0"), deflateSync(Buffer.alloc(bytes, "A"))]);
const plainText = (bytes: number) =>
  Buffer.concat([Buffer.from("XML:com.adobe.xmp\0\0\0\0\0"), Buffer.alloc(bytes, "A")]);
const profilePart = (bytes: number) =>
  jpegSegment(0xe2, Buffer.concat([Buffer.from("ICC_PROFILE\0\x01\xff", "latin1"), Buffer.alloc(bytes)]));
const xmp = jpegSegment(
  0xe1,
  Buffer.concat([Buffer.from("http://ns.adobe.com/xap/1.0/\0"), Buffer.alloc(60_000, "A")]),
);
const empty = Buffer.alloc(0);
const repeated = <T>(count: number, item: T) => Array.from({ length: count }, () => item);
const nested = (depth: number): Buffer => (depth === 0 ? empty : isoBox("ipco", nested(depth - 1)));
const avif = (...boxes: readonly Buffer[]) =>
  Buffer.concat([isoBox("ftyp", Buffer.from("avif\0\0\0\0avifmif1")), ...boxes]);
const full = Buffer.alloc(4);

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "packshot-walk-"));
});

afterAll(() => rm(folder, { recursive: true }));

async function outcomes(file: Buffer): Promise<readonly string[]> {
  const path = join(folder, "photo");
  await writeFile(path, file);
  const outcome = (source: Buffer | string) =>
    assertContainerBounded(source).then(
      () => "passes",
      ({ code, message }) => `${code}: ${message}`,
    );
  return [await outcome(file), await outcome(path)];
}

describe("a file that makes its decoder do much is refused, in memory and on disk", () => {
  it.each<[string, RegExp, () => Buffer | Promise<Buffer>]>([
    ["50 zTXt chunks of 50 MB", /PNG has more than 1 MB of compressed text/, () => bombs.pngBombOfTexts(50)],
    [
      "zTXt chunks that are small one by one",
      /1 MB of compressed/,
      () => pngWith(...repeated(9, ["zTXt", text(120_000)] as const)),
    ],
    ["a compressed iTXt chunk", /1 MB of compressed/, () => pngWith(["iTXt", packedText(2 * mebibyte)])],
    [
      "a compressed text longer than its limit",
      /1 MB of compressed/,
      () => pngWith(["zTXt", Buffer.concat([Buffer.from("k\0\0"), noise(2 * mebibyte)])]),
    ],
    [
      "a compressed profile",
      /PNG has a color profile of more than 4 MB/,
      () => pngWith(["iCCP", text(5 * mebibyte, "icc")]),
    ],
    [
      "damaged compressed text",
      /1 MB of compressed/,
      () => pngWith(["zTXt", Buffer.concat([text(900_000).subarray(0, 800), noise(2_000)])]),
    ],
    [
      "plain text without end",
      /more than 32 MB of metadata/,
      () => pngWith(["tEXt", Buffer.alloc(33 * mebibyte, "A")]),
    ],
    ["empty chunks", /PNG has more than 10,000 chunks/, () => pngWith(...repeated(10_001, ["teSt", empty] as const))],
    [
      "empty segments",
      /JPEG has more than 10,000 segments/,
      () => jpegWith(...repeated(10_001, jpegSegment(0xe5, empty))),
    ],
    [
      "segments behind junk",
      /10,000 segments/,
      () => jpegWith(...repeated(10_001, Buffer.concat([jpegSegment(0xe5, empty), Buffer.from([0, 1, 0xff])]))),
    ],
    ["a profile in 255 segments", /JPEG has a color profile/, () => jpegWith(...repeated(255, profilePart(65_000)))],
    ["XMP in 600 segments", /more than 32 MB of metadata/, () => jpegWith(...repeated(600, xmp))],
    [
      "empty WebP chunks",
      /WebP has more than 10,000 chunks/,
      () => webpWith(...repeated(10_001, ["test", empty] as const)),
    ],
    ["a profile of a WebP", /WebP has a color profile/, () => webpWith(["ICCP", Buffer.alloc(5 * mebibyte)])],
    [
      "EXIF and XMP of a WebP",
      /32 MB of metadata/,
      () => webpWith(["EXIF", Buffer.alloc(17 * mebibyte)], ["XMP ", Buffer.alloc(17 * mebibyte)]),
    ],
    ["a GIF of 10,001 frames", /GIF has more than 10,000 frames/, () => bombs.gifOfFrames(10_001)],
    ["a TIFF of 1,001 pages", /TIFF has more than 1,000 pages/, () => tiffOf({ pages: 1_001 })],
    [
      "TIFF tags that share their bytes",
      /TIFF has tags that name more bytes/,
      () => tiffOf({ tags: repeated(9, 50_000), bytes: mebibyte }),
    ],
    [
      "pages whose tags share their bytes",
      /TIFF has tags that name more bytes/,
      () => tiffOf({ pages: 50, tags: [700], bytes: mebibyte }),
    ],
    ["a profile of a TIFF", /TIFF has a color profile/, () => tiffOf({ tags: [34_675], bytes: 5 * mebibyte })],
    [
      "EXIF of an AVIF, 200 times the same",
      /AVIF has items that name more bytes/,
      () => bombs.avifOfSharedExif(200, mebibyte),
    ],
    ["boxes in boxes", /AVIF has more than 8 levels of boxes/, () => avif(isoBox("meta", full, nested(9)))],
    [
      "empty boxes",
      /AVIF has more than 10,000 boxes/,
      () => avif(isoBox("meta", full, ...repeated(10_001, isoBox("free")))),
    ],
    ["empty boxes beside each other", /10,000 boxes/, () => avif(...repeated(10_001, isoBox("free")))],
    [
      "a meta box of 9 MB",
      /AVIF has more than 8 MB of descriptions/,
      () => avif(isoBox("meta", full, Buffer.alloc(9 * mebibyte))),
    ],
  ])("%s", async (_name, message, make) => {
    const found = await outcomes(await make());
    expect(found).toEqual(repeated(2, expect.stringMatching(/^image_too_large: .*: export the photo again/)));
    expect(found).toEqual(repeated(2, expect.stringMatching(message)));
  });
});

describe("an ordinary photo passes, as a whole and by its first bytes", () => {
  const product = () => sharp(productPixels(), { raw: { width: 320, height: 240, channels: 3 } }).withIccProfile("p3");
  const described = () => product().withExif({ IFD0: { Copyright: "A".repeat(5_000) } });

  it.each<[string, () => Buffer | Promise<Buffer>]>([
    ...(["jpeg", "png", "webp", "avif", "tiff"] as const).map((format): [string, () => Promise<Buffer>] => [
      `${format} with profile and EXIF`,
      () => described().toFormat(format).toBuffer(),
    ]),
    ["a big TIFF", () => product().tiff({ bigtiff: true }).toBuffer()],
    ["CMYK", cmykJpeg],
    ["16 bit", png16],
    ["a cut-out", withAlpha],
    ["an animation", animatedGif],
    ["an animated WebP", animatedWebp],
    ["PNG with some compressed text", () => pngWith(["zTXt", text(400_000)], ["iTXt", packedText(400_000)])],
    ["PNG with 20 MB of XMP", () => pngWith(["iTXt", plainText(20 * mebibyte)])],
    ["PNG with a profile of 3 MB", () => pngWith(["iCCP", text(3 * mebibyte, "icc")])],
    ["PNG with a damaged profile", () => pngWith(["iCCP", Buffer.concat([Buffer.from("icc\0\0"), noise(2_500)])])],
    [
      "JPEG with a profile of 3 MB and 20 MB of XMP",
      () => jpegWith(...repeated(48, profilePart(65_000)), ...repeated(340, xmp)),
    ],
    ["JPEG with fill bytes", () => jpegWith(Buffer.alloc(70_000, 0xff), jpegSegment(0xe5, empty))],
    ["a TIFF of 100 pages", () => tiffOf({ pages: 100 })],
    ["a TIFF with layers", () => tiffOf({ tags: [37_724], bytes: 40 * mebibyte })],
    ["a TIFF whose pages lead back to the first", () => tiffOf({ pages: 3, isLoop: true })],
    ["AVIF with one piece of EXIF", () => bombs.avifOfSharedExif(1, 100_000)],
    ["what is no image", () => Buffer.from("hello")],
    ["nothing", () => empty],
  ])("%s", async (_name, make) => {
    const file = await make();
    expect(await outcomes(file)).toEqual(["passes", "passes"]);
    for (const bytes of [10, 15, 40, Math.floor(file.length / 2), prefixBytes])
      await expect(assertContainerBounded(file.subarray(0, bytes))).resolves.toBeUndefined();
  });
});
