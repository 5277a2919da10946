/** Growing a mask by a square, four cells at a time: a 32-bit word holds the bytes of four neighbours. */

import type { Size } from "./resize.ts";

/** Cells within `radius` (Chebyshev) of a cell of `value` get that value; masks are u8, 0 or 1. */
export function growMask(mask: Uint8Array, size: Size, radius: number, value: 0 | 1): Uint8Array {
  const perRow = (size.width + 3) >> 2;
  let words = packed(mask, size, perRow, value);
  for (const step of stepsTo(radius)) words = grownDown(grownAcross(words, perRow, step), perRow, step);
  return unpacked(words, size, perRow, value);
}

const ones = 0x01010101;

/** Rows begin at whole words; 1 where the cell has `value`, 0 behind a row's end. */
function packed(mask: Uint8Array, { width, height }: Size, perRow: number, value: 0 | 1): Uint32Array {
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

function unpacked(words: Uint32Array, { width, height }: Size, perRow: number, value: 0 | 1): Uint8Array {
  if (value === 0) for (let i = 0; i < words.length; i++) words[i]! ^= ones;
  const bytes = new Uint8Array(words.buffer);
  const stride = perRow * 4;
  if (stride === width) return bytes;
  const out = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) out.set(bytes.subarray(y * stride, y * stride + width), y * width);
  return out;
}

/** What has been grown by r, at a border to one side alone, leaves no gap when it is grown by up to r + 1 more. */
function stepsTo(radius: number): number[] {
  const steps: number[] = [];
  for (let reach = 0; reach < radius; ) {
    const step = Math.min(reach + 1, radius - reach);
    steps.push(step);
    reach += step;
  }
  return steps;
}

/** ORs each row with itself moved by `step` bytes to either side. Words are little-endian. */
function grownAcross(words: Uint32Array, perRow: number, step: number): Uint32Array {
  const whole = step >> 2;
  const bits = (step & 3) * 8;
  const out = new Uint32Array(words.length);
  for (let row = 0; row < words.length; row += perRow) {
    const end = row + perRow;
    for (let i = row; i < end; i++) {
      let w = words[i]!;
      if (i + whole < end) w |= words[i + whole]! >>> bits;
      if (i - whole >= row) w |= words[i - whole]! << bits;
      if (bits !== 0) {
        if (i + whole + 1 < end) w |= words[i + whole + 1]! << (32 - bits);
        if (i - whole - 1 >= row) w |= words[i - whole - 1]! >>> (32 - bits);
      }
      out[i] = w;
    }
  }
  return out;
}

function grownDown(words: Uint32Array, perRow: number, step: number): Uint32Array {
  const far = step * perRow;
  const out = words.slice();
  for (let i = far; i < words.length; i++) out[i]! |= words[i - far]!;
  for (let i = words.length - far - 1; i >= 0; i--) out[i]! |= words[i + far]!;
  return out;
}
