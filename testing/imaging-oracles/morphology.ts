/** Dilation and erosion of masks (u8, 0 or 1) by a square. Four cells are computed at once, in a 32-bit word. */

import type { Size } from "../../services/inference/imaging/pixels/geometry.ts";

/** Dilation by a square of side 2 `radius` + 1. */
export function dilate(mask: Uint8Array, size: Size, radius: number): Uint8Array {
  return spreadValue(mask, size, radius, 1);
}

/** Erosion by a square of side 2 `radius` + 1; cells outside the image erode nothing. */
export function erode(mask: Uint8Array, size: Size, radius: number): Uint8Array {
  return spreadValue(mask, size, radius, 0);
}

/** 1 where the mask is 0. */
export function invertMask(mask: Uint8Array): Uint8Array {
  const out = new Uint8Array(mask.length);
  for (let i = 0; i < out.length; i++) out[i] = 1 - mask[i]!;
  return out;
}

/** Cells whose square holds a cell of `value` get that value. */
function spreadValue(mask: Uint8Array, size: Size, radius: number, value: 0 | 1): Uint8Array {
  const rowWords = (size.width + 3) >> 2;
  const words = packRows(mask, size, rowWords, value);
  const widened = new Uint32Array(words.length);
  for (const step of stepSizes(radius)) {
    dilateRows(words, widened, rowWords, step);
    dilateColumns(widened, words, rowWords, step);
  }
  return unpackRows(words, size, rowWords, value);
}

const ones = 0x01010101;

/** Rows begin at whole words. A byte is 1 where the cell has `value`, and 0 after a row's end. */
function packRows(mask: Uint8Array, { width, height }: Size, rowWords: number, value: 0 | 1): Uint32Array {
  const words = new Uint32Array(rowWords * height);
  const bytes = new Uint8Array(words.buffer);
  const stride = rowWords * 4;
  if (stride === width) bytes.set(mask);
  else for (let y = 0; y < height; y++) bytes.set(mask.subarray(y * width, (y + 1) * width), y * stride);
  if (value === 1) return words;
  for (let i = 0; i < words.length; i++) words[i]! ^= ones;
  for (let y = 1; y <= height; y++) bytes.fill(0, y * stride - (stride - width), y * stride);
  return words;
}

function unpackRows(words: Uint32Array, { width, height }: Size, rowWords: number, value: 0 | 1): Uint8Array {
  if (value === 0) for (let i = 0; i < words.length; i++) words[i]! ^= ones;
  const bytes = new Uint8Array(words.buffer);
  const stride = rowWords * 4;
  if (stride === width) return bytes;
  const out = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) out.set(bytes.subarray(y * stride, y * stride + width), y * width);
  return out;
}

/**
 * Each step ORs the mask with copies moved to both sides. No gap remains while a step is at most r + 1, where r is the
 * radius reached so far (at a border, to one side only).
 */
function stepSizes(radius: number): number[] {
  const steps: number[] = [];
  for (let reach = 0; reach < radius; ) {
    const step = Math.min(reach + 1, radius - reach);
    steps.push(step);
    reach += step;
  }
  return steps;
}

/** ORs each row with itself, moved by `step` bytes to either side. Words are little-endian. */
function dilateRows(words: Uint32Array, out: Uint32Array, rowWords: number, step: number): void {
  const dilateRow = step < 4 ? dilateRowByBytes : dilateRowByWords;
  for (let row = 0; row < words.length; row += rowWords) dilateRow(words, out, row, row + rowWords, step);
}

/** Moves by 1 to 3 bytes, so that a word takes bytes from its neighbors only. */
function dilateRowByBytes(words: Uint32Array, out: Uint32Array, row: number, end: number, step: number): void {
  const bits = step * 8;
  const otherBits = 32 - bits;
  let previous = 0;
  let word = words[row]!;
  for (let i = row; i < end; i++) {
    const next = i + 1 < end ? words[i + 1]! : 0;
    out[i] = word | (word >>> bits) | (next << otherBits) | (word << bits) | (previous >>> otherBits);
    previous = word;
    word = next;
  }
}

function dilateRowByWords(words: Uint32Array, out: Uint32Array, row: number, end: number, step: number): void {
  const wordStep = step >> 2;
  const bits = (step & 3) * 8;
  const otherBits = 32 - bits;
  const first = Math.min(end, row + wordStep + 1);
  const last = Math.max(first, end - wordStep - 1);
  for (let i = row; i < first; i++) out[i] = dilatedWord(words, i, row, end, wordStep, bits);
  for (let i = first; i < last; i++) {
    let word = words[i]! | (words[i + wordStep]! >>> bits) | (words[i - wordStep]! << bits);
    if (bits !== 0) word |= (words[i + wordStep + 1]! << otherBits) | (words[i - wordStep - 1]! >>> otherBits);
    out[i] = word;
  }
  for (let i = last; i < end; i++) out[i] = dilatedWord(words, i, row, end, wordStep, bits);
}

/** One word near a row's end, after which all cells are 0. */
function dilatedWord(words: Uint32Array, i: number, row: number, end: number, wordStep: number, bits: number): number {
  let word = words[i]!;
  if (i + wordStep < end) word |= words[i + wordStep]! >>> bits;
  if (i - wordStep >= row) word |= words[i - wordStep]! << bits;
  if (bits === 0) return word;
  if (i + wordStep + 1 < end) word |= words[i + wordStep + 1]! << (32 - bits);
  if (i - wordStep - 1 >= row) word |= words[i - wordStep - 1]! >>> (32 - bits);
  return word;
}

function dilateColumns(words: Uint32Array, out: Uint32Array, rowWords: number, step: number): void {
  const distance = Math.min(words.length, step * rowWords);
  const lastRows = Math.max(distance, words.length - distance);
  for (let i = 0; i < distance; i++)
    out[i] = i + distance < words.length ? words[i]! | words[i + distance]! : words[i]!;
  for (let i = distance; i < lastRows; i++) out[i] = words[i - distance]! | words[i]! | words[i + distance]!;
  for (let i = lastRows; i < words.length; i++) out[i] = words[i - distance]! | words[i]!;
}
