/** A color chart on white paper under a light of known color, strength and falloff, as a camera that corrects nothing sees it. */

import sharp from "sharp";
import { colorDifference } from "../../services/inference/imaging/pixels/color-difference.ts";
import { rgbToLab } from "../../services/inference/imaging/pixels/lab.ts";

type Rgb = readonly [number, number, number];

/** The 24 patches of the usual chart, in sRGB, the six grays last. */
const patches = [
  "735244 c29682 627a9d 576c43 8580b1 67bdaa d67e2c 505ba6 c15a63 5e3c6c 9dbc40 e0a32e",
  "383d96 469449 af363c e7c71f bb5695 0885a1 f3f3f2 c8c8c8 a0a0a0 7a7a79 555555 343434",
]
  .join(" ")
  .split(" ")
  .map((hex) => [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb);

/** Linear light that white paper gives in a well exposed photo. */
const paper = 0.9;
const columns = 6;
const rows = 4;
/** Pixels across a patch, and around the chart. */
const patchSide = 40;
const margin = 120;
export const chartSize = { width: columns * patchSide + 2 * margin, height: rows * patchSide + 2 * margin };

export interface ChartLight {
  /** In kelvins, from 1,667 to 25,000. */
  readonly temperature: number;
  /** Luminance of the paper in the middle, as a share of that in a well exposed photo. */
  readonly strength: number;
  /** How much stronger the light is at the left than at the right, 0–1. */
  readonly falloff: number;
}

export interface DrawnChart {
  /** PNG */
  readonly photo: Buffer;
  /** PNG of the matte, white where the chart is. */
  readonly mask: Buffer;
  /** Whether the paper is brighter than white in some channel. */
  readonly isClipped: boolean;
}

export async function drawChart({ temperature, strength, falloff }: ChartLight): Promise<DrawnChart> {
  const { width, height } = chartSize;
  const color = lightOf(temperature);
  const pixels = Buffer.alloc(3 * width * height);
  const matte = Buffer.alloc(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const patch = patchAt(x, y);
      if (patch !== undefined) matte[at] = 255;
      const light = strength * (1 + falloff * (0.5 - (x + 0.5) / width));
      for (let c = 0; c < 3; c++) {
        const reflected = patch === undefined ? paper : toLinear(patch[c]!);
        pixels[3 * at + c] = toCoded(reflected * light * color[c]!);
      }
    }
  }
  const isClipped = paper * strength * (1 + falloff / 2) * Math.max(...color) > 1;
  const raw = { width, height };
  return {
    photo: await sharp(pixels, { raw: { ...raw, channels: 3 } })
      .png()
      .toBuffer(),
    mask: await sharp(matte, { raw: { ...raw, channels: 1 } })
      .png()
      .toBuffer(),
    isClipped,
  };
}

/**
 * CIEDE2000 of the patches in a picture of the chart's size.
 *
 * @param goal another picture of it; by default the patches are compared with those in neutral light
 */
export async function chartDifferences(
  picture: Uint8Array,
  goal?: Uint8Array,
): Promise<{ readonly mean: number; readonly greatest: number }> {
  const found = rgbToLab(await readPatches(picture));
  const truth = rgbToLab(goal === undefined ? Uint8Array.from(patches.flat()) : await readPatches(goal));
  const differences = patches.map((_, patch) => colorDifference(found, truth, 3 * patch, 3 * patch));
  return {
    mean: differences.reduce((sum, difference) => sum + difference, 0) / differences.length,
    greatest: Math.max(...differences),
  };
}

/** The patches' mean colors. */
async function readPatches(picture: Uint8Array): Promise<Uint8Array> {
  const { data } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const inset = patchSide / 4;
  const side = patchSide - 2 * inset;
  const seen = patches.flatMap((_, patch) => {
    const left = margin + (patch % columns) * patchSide + inset;
    const top = margin + Math.floor(patch / columns) * patchSide + inset;
    const sums = [0, 0, 0];
    for (let y = top; y < top + side; y++) {
      for (let x = left; x < left + side; x++) {
        for (let c = 0; c < 3; c++) sums[c]! += data[3 * (y * chartSize.width + x) + c]!;
      }
    }
    return sums.map((sum) => Math.round(sum / side ** 2));
  });
  return Uint8Array.from(seen);
}

function patchAt(x: number, y: number): Rgb | undefined {
  const column = Math.floor((x - margin) / patchSide);
  const row = Math.floor((y - margin) / patchSide);
  return column < 0 || column >= columns || row < 0 || row >= rows ? undefined : patches[row * columns + column];
}

/** Linear sRGB of a glowing body, of luminance 1. Kim et al. 2002, cubic splines. */
export function lightOf(temperature: number): Rgb {
  const t = 1000 / temperature;
  const x =
    temperature < 4000
      ? -0.2661239 * t ** 3 - 0.234358 * t ** 2 + 0.8776956 * t + 0.17991
      : -3.0258469 * t ** 3 + 2.1070379 * t ** 2 + 0.2226347 * t + 0.24039;
  const y =
    temperature < 2222
      ? -1.1063814 * x ** 3 - 1.3481102 * x ** 2 + 2.18555832 * x - 0.20219683
      : temperature < 4000
        ? -0.9549476 * x ** 3 - 1.37418593 * x ** 2 + 2.09137015 * x - 0.16748867
        : 3.081758 * x ** 3 - 5.8733867 * x ** 2 + 3.75112997 * x - 0.37001483;
  const bigX = x / y;
  const bigZ = (1 - x - y) / y;
  return [
    3.2404542 * bigX - 1.5371385 - 0.4985314 * bigZ,
    -0.969266 * bigX + 1.8760108 + 0.041556 * bigZ,
    0.0556434 * bigX - 0.2040259 + 1.0572252 * bigZ,
  ];
}

export function toLinear(byte: number): number {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

export function toCoded(linear: number): number {
  const light = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055));
}
