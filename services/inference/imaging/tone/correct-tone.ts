/** Takes the color, the strength and the falloff of a light out of pixels, in linear light. */

import type { Size } from "../pixels/geometry.ts";
import { type LinearRgb, toSrgb } from "../scene/canvas/color.ts";
import { lightnessAt, luminanceOf } from "./backdrop-light.ts";

export interface ToneCorrection {
  /** Factors of linear red, green and blue where the product is. */
  readonly gains: LinearRgb;
  /** Lightness of the backdrop as `BackdropLight` has it; what is behind a darker part of it is lifted. */
  readonly lightness: Float64Array;
  /** Luminance of the backdrop where the product is. */
  readonly luminance: number;
}

/** The falloff of the light changes nothing by more than this factor. */
export const fieldMax = 1.25;
/** Linear light from which highlights roll off, where the brightest would exceed white. */
const shoulderFrom = 0.8;
const steps = 65_536;

/**
 * @param rgb interleaved u8 of the size; it stays as it is. Curves of other profiles are taken for that of sRGB, which they resemble
 * @param alpha where it is 0, nothing is changed; absent: all is
 */
export function correctTone(rgb: Uint8Array, size: Size, correction: ToneCorrection, alpha?: Uint8Array): Uint8Array {
  const light = correction.gains.map((gain) => Float32Array.from({ length: 256 }, (_, byte) => gain * linear[byte]!));
  let brightest = 1;
  eachVisible(size, correction, alpha, (pixel, field) => {
    for (let c = 0; c < 3; c++) brightest = Math.max(brightest, field * light[c]![rgb[3 * pixel + c]!]!);
  });
  const coded = tableUpTo(brightest);
  const perLight = (steps - 1) / brightest;
  const corrected = rgb.slice();
  eachVisible(size, correction, alpha, (pixel, field) => {
    for (let c = 0, at = 3 * pixel; c < 3; c++, at++) {
      corrected[at] = coded[Math.round(field * light[c]![rgb[at]!]! * perLight)]!;
    }
  });
  return corrected;
}

const linear = Float32Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

/** @param visit takes a pixel and the factor that evens the light there */
function eachVisible(
  { width, height }: Size,
  { lightness, luminance }: ToneCorrection,
  alpha: Uint8Array | undefined,
  visit: (pixel: number, field: number) => void,
): void {
  for (let y = 0, pixel = 0; y < height; y++) {
    const v = (y + 0.5) / height;
    for (let x = 0; x < width; x++, pixel++) {
      if (alpha?.[pixel] === 0) continue;
      const field = luminance / luminanceOf(lightnessAt(lightness, (x + 0.5) / width, v));
      visit(pixel, Math.min(fieldMax, Math.max(1 / fieldMax, field)));
    }
  }
}

/** sRGB of linear light from 0 to the brightest, in equal steps. */
function tableUpTo(brightest: number): Uint8Array {
  return Uint8Array.from({ length: steps }, (_, step) => {
    return Math.round(255 * toSrgb(rollOff((step / (steps - 1)) * brightest, brightest)));
  });
}

/** Goes on from the shoulder without a bend, rises everywhere, and takes the brightest to white. */
function rollOff(value: number, brightest: number): number {
  if (brightest <= 1 || value <= shoulderFrom) return value;
  const slope = (brightest - shoulderFrom) / (1 - shoulderFrom);
  const share = (value - shoulderFrom) / (brightest - shoulderFrom);
  return shoulderFrom + ((1 - shoulderFrom) * slope * share) / (1 + (slope - 1) * share);
}
