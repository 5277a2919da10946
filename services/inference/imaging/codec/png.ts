/**
 * Encodes PNG (W3C Recommendation, third edition) with the Up filter. Rows of RGBA are compressed by kernels on this thread
 * (`deflateRows`), which takes half of zlib's processor time for 0.3 to 2.5 % more bytes of a cut-out; others by zlib at level 1, whose
 * threads compress parts of the image while this thread makes the rows of the next part. The parts are joined to one zlib stream.
 * sharp encodes the other formats and decodes all of them.
 *
 * Encoding is the most expensive stage after the network, and sharp (libvips, zlib-ng) offers no filter, or all five chosen
 * per row; the choice costs three times what it saves. The Up filter alone is computed four bytes at a time, and leaves zlib
 * little to find in a cut-out, which is mostly transparent or smooth. RGBA of 12 MP, in ms of processor time and MB:
 *
 *   sharp, level 4, no filter   165   5.09
 *   sharp, level 1, filters     400   5.13
 *   sharp, level 2, filters     422   3.35
 *   Up filter, level 1          192   3.63   (over two threads)
 *   Up filter, `deflateRows`    118   3.67   (in proportion to zlib's time on another machine)
 *
 * The RGBA of a cut-out, 48 MB at 12 MP, need not exist, because rows are made from RGB and alpha while they are compressed.
 */

import { buffer } from "node:stream/consumers";
import { constants, crc32, createDeflate, deflateSync } from "node:zlib";
import type { Size } from "../pixels/geometry.ts";
import { allocatePixels, type FilledWords, type FillRow } from "../pixels/image.ts";
import { type CompressedPart, deflateRows } from "./deflate-rows.ts";

export interface PngRows extends Size {
  /** 1: gray; 3: RGB; 4: RGB with straight alpha. 8 bits per channel. */
  readonly channels: 1 | 3 | 4;
  readonly icc?: Uint8Array;
  readonly xmp?: string;
  /** Pixels per inch. */
  readonly dpi?: number;
  /** Called once per row, from the top. */
  readonly fillRow: FillRow;
}

/** Enough that zlib has work while this thread completes the job's report. The parts' buffers are reused. */
const partsInFlightMax = 6;
/** Levels 2 and 3 save 3 and 8 % of the bytes, but take about 20 and 80 % more time. */
const compressionLevel = 1;

const colorType = { 1: 0, 3: 2, 4: 6 } as const;
const upFilter = 2;

/** @param partBytes about the number of bytes that are compressed as one part */
export async function encodePng(rows: PngRows, partBytes = 1 << 20): Promise<Buffer> {
  const parts = await compressRows(rows, partBytes);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(parts.reduce(combineAdler, adlerOfEmpty).adler);
  const { icc, xmp, dpi } = rows;
  return Buffer.concat([
    signature,
    ...chunk("IHDR", header(rows)),
    ...(icc === undefined ? [] : chunk("iCCP", Buffer.concat([profileName, deflateSync(icc)]))),
    ...(dpi === undefined ? [] : chunk("pHYs", physicalSize(dpi))),
    ...(xmp === undefined ? [] : chunk("iTXt", Buffer.concat([xmpHeader, Buffer.from(xmp)]))),
    // One zlib stream, in one IDAT chunk per part.
    ...[zlibHeader, ...parts.map(({ blocks }) => blocks), emptyLastBlock, checksum].flatMap((part) =>
      chunk("IDAT", part),
    ),
    ...chunk("IEND", Buffer.alloc(0)),
  ]);
}

async function compressRows(rows: PngRows, partBytes: number): Promise<CompressedPart[]> {
  const lineBytes = 1 + rows.width * rows.channels;
  const rowsPerPart = Math.min(rows.height, Math.max(1, Math.floor(partBytes / lineBytes)));
  if (rows.channels === 4 && lineBytes <= partBytes) return deflateRows(rows, rowsPerPart);
  const parts: Promise<CompressedPart>[] = [];
  const buffers: Uint8Array[] = [];
  const filter = createUpFilter(rows);
  try {
    for (let top = 0; top < rows.height; top += rowsPerPart) {
      if (parts.length >= partsInFlightMax) await parts[parts.length - partsInFlightMax];
      const slot = parts.length % partsInFlightMax;
      buffers[slot] ??= new Uint8Array(rowsPerPart * lineBytes);
      const target = buffers[slot];
      const bottom = Math.min(rows.height, top + rowsPerPart);
      for (let y = top; y < bottom; y++) filter(y, target, (y - top) * lineBytes);
      const part = compressPart(target.subarray(0, (bottom - top) * lineBytes));
      // A failure is thrown below, after the parts before it were awaited.
      part.catch(() => undefined);
      parts.push(part);
    }
  } finally {
    // No part still compresses when an error is thrown.
    await Promise.allSettled(parts);
  }
  return await Promise.all(parts);
}

