/** Growing a mask by a square, four cells at a time: a 32-bit word holds the bytes of four neighbours. */

import type { Size } from "./resize.ts";

/** Cells within `radius` (Chebyshev) of a cell of `value` get that value; masks are u8, 0 or 1. */
export function growMask(mask: Uint8Array, { width, height }: Size, radius: number, value: 0 | 1): Uint8Array {
  const perRow = (width + 3) >> 2;
  const flip = 1 - value;
  let words: Uint32Array = new Uint32Array(perRow * height);
  const bytes = new Uint8Array(words.buffer);
  for (let y = 0; y < height; y++) {
    const to = y * perRow * 4;
    for (let x = 0; x < width; x++) bytes[to + x] = mask[y * width + x]! ^ flip;
  }
  for (const step of stepsTo(radius)) words = grownDown(grownAcross(words, perRow, step), perRow, step);
  const grown = new Uint8Array(words.buffer);
  const out = new Uint8Array(mask.length);
  for (let y = 0; y < height; y++) {
    const from = y * perRow * 4;
    for (let x = 0; x < width; x++) out[y * width + x] = grown[from + x]! ^ flip;
  }
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
