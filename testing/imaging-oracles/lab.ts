/** sRGB to CIE L*a*b* (D65, 2°), IEC 61966-2-1 and CIE 15:2004. */

import { cubeRootOf, cubeRootSteps } from "../../services/inference/imaging/pixels/lab.ts";

const linearOf = Float32Array.from({ length: 256 }, (_, v) => {
  const c = v / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
});

function cubeRootLookup(t: number): number {
  const at = t * cubeRootSteps;
  const i = at | 0;
  const low = cubeRootOf[i]!;
  return low + (cubeRootOf[i + 1]! - low) * (at - i);
}

/** Interleaved u8 sRGB to interleaved float Lab of the same length: L 0…100, a and b about −128…127. */
export function rgbToLab(rgb: Uint8Array): Float32Array {
  const lab = new Float32Array(rgb.length);
  for (let from = 0; from < rgb.length; from += blockBytes)
    convertBlock(rgb, lab, from, Math.min(rgb.length, from + blockBytes));
  return lab;
}

const blockBytes = 3 * 1024;

/** A block at a time: V8 then compiles the whole loop once, and not in the middle of its first run. */
function convertBlock(rgb: Uint8Array, lab: Float32Array, from: number, end: number): void {
  for (let at = from; at < end; at += 3) {
    const r = linearOf[rgb[at]!]!;
    const g = linearOf[rgb[at + 1]!]!;
    const b = linearOf[rgb[at + 2]!]!;
    const x = cubeRootLookup((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
    const y = cubeRootLookup(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
    const z = cubeRootLookup((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
    lab[at] = 116 * y - 16;
    lab[at + 1] = 500 * (x - y);
    lab[at + 2] = 200 * (y - z);
  }
}