/** Writes row `y` as its filter type and its difference to row `y` − 1, which must have been written before. */
function createUpFilter({ width, channels, fillRow }: PngRows) {
  const rowBytes = width * channels;
  let above = allocatePixels(rowBytes);
  let row = allocatePixels(rowBytes);
  let filledAbove: FilledWords = { first: row.words.length, last: 0 };
  const difference = allocatePixels(rowBytes);
  return (y: number, to: Uint8Array, at: number) => {
    const filled = fillRow(y, row);
    const first = Math.min(filled.first, filledAbove.first);
    const last = Math.max(filled.last, filledAbove.last);
    subtract(row.words, above.words, difference.words, first, last);
    to[at] = upFilter;
    // Much of a cut-out is transparent in both rows, and the difference is 0.
    to.fill(0, at + 1, at + 1 + 4 * first);
    to.set(difference.bytes.subarray(4 * first, 4 * last), at + 1 + 4 * first);
    to.fill(0, at + 1 + 4 * last, at + 1 + rowBytes);
    filledAbove = filled;
    [above, row] = [row, above];
  };
}

const topBits = 0x80808080 | 0;

/**
 * Subtracts b from a, each byte by itself, in the words from `first` to before `last`. The bytes' top bits are left
 * out, so that no borrow crosses a byte, and are put in afterward.
 */
function subtract(a: Uint32Array, b: Uint32Array, out: Uint32Array, first: number, last: number): void {
  for (let i = first; i < last; i++) {
    const minuend = a[i]! | 0;
    const subtrahend = b[i]! | 0;
    out[i] = ((minuend | topBits) - (subtrahend & ~topBits)) ^ ((minuend ^ ~subtrahend) & topBits);
  }
}

const zlibHeader = Buffer.from([0x78, 0x01]);
/** An empty block with fixed Huffman codes, marked as the last block. */
const emptyLastBlock = Buffer.from([0x03, 0x00]);

/** Compresses to a zlib stream and cuts out its blocks, which a sync flush has ended on a byte boundary. */
async function compressPart(data: Uint8Array): Promise<CompressedPart> {
  const deflate = createDeflate({ level: compressionLevel, chunkSize: Math.max(4096, data.length >> 3) });
  const stream = buffer(deflate);
  deflate.write(data);
  // If the stream ended at once, the flush would not end a block of its own.
  deflate.flush(constants.Z_SYNC_FLUSH, () => deflate.end());
  const bytes = await stream;
  const end = bytes.length - emptyLastBlock.length - 4;
  if (!bytes.subarray(end, -4).equals(emptyLastBlock)) throw new Error("zlib ended a flushed stream in an unknown way");
  return {
    blocks: bytes.subarray(zlibHeader.length, end),
    length: data.length,
    adler: bytes.readUInt32BE(bytes.length - 4),
  };
}

const adlerModulus = 65_521;
const adlerOfEmpty = { length: 0, adler: 1 };

/** The Adler-32 of two pieces of data in a row, from the checksum of each. */
function combineAdler(
  first: Omit<CompressedPart, "blocks">,
  second: Omit<CompressedPart, "blocks">,
): Omit<CompressedPart, "blocks"> {
  const a1 = first.adler & 0xffff;
  const b1 = first.adler >>> 16;
  const a2 = second.adler & 0xffff;
  const b2 = second.adler >>> 16;
  const a = (a1 + a2 + adlerModulus - 1) % adlerModulus;
  // The sums of `second` began at 1, not at a1. Products stay far below 2^53.
  const b = (b1 + b2 + (second.length % adlerModulus) * (a1 + adlerModulus - 1)) % adlerModulus;
  return { length: first.length + second.length, adler: b * 65_536 + a };
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The iCCP chunk's profile name, its terminator, and compression method 0. */
const profileName = Buffer.from("ICC profile\0\0", "latin1");

/** XMP part 3: its keyword, no compression, no language, no translated keyword. */
const xmpHeader = Buffer.from("XML:com.adobe.xmp\0\0\0\0\0", "latin1");
const inchesPerMeter = 1 / 0.0254;
const unitMeter = 1;

function physicalSize(dpi: number): Buffer {
  const data = Buffer.alloc(9);
  const pixelsPerMeter = Math.round(dpi * inchesPerMeter);
  data.writeUInt32BE(pixelsPerMeter, 0);
  data.writeUInt32BE(pixelsPerMeter, 4);
  data[8] = unitMeter;
  return data;
}

function header({ width, height, channels }: PngRows): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data[8] = 8;
  data[9] = colorType[channels];
  return data;
}

function chunk(type: string, data: Buffer): Buffer[] {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length, 0);
  head.write(type, 4, "latin1");
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(data, crc32(head.subarray(4))), 0);
  return [head, data, sum];
}
