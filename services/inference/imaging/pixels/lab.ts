/** sRGB to CIE L*a*b* (D65, 2°), IEC 61966-2-1 and CIE 15:2004. */

import { addressOf, computeFloats, keepTable } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";

/** Rounded to floats, and kept as doubles, with which the kernel computes. */
const linearOf = Float64Array.from({ length: 256 }, (_, v) => {
  const c = v / 255;
  return Math.fround(c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
});

// A table of CIE 15's f(t) over t in 0…1.1: the error is below 0.005 L*.
export const cubeRootSteps = 16_384;
export const cubeRootOf = Float32Array.from({ length: Math.ceil(cubeRootSteps * 1.1) + 2 }, (_, i) =>
  labCurve(i / cubeRootSteps),
);

function labCurve(t: number): number {
  return t > 216 / 24_389 ? Math.cbrt(t) : ((24_389 / 27) * t + 16) / 116;
}

const linear = keepTable(linearOf);
const roots = keepTable(cubeRootOf);
/** Entries of four words for 16,384 colors; none has a color yet. */
const memo = keepTable(new Int32Array(4 * 16_384).fill(-1));

/** Interleaved u8 sRGB to interleaved float Lab of the same length: L 0…100, a and b about −128…127. */
export function rgbToLab(rgb: Uint8Array): Float32Array {
  return computeFloats(rgb.length, (to) => kernels.rgbToLab(addressOf(rgb), rgb.length / 3, linear, roots, memo, to));
}

/** Euclidean distance between two pixels of an interleaved Lab picture (CIE 1976). */
export function labDistance(lab: Float32Array, a: number, b: number): number {
  return Math.hypot(lab[3 * a]! - lab[3 * b]!, lab[3 * a + 1]! - lab[3 * b + 1]!, lab[3 * a + 2]! - lab[3 * b + 2]!);
}
