/**
 * TIFFs that libvips misreads or refuses although their pixels are whole: L*a*b* of 8 bits, floating-point samples of gray or
 * under a profile. Their samples are read as they are and converted here.
 */

import { PackshotError } from "@packshot/domain/errors.ts";
import { extraSample, photometric, type TiffPage } from "@packshot/platform/images/tiff-pages.ts";
import sharp, { type Metadata, type Sharp, type SharpOptions } from "sharp";
import { asUint8Array } from "../pixels/resize.ts";
import { tiffOf } from "./open-image.ts";

/** Interleaved u8: RGB in sRGB, then the extra samples. */
export interface TiffPixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Uint8Array;
}

/**
 * How sharp opens a TIFF. `unlimited` lifts libtiff's 50 MB for tags, which the layers of an editor exceed; the pixels are
 * limited before.
 */
export function tiffOptions(page: TiffPage | undefined): SharpOptions {
  return { page: page?.index ?? 0, unlimited: true, failOn: "error", limitInputPixels: false };
}

/** Where the first sample that is transparency lies behind the color's; undefined: none is. */
export function alphaOfTiff({ extraSamples }: TiffPage): number | undefined {
  const { associatedAlpha, unassociatedAlpha } = extraSample;
  const at = extraSamples.findIndex((kind) => kind === associatedAlpha || kind === unassociatedAlpha);
  return at < 0 ? undefined : at;
}

/** The size that was judged is of the directories, and libtiff may read them otherwise. */
export async function checkSize(opened: Sharp, page: TiffPage): Promise<Metadata> {
  const metadata = await opened.metadata();
  const { width, height } = metadata;
  if (width === page.width && height === page.height) return metadata;
  throw new Error(`${width} × ${height} pixels, where the directory says ${page.width} × ${page.height}`);
}

const isFloat = ({ sampleFormat }: TiffPage) => sampleFormat === 3;
const isLab8 = (page: TiffPage) =>
  page.bitsPerSample === 8 && (page.photometric === photometric.lab || page.photometric === photometric.iccLab);

/** Whether `decodeTiff` reads the page, because libvips alone does not do it right. */
export function needsOwnDecoder(page: TiffPage): boolean {
  return isLab8(page) || isFloat(page);
}

/** @throws PackshotError `image_unreadable` where the values are not of 0 to 1; else what sharp throws */
export async function decodeTiff(bytes: Uint8Array, page: TiffPage): Promise<TiffPixels> {
  if (isLab8(page)) return await decodeLab(bytes, page);
  const { icc } = await checkSize(sharp(bytes, tiffOptions(page)), page);
  await checkRange(bytes, page);
  return page.photometric === photometric.rgb
    ? await decodeFloatColors(bytes, page, icc)
    : await decodeFloatGray(bytes, page);
}

/** sharp opens the samples as if they were RGB, which leaves them as they are. */
async function decodeLab(bytes: Uint8Array, page: TiffPage): Promise<TiffPixels> {
  const patched = Buffer.from(bytes);
  if (page.littleEndian) patched.writeUInt16LE(photometric.rgb, page.photometricAt);
  else patched.writeUInt16BE(photometric.rgb, page.photometricAt);
  const options = { ...tiffOptions(page), ignoreIcc: true };
  await checkSize(sharp(patched, options), page);
  const { data, info } = await sharp(patched, options)
    .autoOrient()
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  const pixels = asUint8Array(data);
  convertLab(pixels, info.channels, page.photometric === photometric.iccLab);
  return { width: info.width, height: info.height, channels: info.channels, data: pixels };
}

