/** Relights the product softly by its scene, as a photographer's lamps and the colors around would. */

import { changedOpaqueShare } from "../matting/report/matte-report.ts";
import { visibleBox } from "../pixels/alpha-scan.ts";
import { blurPlane } from "../pixels/blur.ts";
import type { CutOut } from "../pixels/cut-out.ts";
import type { Box } from "../pixels/geometry.ts";
import type { Camera } from "./canvas/camera.ts";
import type { LinearRgb } from "./canvas/color.ts";
import type { Lighting } from "./plan/lighting.ts";
import type { ScenePlan } from "./plan/scene-plan.ts";

/** No color value of the product changes by more than this share of itself. */
const harmonizeMax = 0.15;

/** Cells across the frame's longer side: what is finer than a cell is the product's own. */
const cellsAcross = 24;
/** Shares of the change that color and brightness may take: apart, so that brightness does not turn the hue. */
const colorMax = 0.085;
const brightnessMax = harmonizeMax - colorMax;
/** Weights of what changes the product: the color of the light, what is around it, and the side of the lamp. */
const castWeight = 0.5;
const aroundWeight = 0.25;
const sideWeight = 0.16;
/** Values from here up to white change less and less: a white product keeps its drawing. */
const shoulder = 4;

export interface Harmonized {
  readonly cut: CutOut;
  readonly report: {
    /** As it was asked for. */
    readonly strength: number;
    /** The least and the greatest factor of a color value. */
    readonly darkest: number;
    readonly brightest: number;
  };
  /** Share of the product's opaque pixels that differ from the photo. */
  readonly changedShare: number;
}

/**
 * @param scene tone-mapped, interleaved RGB 0–255, of the camera's size
 * @param strength 0–1, not 0
 */
export function harmonize(
  cut: CutOut,
  scene: Float32Array,
  camera: Camera,
  { lighting, grade }: ScenePlan,
  strength: number,
): Harmonized {
  const box = visibleBox(cut.alpha, cut, 1);
  const report = { strength, darkest: 1, brightest: 1 };
  if (box === undefined) return { cut, report, changedShare: 0 };
  const grid = gridOfGains(cut, box, scene, camera, castOf(lighting, grade.tint), lighting, strength);
  const rgb = cut.rgb.slice();
  const row = new Float32Array(grid.width * 3);
  for (let y = box.top; y < box.top + box.height; y++) {
    interpolateRow(grid, (y + 0.5) / grid.step - 0.5, row);
    for (let x = box.left; x < box.left + box.width; x++) {
      if (cut.alpha[y * cut.width + x] === 0) continue;
      const at = (y * cut.width + x) * 3;
      const px = Math.min(grid.width - 1.001, Math.max(0, (x + 0.5) / grid.step - 0.5));
      const left = Math.floor(px);
      const share = px - left;
      for (let c = 0; c < 3; c++) {
        const from = left * 3 + c;
        const gain = row[from]! + (row[from + 3]! - row[from]!) * share;
        rgb[at + c] = relight(cut.rgb[at + c]!, gain);
      }
    }
  }
  const { darkest, brightest } = grid;
  // The reduced copy is made of the pixels as they were.
  const { reduced: _reduced, ...kept } = cut;
  return {
    cut: { ...kept, rgb },
    report: { strength, darkest: round(darkest), brightest: round(brightest) },
    changedShare: changedOpaqueShare(cut.rgb, rgb, cut.alpha),
  };
}

/** Rounded toward the photo's own value, so that rounding does not exceed the greatest change. */
function relight(value: number, gain: number): number {
  if (gain <= 1) return Math.ceil(value * gain - 1e-4);
  return Math.floor(value * (1 + (gain - 1) * (1 - (value / 255) ** shoulder)) + 1e-4);
}

const round = (value: number) => Math.round(value * 1000) / 1000;

