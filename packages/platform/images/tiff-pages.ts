/**
 * Reads what a TIFF's directories say of its pages: libvips says neither which page is the thumbnail nor what an extra sample
 * means. TIFF 6.0 (https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf), and BigTIFF with offsets of 64 bits. No
 * pixel is read.
 */

import { open } from "node:fs/promises";

/** Values of `ExtraSamples`. Only the two kinds of alpha are transparency: a saved selection or a spot color is 0. */
export const extraSample = { unspecified: 0, associatedAlpha: 1, unassociatedAlpha: 2 } as const;

export const photometric = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, palette: 3, cmyk: 5, yCbCr: 6, lab: 8, iccLab: 9 };

export interface TiffPage {
  /** From 0, in the order of the file. */
  readonly index: number;
  readonly width: number;
  readonly height: number;
  /** 1 to 8, as in EXIF: from 5 on, width and height are shown in the other order. */
  readonly orientation: number;
  readonly bitsPerSample: number;
  /** 1 unsigned, 2 signed, 3 floating point, 4 undefined, 5 and 6 complex. */
  readonly sampleFormat: number;
  readonly compression: number;
  readonly photometric: number;
  /** Where in the file the photometric interpretation is written. */
  readonly photometricAt: number;
  readonly samplesPerPixel: number;
  /** One for each sample beyond the color's; those of which the file says nothing are unspecified. */
  readonly extraSamples: readonly number[];
  /** A transparency mask of another page. */
  readonly isMask: boolean;
  readonly littleEndian: boolean;
}

/** Later pages are not looked at. */
const pagesMax = 256;
/** Per page; files with more are left to libtiff. */
const entriesMax = 4_096;
/** Per tag: no photo has more samples per pixel. */
const valuesMax = 32;

const tag = {
  subfileType: 254,
  width: 256,
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  orientation: 274,
  samplesPerPixel: 277,
  extraSamples: 338,
  sampleFormat: 339,
};

/** Bytes of BYTE, SHORT, LONG and LONG8; of other types no value is read. */
const bytesOfType: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 16: 8 };

type ReadAt = (offset: number, bytes: number) => Promise<Buffer>;

/** Thrown where the file ends too early or a count is beyond its limit. */
class TiffStructureError extends Error {}

/**
 * The page that shows the photo: the largest one, of equal ones the first, because cameras and editors put thumbnails before
 * it and reduced copies or masks behind it.
 */
export function largestTiffPage(pages: readonly TiffPage[]): TiffPage | undefined {
  const images = pages.filter(({ isMask }) => !isMask);
  const area = ({ width, height }: TiffPage) => width * height;
  return (images.length > 0 ? images : pages).reduce<TiffPage | undefined>(
    (largest, page) => (largest === undefined || area(page) > area(largest) ? page : largest),
    undefined,
  );
}

/**
 * @param source a TIFF's bytes, or its path
 * @returns the pages up to the first whose directory cannot be read; without any, libtiff says why, or reads them after all
 */
export async function readTiffPages(source: Uint8Array | string): Promise<readonly TiffPage[]> {
  if (typeof source !== "string") {
    const { buffer, byteOffset, byteLength } = source;
    const bytes = Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
    return await readPages(async (offset, count) => bytes.subarray(offset, offset + count));
  }
  const file = await open(source, "r");
  try {
    return await readPages(async (offset, count) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, offset);
      return buffer.subarray(0, bytesRead);
    });
  } finally {
    await file.close();
  }
}

async function readPages(readAt: ReadAt): Promise<readonly TiffPage[]> {
  const pages: TiffPage[] = [];
  try {
    const layout = await readLayout(readAt);
    const seen = new Set<number>();
    // A directory that names an earlier one as the next would never end.
    for (let at = layout.firstAt; at !== 0 && !seen.has(at) && pages.length < pagesMax; ) {
      seen.add(at);
      const { page, nextAt } = await readDirectory(layout, at, pages.length);
      pages.push(page);
      at = nextAt;
    }
  } catch (error) {
    if (!(error instanceof TiffStructureError)) throw error;
  }
  return pages;
}

interface Layout {
  readonly littleEndian: boolean;
  readonly isBig: boolean;
  readonly firstAt: number;
  /** Exactly as many bytes as asked for. */
  readonly read: (offset: number, bytes: number) => Promise<DataView>;
}

