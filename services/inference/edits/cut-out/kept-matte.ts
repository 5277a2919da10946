/**
 * A kept matte: what the stages from prepare to foreground made of a photo, as a file from which a later edit of the same
 * photo takes the same cut-out (docs/adr/0045-kept-mattes.md). It holds no pixel that the photo shows as it is: of the colors
 * only those of soft pixels, which foreground estimation has changed. A cut-out of 1 MP takes about 100 KB.
 *
 * The file: `magic`, the length of the header (u32, little-endian), the header as JSON, then the parts whose lengths it names.
 */

import type { Candidate } from "../../imaging/matting/parts/choose-product.ts";
import type { RegionView } from "../../imaging/matting/photo-region.ts";
import type { MatteReport } from "../../imaging/matting/report/matte-report.ts";
import { endOfOpaqueRun, nextSoftPixel, nextVisiblePixel, viewAsWords } from "../../imaging/pixels/alpha-scan.ts";
import type { Size } from "../../imaging/pixels/geometry.ts";

/** What is known of a matte beside its pixels. */
interface MatteFacts extends Size {
  /** `model@version` that made it. */
  readonly model: string;
  readonly matteReport: MatteReport;
  readonly candidates?: readonly Candidate[];
  /** Whether the photo's backdrop is plain, so that the product's shadow can be told from it. */
  readonly isPlain: boolean;
  /** The part of the photo that was cut out, where a region or a point was given. */
  readonly view?: Pick<RegionView, "crop" | "region">;
}

export interface KeptMatte extends MatteFacts {
  /** u8, of the size: of the photo, or of the crop of `view`. */
  readonly alpha: Uint8Array;
  /** Interleaved u8 RGB of the pixels whose alpha is neither 0 nor 255, in their order; empty where the photo's own stay. */
  readonly softColors: Uint8Array;
  /** The matte before what lies beyond the region or the point was removed; absent where nothing was. */
  readonly all?: Uint8Array;
}

const magic = Buffer.from("PSMATTE1", "latin1");
/** A larger one is not kept: it is nearly all soft, and takes as long to read as to make. */
export const keptMatteBytesMax = 8 << 20;

interface Header extends MatteFacts {
  /** Bytes of the parts, in their order in the file. */
  readonly parts: { readonly alpha: PlaneBytes; readonly softColors: number; readonly all?: PlaneBytes };
}

/** Bytes of a plane's runs and of its soft values. */
type PlaneBytes = readonly [runs: number, soft: number];

