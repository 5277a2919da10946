import { addressOf, inKernelMemory, kernelFloats } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import type { Camera } from "./canvas/camera.ts";
import { toSrgb } from "./canvas/color.ts";
import type { ScenePlan } from "./plan/scene-plan.ts";

/** A range of light is a 256th of an octave, from 2 ** −15, which is black, to 4: its values differ by a fifth of a step at most. */
const rangeBits = 8;
const leastOctave = -15;
const lastOctave = 2;
const mantissaBits = 23;
const exponentBias = 127;
const shift = mantissaBits - rangeBits;
const leastRange = (leastOctave + exponentBias) << rangeBits;
const lastRange = (lastOctave - leastOctave) << rangeBits;

/**
 * Converts light to display values in place: exposure, vignette, tone curve and color grade. Interleaved RGB, 0–255.
 */
export function toneMap(light: Float32Array, plan: ScenePlan, camera: Camera): void {
  inKernelMemory(() => toneMapRows(light, plan, camera));
}

function toneMapRows(light: Float32Array, { grade, lighting }: ScenePlan, { width, height }: Camera): void {
  const cx = width / 2;
  const cy = height * 0.52;
  const perCorner = 1 / (cx * cx + cy * cy);
  const curve = addressOf(toneTable(grade.contrast, grade.lift));
  const row = kernelFloats(width * 3);
  for (let y = 0; y < height; y++) {
    const from = y * width * 3;
    row.set(light.subarray(from, from + row.length));
    kernels.toneMapRow(
      row.byteOffset,
      width,
      cx,
      (y - cy) ** 2,
      perCorner,
      lighting.exposure,
      lighting.vignette,
      ...grade.tint,
      grade.saturation,
      curve,
      shift,
      leastRange,
      lastRange,
    );
    light.set(row, from);
  }
}

/** What is shown for light in the middle of each range. */
function toneTable(contrast: number, lift: number): Float32Array {
  const table = new Float32Array(lastRange + 1);
  for (let range = 0; range < lastRange; range++) {
    const share = (range & ((1 << rangeBits) - 1)) + 0.5;
    table[range] = shownFor(2 ** (leastOctave + (range >> rangeBits)) * (1 + share / (1 << rangeBits)), contrast, lift);
  }
  table[0] = shownFor(0, contrast, lift);
  table[lastRange] = shownFor(2 ** lastOctave, contrast, lift);
  return table;
}

/** The display value of light, 0–255. */
export function shownFor(light: number, contrast: number, lift: number): number {
  // Linear up to 0.55, then a shoulder that reaches white at about 4.
  const shouldered = light < 0.55 ? light : 0.55 + 0.45 * (1 - Math.exp(-(light - 0.55) / 0.52));
  const contrasted = 0.5 + (toSrgb(shouldered) - 0.5) * contrast;
  return 255 * Math.min(1, Math.max(0, lift + contrasted * (1 - lift)));
}