/** CIE L*a*b* has signed a and b, ICC L*a*b* has them from -128 on; both are under D50, which Bradford adapts to sRGB's D65. */
function convertLab(pixels: Uint8Array, channels: number, isIcc: boolean): void {
  const signed = (value: number) => (isIcc ? value - 128 : (value << 24) >> 24);
  const cubed = (f: number) => (f > 6 / 29 ? f ** 3 : (f - 4 / 29) * (108 / 841));
  for (let at = 0; at < pixels.length; at += channels) {
    const fy = ((pixels[at]! * 100) / 255 + 16) / 116;
    const x = 0.96422 * cubed(fy + signed(pixels[at + 1]!) / 500);
    const y = cubed(fy);
    const z = 0.82521 * cubed(fy - signed(pixels[at + 2]!) / 200);
    pixels[at] = encodeSrgb(3.1338561 * x - 1.6168667 * y - 0.4906146 * z);
    pixels[at + 1] = encodeSrgb(-0.9787684 * x + 1.9161415 * y + 0.033454 * z);
    pixels[at + 2] = encodeSrgb(0.0719453 * x - 0.2289914 * y + 1.4052427 * z);
  }
}

/** Steps of linear light: in the darks sRGB has one for each 0.0003. */
const linearSteps = 1 << 14;
let srgbOfLinear: Uint8Array | undefined;

/** Linear light, clipped to 0…1, as a byte of sRGB. */
function encodeSrgb(linear: number): number {
  srgbOfLinear ??= Uint8Array.from({ length: linearSteps + 1 }, (_, i) => Math.round(255 * srgbCurve(i / linearSteps)));
  return srgbOfLinear[Math.round(Math.min(1, Math.max(0, linear)) * linearSteps)]!;
}

function srgbCurve(linear: number): number {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
}

function linearOfSrgb(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** The brightest photo of high dynamic range is darker in the mean; values of 0 to 255 or of 0 to 65,535 are not. */
const floatMeanMax = 8;

async function checkRange(bytes: Uint8Array, page: TiffPage): Promise<void> {
  const { channels } = await sharp(bytes, tiffOptions(page)).stats();
  const mean = Math.max(...channels.map((channel) => channel.mean));
  if (mean <= floatMeanMax) return;
  throw new PackshotError(
    "image_unreadable",
    `The TIFF's floating-point samples are ${mean.toPrecision(3)} in the mean, and only 0 to 1 can be read: export it with 8 or 16 bits.`,
  );
}

/** Floating-point samples are linear light, unless a profile says otherwise. */
async function decodeFloatColors(bytes: Uint8Array, page: TiffPage, icc: Buffer | undefined): Promise<TiffPixels> {
  const opened = sharp(bytes, { ...tiffOptions(page), ignoreIcc: true }).autoOrient();
  if (icc === undefined) return await pixelsOf(opened.toColorspace("srgb"));
  // sharp applies a profile to 0…255 only, so the samples become 16 bits. On the way, libvips lays sRGB's curve on them.
  const { data, info } = await opened
    .toColorspace("rgb16")
    .raw({ depth: "ushort" })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const stored = new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2);
  const linear = Uint16Array.from({ length: 65_536 }, (_, i) => Math.round(65_535 * linearOfSrgb(i / 65_535)));
  const colors = new Uint16Array(width * height * 3);
  for (let from = 0, to = 0; to < colors.length; from += channels, to += 3) {
    for (let c = 0; c < 3; c++) colors[to + c] = linear[stored[from + c]!]!;
  }
  const tagged = tiffOf({ width, height, channels: 3, pixels: new Uint8Array(colors.buffer) }, icc, 16);
  // Without a profile of the output, sharp converts 16 bits to Display P3.
  const converted = await pixelsOf(sharp(tagged, { limitInputPixels: false }).withIccProfile("srgb"));
  if (channels === 3) return converted;
  const pixels = new Uint8Array(width * height * channels);
  for (let i = 0; i < width * height; i++) {
    pixels.set(converted.data.subarray(i * 3, i * 3 + 3), i * channels);
    for (let c = 3; c < channels; c++) pixels[i * channels + c] = stored[i * channels + c]! >> 8;
  }
  return { width, height, channels, data: pixels };
}

async function pixelsOf(pipeline: Sharp): Promise<TiffPixels> {
  const { data, info } = await pipeline.raw({ depth: "uchar" }).toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: info.channels, data: asUint8Array(data) };
}