/** @returns undefined where it would be larger than `keptMatteBytesMax` */
export function packMatte({ alpha, softColors, all, ...facts }: KeptMatte): Buffer | undefined {
  const packedAlpha = packPlane(alpha);
  const packedAll = all && packPlane(all);
  const parts = {
    alpha: bytesOf(packedAlpha),
    softColors: softColors.length,
    all: packedAll && bytesOf(packedAll),
  };
  const header = Buffer.from(JSON.stringify({ ...facts, parts } satisfies Header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  const planes = [packedAlpha, ...(packedAll === undefined ? [] : [packedAll])];
  const file = [magic, length, header, softColors, ...planes.flatMap(({ runs, soft }) => [runs, soft])];
  const bytes = file.reduce((sum, part) => sum + part.length, 0);
  return bytes > keptMatteBytesMax ? undefined : Buffer.concat(file, bytes);
}

/** @returns undefined for what `packMatte` did not write */
export function unpackMatte(file: Uint8Array): KeptMatte | undefined {
  const bytes = Buffer.from(file.buffer as ArrayBuffer, file.byteOffset, file.byteLength);
  if (bytes.length < magic.length + 4 || !bytes.subarray(0, magic.length).equals(magic)) return undefined;
  let at = magic.length + 4;
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  try {
    const { parts, ...facts } = JSON.parse(take(bytes.readUInt32LE(magic.length)).toString()) as Header;
    const softColors = take(parts.softColors);
    const takePlane = ([runs, soft]: PlaneBytes) =>
      unpackPlane({ runs: take(runs), soft: take(soft) }, facts.width * facts.height);
    const alpha = takePlane(parts.alpha);
    const all = parts.all && takePlane(parts.all);
    const isWhole = softColors.length === 0 || softColors.length === 3 * parts.alpha[1];
    if (at !== bytes.length || !isWhole) return undefined;
    return { ...facts, alpha, softColors, all };
  } catch {
    return undefined;
  }
}

/** The runs of a plane: how many pixels are 0, then 255, then neither, again and again, as LEB128; and the values of the last. */
interface PackedPlane {
  readonly runs: Uint8Array;
  readonly soft: Uint8Array;
}

const bytesOf = ({ runs, soft }: PackedPlane): PlaneBytes => [runs.length, soft.length];

function packPlane(plane: Uint8Array): PackedPlane {
  const matte = viewAsWords(plane);
  const runs: number[] = [];
  const soft: Uint8Array[] = [];
  let softCount = 0;
  for (let at = 0; at < plane.length; ) {
    const visible = nextVisiblePixel(matte, at, plane.length);
    const opaqueEnd = visible < plane.length ? endOfOpaqueRun(matte, visible) : visible;
    let end = opaqueEnd;
    while (end < plane.length && plane[end] !== 0 && plane[end] !== 255) end++;
    runs.push(visible - at, opaqueEnd - visible, end - opaqueEnd);
    soft.push(plane.subarray(opaqueEnd, end));
    softCount += end - opaqueEnd;
    at = end;
  }
  return { runs: leb128(runs), soft: Buffer.concat(soft, softCount) };
}

/** @throws RangeError where the runs do not fill the plane */
function unpackPlane({ runs, soft }: PackedPlane, length: number): Uint8Array {
  const plane = new Uint8Array(length);
  let at = 0;
  let softAt = 0;
  for (let read = 0, kind = 0; read < runs.length; kind = (kind + 1) % 3) {
    let count = 0;
    for (let scale = 1, byte = 128; byte >= 128; scale *= 128) {
      byte = runs[read++] ?? 0;
      count += (byte & 127) * scale;
    }
    if (at + count > length) throw new RangeError("the runs are longer than their plane");
    if (kind === 1) plane.fill(255, at, at + count);
    if (kind === 2) {
      plane.set(soft.subarray(softAt, softAt + count), at);
      softAt += count;
    }
    at += count;
  }
  if (at !== length || softAt !== soft.length) throw new RangeError("the runs do not fill their plane");
  return plane;
}

/** Unsigned numbers of any length, seven bits to a byte, the lowest first. */
function leb128(numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(5 * numbers.length);
  let at = 0;
  for (let number of numbers) {
    for (; number >= 128; number = Math.floor(number / 128)) bytes[at++] = (number % 128) | 128;
    bytes[at++] = number;
  }
  return bytes.subarray(0, at);
}

/** Whether a plane has so many soft pixels and runs that its file would be too large; listing them would take a heap. */
export function isTooFine(alpha: Uint8Array): boolean {
  const matte = viewAsWords(alpha);
  let bytes = 0;
  for (let at = nextSoftPixel(matte, 0); at < alpha.length; at = nextSoftPixel(matte, at)) {
    // A run has three lengths, and each soft pixel a byte.
    bytes += 3;
    for (; at < alpha.length && alpha[at] !== 0 && alpha[at] !== 255; at++) bytes++;
    if (bytes > keptMatteBytesMax) return true;
  }
  return false;
}

/** The colors of a cut-out's soft pixels. */
export function softColorsOf(rgb: Uint8Array, alpha: Uint8Array): Uint8Array {
  const colors: Uint8Array[] = [];
  forEachSoftRun(alpha, (from, end) => colors.push(rgb.subarray(3 * from, 3 * end)));
  return Buffer.concat(colors);
}

/** Gives them to a copy of the photo. */
export function setSoftColors(rgb: Uint8Array, alpha: Uint8Array, colors: Uint8Array): void {
  let at = 0;
  forEachSoftRun(alpha, (from, end) => {
    rgb.set(colors.subarray(at, at + 3 * (end - from)), 3 * from);
    at += 3 * (end - from);
  });
}

function forEachSoftRun(alpha: Uint8Array, visit: (from: number, end: number) => void): void {
  const matte = viewAsWords(alpha);
  for (let from = nextSoftPixel(matte, 0); from < alpha.length; ) {
    let end = from;
    while (end < alpha.length && alpha[end] !== 0 && alpha[end] !== 255) end++;
    visit(from, end);
    from = nextSoftPixel(matte, end);
  }
}