/** The light's color beside a neutral one of the same brightness, as logarithms: the photo was taken in neutral light. */
function castOf({ key, ambient, lamp }: Lighting, tint: LinearRgb): readonly number[] {
  const light = [0, 1, 2].map((c) => (key[c]! * lamp.keyShare + ambient[c]!) * tint[c]!);
  const gray = 0.2126 * light[0]! + 0.7152 * light[1]! + 0.0722 * light[2]!;
  // Display values are about the square root of light.
  return light.map((value) => 0.5 * Math.log(Math.max(0.05, value / Math.max(0.001, gray))));
}

interface GainGrid {
  readonly width: number;
  readonly height: number;
  /** Pixels of the cut-out per cell. */
  readonly step: number;
  /** Factors of color values, interleaved RGB. */
  readonly gains: Float32Array;
  readonly darkest: number;
  readonly brightest: number;
}

function gridOfGains(
  cut: CutOut,
  box: Box,
  scene: Float32Array,
  camera: Camera,
  cast: readonly number[],
  { lamp }: Lighting,
  strength: number,
): GainGrid {
  const step = Math.max(cut.width, cut.height) / cellsAcross;
  const width = Math.max(2, Math.ceil(cut.width / step));
  const height = Math.max(2, Math.ceil(cut.height / step));
  const around = surroundings(scene, camera, width, height);
  const gains = new Float32Array(width * height * 3);
  const lampSide = Math.sin((lamp.directionDeg * Math.PI) / 180) * lamp.keyShare;
  let darkest = 1;
  let brightest = 1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const side = Math.min(1, Math.max(-1, (2 * ((x + 0.5) * step - box.left)) / box.width - 1));
      const [r, g, b] = around.map((plane) => plane[y * width + x]!) as [number, number, number];
      const mean = (r + g + b) / 3;
      const brightness =
        brightnessMax * Math.tanh((aroundWeight * mean + sideWeight * lampSide * side) / brightnessMax);
      const color = [r, g, b].map((value, c) => castWeight * cast[c]! + aroundWeight * (value - mean));
      const most = Math.max(colorMax, ...color.map(Math.abs));
      for (let c = 0; c < 3; c++) {
        const gain = 1 + strength * ((colorMax / most) * color[c]! + brightness);
        gains[(y * width + x) * 3 + c] = gain;
        darkest = Math.min(darkest, gain);
        brightest = Math.max(brightest, gain);
      }
    }
  }
  return { width, height, step, gains, darkest, brightest };
}

/** By channel: how much brighter than a middle gray the scene is around each cell, as a logarithm of display values. */
function surroundings(scene: Float32Array, camera: Camera, width: number, height: number): Float32Array[] {
  const planes = [0, 1, 2].map(() => new Float32Array(width * height));
  const counts = new Uint32Array(width * height);
  for (let y = 0; y < camera.height; y++) {
    const row = Math.min(height - 1, Math.floor((y * height) / camera.height)) * width;
    for (let x = 0; x < camera.width; x++) {
      const to = row + Math.min(width - 1, Math.floor((x * width) / camera.width));
      const from = (y * camera.width + x) * 3;
      for (let c = 0; c < 3; c++) planes[c]![to]! += scene[from + c]!;
      counts[to]!++;
    }
  }
  for (const plane of planes) {
    for (let i = 0; i < plane.length; i++) plane[i]! /= Math.max(1, counts[i]!);
    blurPlane(plane, width, height, 2.5);
    for (let i = 0; i < plane.length; i++) plane[i] = Math.log((plane[i]! + 24) / (middleGray + 24));
  }
  return planes;
}

/** A studio's walls and ground: around them the product is as its photo shows it. */
const middleGray = 168;

function interpolateRow({ gains, width, height }: GainGrid, y: number, row: Float32Array): void {
  const py = Math.min(height - 1.001, Math.max(0, y));
  const upper = Math.floor(py);
  const share = py - upper;
  const from = upper * width * 3;
  for (let i = 0; i < row.length; i++) {
    row[i] = gains[from + i]! + (gains[from + row.length + i]! - gains[from + i]!) * share;
  }
}