/** libvips takes gray of 0…1 for gray of 0…255, which is black. */
async function decodeFloatGray(bytes: Uint8Array, page: TiffPage): Promise<TiffPixels> {
  const alphaAt = alphaOfTiff(page);
  const { plane, width, height } = await floatPlane(bytes, page, 0);
  const alpha = alphaAt === undefined ? undefined : (await floatPlane(bytes, page, 1 + alphaAt)).plane;
  const channels = 3 + page.extraSamples.length;
  const data = new Uint8Array(plane.length * channels);
  for (let i = 0, to = 0; i < plane.length; i++, to += channels) {
    const value = page.photometric === photometric.whiteIsZero ? 1 - plane[i]! : plane[i]!;
    data.fill(encodeSrgb(value), to, to + 3);
    if (alpha !== undefined) data[to + 3 + alphaAt!] = Math.round(255 * Math.min(1, Math.max(0, alpha[i]!)));
  }
  return { width, height, channels, data };
}

async function floatPlane(bytes: Uint8Array, page: TiffPage, channel: number) {
  const { data, info } = await sharp(bytes, { ...tiffOptions(page), ignoreIcc: true })
    .autoOrient()
    .extractChannel(channel as 0)
    .toColorspace("b-w")
    .raw({ depth: "float" })
    .toBuffer({ resolveWithObject: true });
  const plane = new Float32Array(data.buffer, data.byteOffset, data.byteLength / 4);
  return { plane, width: info.width, height: info.height };
}

const sampleKinds: Readonly<Record<number, string>> = {
  2: "signed ",
  3: "floating-point ",
  5: "complex ",
  6: "complex ",
};
const unreadablePhotometrics: Readonly<Record<number, string>> = {
  10: "ITU L*a*b* colors",
  32803: "a camera's raw data",
  34892: "a camera's raw data",
};

/** Why a page is not decoded, as a sentence for people; undefined: it is. libvips would make wrong colors of some of them. */
export function refusalOfTiff(page: TiffPage): string | undefined {
  const { bitsPerSample: bits, sampleFormat, extraSamples } = page;
  const unreadable = unreadablePhotometrics[page.photometric];
  if (unreadable !== undefined) return `The TIFF has ${unreadable}, which cannot be read: export it as RGB.`;
  const isInteger = sampleFormat === 1 || sampleFormat === 4;
  const isRead = isInteger ? bits <= 8 || bits === 16 : isFloat(page) && bits === 32 && !isOfOtherColors(page);
  if (!isRead) {
    const kind = sampleKinds[sampleFormat] ?? "";
    return `The TIFF has ${kind}samples of ${bits} bits, which cannot be read: export it with 8 or 16 bits.`;
  }
  const extraMax = page.photometric === photometric.cmyk ? 1 : 2;
  if (extraSamples.length <= extraMax) return undefined;
  const extra = `${extraSamples.length} channels beside the colors`;
  return `The TIFF has ${extra}, and no more than ${extraMax} can be read: save it without them.`;
}

function isOfOtherColors({ photometric: colors, samplesPerPixel, extraSamples }: TiffPage): boolean {
  if (colors === photometric.rgb) return samplesPerPixel < 3;
  return (colors !== photometric.blackIsZero && colors !== photometric.whiteIsZero) || extraSamples.length > 1;
}

const compressions: Readonly<Record<number, string>> = {
  6: "JPEG in the form of 1992",
  34661: "JBIG",
  34712: "JPEG 2000",
  34887: "LERC",
  34925: "LZMA",
  50000: "Zstandard",
  50001: "WebP",
  50002: "JPEG XL",
  52546: "JPEG XL",
};

/** Why libtiff may not have read a page, as a sentence for people. */
export function compressionProblem({ compression }: TiffPage): string | undefined {
  const name = compressions[compression];
  return name && `The TIFF is compressed as ${name}, which cannot be read: export it with LZW or without compression.`;
}
