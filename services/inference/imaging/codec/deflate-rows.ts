/**
 * Compresses a PNG's rows of four bytes a pixel on this thread, by kernels. zlib looks for matches at every byte and does not know
 * that most of a cut-out is 0; here a step is a pixel, and a row of zeros is left unfiltered, so that zeros run on over the rows.
 */

import { addressOf, inKernelMemory, kernelBytes, kernelIntegers, reserve } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import type { FillRow, PixelBuffer } from "../pixels/image.ts";
import { blockHeader, canonicalCodes, codeLengths, distanceSymbols, literalSymbols } from "./huffman.ts";

/** Part of a zlib stream: deflate blocks that end on a byte boundary, none of them the last block. */
export interface CompressedPart {
  readonly blocks: Buffer;
  readonly length: number;
  /** Adler-32 (RFC 1950) of the `length` bytes. */
  readonly adler: number;
}

interface PixelRows {
  readonly width: number;
  readonly height: number;
  readonly fillRow: FillRow;
}

/** @param rowsPerPart rows of one part; each is a block with codes of its own */
export function deflateRows({ width, height, fillRow }: PixelRows, rowsPerPart: number): CompressedPart[] {
  const rowBytes = 4 * width;
  const lineBytes = 1 + rowBytes;
  return inKernelMemory(() => {
    let row = kernelRow(rowBytes);
    let above = kernelRow(rowBytes);
    above.bytes.fill(0);
    const filtered = reserve(lineBytes * Math.min(height, rowsPerPart));
    const parts: CompressedPart[] = [];
    for (let top = 0; top < height; top += rowsPerPart) {
      const bottom = Math.min(height, top + rowsPerPart);
      [row, above] = filterRows(fillRow, row, above, top, bottom, filtered);
      const length = (bottom - top) * lineBytes;
      const blocks = inKernelMemory(() => compress(filtered, length, lineBytes));
      parts.push({ blocks, length, adler: kernels.adler32(filtered, length) >>> 0 });
    }
    return parts;
  });
}

/** Fills and filters the rows of a part. @returns the memory of two rows, the last one in the second */
function filterRows(
  fillRow: FillRow,
  first: PixelBuffer,
  before: PixelBuffer,
  top: number,
  bottom: number,
  filtered: number,
): [PixelBuffer, PixelBuffer] {
  const rowBytes = first.bytes.length;
  let row = first;
  let above = before;
  for (let y = top; y < bottom; y++) {
    fillRow(y, row);
    kernels.filterRow(row.bytes.byteOffset, above.bytes.byteOffset, rowBytes, filtered + (y - top) * (1 + rowBytes));
    [above, row] = [row, above];
  }
  return [row, above];
}

function kernelRow(bytes: number): PixelBuffer {
  const row = kernelBytes(bytes);
  return { bytes: row, words: new Uint32Array(row.buffer, row.byteOffset, bytes / 4) };
}

const hashEntries = 1 << 13;
/** As the kernel counts: four tables, in which distances begin at 288. */
const tables = 4;
const symbolsOfTable = 320;
const distancesFrom = 288;

function compress(filtered: number, length: number, lineBytes: number): Buffer {
  // A match has four bytes at least, and each token two words.
  const tokens = reserve(8 * (Math.ceil(length / 4) + 1));
  const counted = kernelIntegers(tables * symbolsOfTable);
  const count = kernels.findMatches(filtered, length, lineBytes, reserve(4 * hashEntries), tokens, counted.byteOffset);
  const counts = new Uint32Array(symbolsOfTable);
  for (let at = 0; at < counted.length; at++) counts[at % symbolsOfTable]! += counted[at]!;
  const literals = codeLengths(counts.subarray(0, literalSymbols));
  const distances = codeLengths(counts.subarray(distancesFrom, distancesFrom + distanceSymbols));
  // A block without matches still has one code of distances.
  if (distances.every((bits) => bits === 0)) distances[0] = 1;
  const codes = new Uint32Array(symbolsOfTable);
  codes.set(canonicalCodes(literals));
  codes.set(canonicalCodes(distances), distancesFrom);
  const header = Int32Array.from(blockHeader(literals, distances).flat());
  // No code is longer than 14 bits.
  const out = kernelBytes(2 * length + 1024);
  const headerBits = kernels.writeBits(addressOf(header), header.length / 2, out.byteOffset);
  const codesAt = addressOf(new Int32Array(codes.buffer));
  const written = kernels.writeTokens(filtered, tokens, count, codesAt, headerBits, out.byteOffset);
  return Buffer.from(out.subarray(0, written));
}