async function readLayout(readAt: ReadAt): Promise<Layout> {
  const read = async (offset: number, count: number) => {
    // Beyond this, offsets are no longer exact; no file is as large.
    const bytes = offset > Number.MAX_SAFE_INTEGER ? Buffer.alloc(0) : await readAt(offset, count);
    if (bytes.length < count) throw new TiffStructureError(`the TIFF ends before ${offset + count}`);
    return new DataView(bytes.buffer, bytes.byteOffset, count);
  };
  const head = await read(0, 8);
  const littleEndian = head.getUint8(0) === 0x49;
  const isBig = head.getUint16(2, littleEndian) === 43;
  const firstAt = isBig ? Number((await read(8, 8)).getBigUint64(0, littleEndian)) : head.getUint32(4, littleEndian);
  return { littleEndian, isBig, firstAt, read };
}

async function readDirectory(layout: Layout, at: number, index: number): Promise<{ page: TiffPage; nextAt: number }> {
  const { littleEndian, isBig, read } = layout;
  const [countBytes, entryBytes, offsetBytes] = isBig ? [8, 20, 8] : [2, 12, 4];
  const head = await read(at, countBytes);
  const count = isBig ? Number(head.getBigUint64(0, littleEndian)) : head.getUint16(0, littleEndian);
  if (count > entriesMax) throw new TiffStructureError(`${count} entries`);
  const entries = await read(at + countBytes, count * entryBytes + offsetBytes);
  const values = new Map<number, readonly number[]>();
  let photometricAt = 0;
  for (let i = 0; i < count; i++) {
    const entryAt = i * entryBytes;
    const name = entries.getUint16(entryAt, littleEndian);
    // As in libtiff, the first of two entries of one name counts.
    if (!readTags.has(name) || values.has(name)) continue;
    if (name === tag.photometric) photometricAt = at + countBytes + entryAt + (isBig ? 12 : 8);
    values.set(name, await readValues(layout, entries, entryAt));
  }
  const nextAt = isBig
    ? Number(entries.getBigUint64(count * entryBytes, littleEndian))
    : entries.getUint32(count * entryBytes, littleEndian);
  return { page: { ...pageOf(values), index, photometricAt, littleEndian }, nextAt };
}

const readTags = new Set<number>(Object.values(tag));

async function readValues({ littleEndian, isBig, read }: Layout, entries: DataView, at: number): Promise<number[]> {
  const size = bytesOfType[entries.getUint16(at + 2, littleEndian)];
  if (size === undefined) return [];
  const count = isBig ? Number(entries.getBigUint64(at + 4, littleEndian)) : entries.getUint32(at + 4, littleEndian);
  if (count > valuesMax) throw new TiffStructureError(`${count} values`);
  const [valueAt, inlineBytes] = isBig ? [at + 12, 8] : [at + 8, 4];
  const isInline = count * size <= inlineBytes;
  const offset = isBig ? Number(entries.getBigUint64(valueAt, littleEndian)) : entries.getUint32(valueAt, littleEndian);
  const [view, from] = isInline ? [entries, valueAt] : [await read(offset, count * size), 0];
  return Array.from({ length: count }, (_, i) => readNumber(view, from + i * size, size, littleEndian));
}

function readNumber(view: DataView, at: number, size: number, littleEndian: boolean): number {
  if (size === 1) return view.getUint8(at);
  if (size === 2) return view.getUint16(at, littleEndian);
  if (size === 4) return view.getUint32(at, littleEndian);
  return Number(view.getBigUint64(at, littleEndian));
}

type FieldsOfTags = Omit<TiffPage, "index" | "photometricAt" | "littleEndian">;

function pageOf(values: ReadonlyMap<number, readonly number[]>): FieldsOfTags {
  const first = (name: number, otherwise: number) => values.get(name)?.[0] ?? otherwise;
  const interpretation = first(tag.photometric, -1);
  const samplesPerPixel = first(tag.samplesPerPixel, 1);
  const named = values.get(tag.extraSamples) ?? [];
  const extraCount = Math.max(
    0,
    Math.min(valuesMax, samplesPerPixel) - (colorSamples[interpretation] ?? samplesPerPixel),
  );
  return {
    width: first(tag.width, 0),
    height: first(tag.height, 0),
    orientation: first(tag.orientation, 1),
    bitsPerSample: first(tag.bitsPerSample, 1),
    sampleFormat: first(tag.sampleFormat, 1),
    compression: first(tag.compression, 1),
    photometric: interpretation,
    samplesPerPixel,
    extraSamples: Array.from({ length: extraCount }, (_, i) => named[i] ?? extraSample.unspecified),
    isMask: (first(tag.subfileType, 0) & 4) !== 0,
  };
}

const colorSamples: Readonly<Record<number, number>> = {
  [photometric.whiteIsZero]: 1,
  [photometric.blackIsZero]: 1,
  [photometric.rgb]: 3,
  [photometric.palette]: 1,
  [photometric.cmyk]: 4,
  [photometric.yCbCr]: 3,
  [photometric.lab]: 3,
  [photometric.iccLab]: 3,
};
