/** Growing a mask by a square, four cells at a time: a 32-bit word holds the bytes of four neighbors. */

import type { Size } from "./geometry.ts";

/** Chebyshev dilation by `radius` cells. */
export function dilate(mask: Uint8Array, size: Size, radius: number): Uint8Array {
  return spreadValue(mask, size, radius, 1);
}

/** Chebyshev erosion by `radius` cells; outside the picture counts as more of the same. */
export function erode(mask: Uint8Array, size: Size, radius: number): Uint8Array {
  return spreadValue(mask, size, radius, 0);
}

/** 1 where the mask is 0. */
export function invertMask(mask: Uint8Array): Uint8Array {
  const out = new Uint8Array(mask.length);
  for (let i = 0; i < out.length; i++) out[i] = 1 - mask[i]!;
  return out;
}

/** Cells within `radius` (Chebyshev) of a cell of `value` get that value; masks are u8, 0 or 1. */
function spreadValue(mask: Uint8Array, size: Size, radius: number, value: 0 | 1): Uint8Array {
  const perRow = (size.width + 3) >> 2;
  const words = packRows(mask, size, perRow, value);
  const across = new Uint32Array(words.length);
  for (const step of stepSizes(radius)) {
    dilateRows(words, across, perRow, step);
    dilateColumns(across, words, perRow, step);
  }
  return unpackRows(words, size, perRow, value);
}

const ones = 0x01010101;

/** Rows begin at whole words; 1 where the cell has `value`, 0 behind a row's end. */
function packRows(mask: Uint8Array, { width, height }: Size, perRow: number, value: 0 | 1): Uint32Array {
  const words = new Uint32Array(perRow * height);
  const bytes = new Uint8Array(words.buffer);
  const stride = perRow * 4;
  if (stride === width) bytes.set(mask);
  else for (let y = 0; y < height; y++) bytes.set(mask.subarray(y * width, (y + 1) * width), y * stride);
  if (value === 1) return words;
  for (let i = 0; i < words.length; i++) words[i]! ^= ones;
  for (let y = 1; y <= height; y++) bytes.fill(0, y * stride - (stride - width), y * stride);
  return words;
}

function unpackRows(words: Uint32Array, { width, height }: Size, perRow: number, value: 0 | 1): Uint8Array {
  if (value === 0) for (let i = 0; i < words.length; i++) words[i]! ^= ones;
  const bytes = new Uint8Array(words.buffer);
  const stride = perRow * 4;
  if (stride === width) return bytes;
  const out = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) out.set(bytes.subarray(y * stride, y * stride + width), y * width);
  return out;
}

/** What has been grown by r, at a border to one side alone, leaves no gap when it is grown by up to r + 1 more. */
function stepSizes(radius: number): number[] {
  const steps: number[] = [];
  for (let reach = 0; reach < radius; ) {
    const step = Math.min(reach + 1, radius - reach);
    steps.push(step);
    reach += step;
  }
  return steps;
}

/** ORs each row with itself moved by `step` bytes to either side. Words are little-endian. */
function dilateRows(words: Uint32Array, out: Uint32Array, perRow: number, step: number): void {
  const grow = step < 4 ? dilateRowByBytes : dilateRowByWords;
  for (let row = 0; row < words.length; row += perRow) grow(words, out, row, row + perRow, step);
}

/** By 1 to 3 bytes: a word takes from its neighbors alone. */
function dilateRowByBytes(words: Uint32Array, out: Uint32Array, row: number, end: number, step: number): void {
  const bits = step * 8;
  const rest = 32 - bits;
  let before = 0;
  let word = words[row]!;
  for (let i = row; i < end; i++) {
    const next = i + 1 < end ? words[i + 1]! : 0;
    out[i] = word | (word >>> bits) | (next << rest) | (word << bits) | (before >>> rest);
    before = word;
    word = next;
  }
}

function dilateRowByWords(words: Uint32Array, out: Uint32Array, row: number, end: number, step: number): void {
  const whole = step >> 2;
  const bits = (step & 3) * 8;
  const rest = 32 - bits;
  const first = Math.min(end, row + whole + 1);
  const last = Math.max(first, end - whole - 1);
  for (let i = row; i < first; i++) out[i] = dilatedWord(words, i, row, end, whole, bits);
  for (let i = first; i < last; i++) {
    let w = words[i]! | (words[i + whole]! >>> bits) | (words[i - whole]! << bits);
    if (bits !== 0) w |= (words[i + whole + 1]! << rest) | (words[i - whole - 1]! >>> rest);
    out[i] = w;
  }
  for (let i = last; i < end; i++) out[i] = dilatedWord(words, i, row, end, whole, bits);
}

/** One word near a row's end, beyond which there is nothing. */
function dilatedWord(words: Uint32Array, i: number, row: number, end: number, whole: number, bits: number): number {
  let w = words[i]!;
  if (i + whole < end) w |= words[i + whole]! >>> bits;
  if (i - whole >= row) w |= words[i - whole]! << bits;
  if (bits === 0) return w;
  if (i + whole + 1 < end) w |= words[i + whole + 1]! << (32 - bits);
  if (i - whole - 1 >= row) w |= words[i - whole - 1]! >>> (32 - bits);
  return w;
}

function dilateColumns(words: Uint32Array, out: Uint32Array, perRow: number, step: number): void {
  const far = Math.min(words.length, step * perRow);
  const middle = Math.max(far, words.length - far);
  for (let i = 0; i < far; i++) out[i] = i + far < words.length ? words[i]! | words[i + far]! : words[i]!;
  for (let i = far; i < middle; i++) out[i] = words[i - far]! | words[i]! | words[i + far]!;
  for (let i = middle; i < words.length; i++) out[i] = words[i - far]! | words[i]!;
}
