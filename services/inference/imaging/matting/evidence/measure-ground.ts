/**
 * The backdrop of a photo whose border shows more product than backdrop, such as a shirt on a model: what the network calls
 * background shows it, wherever it is.
 */

import { erode, invertMask } from "../../pixels/morphology.ts";
import { fitSurface, type Surface, tintBeside } from "./backdrop.ts";
import { spreadGround } from "./ground-colors.ts";
import {
  type BackdropEvidence,
  backgroundPriorMax,
  isShaded,
  mayBePlain,
  measureBackdrop,
} from "./measure-backdrop.ts";
import { priorFrom, type WorkGrid } from "./work-grid.ts";

/** The surface is fitted to every so many cells of each row and column. */
const stride = 12;
/** With fewer samples of background there is nothing to fit. */
const samplesMin = 60;
/** Background that differs from the surface by so much, in Lab, and is in no shadow, is another surface: a wall above a table. */
const otherDistanceMin = 8;
/** A backdrop has no more of it than this share of the background. */
const otherShareMax = 0.1;
/** Ground is no farther from the surface: a glow is, by some Lab. */
const glowDistanceMax = 20;
/** Cells so near to what may be product, in pixels of the network's output, are not known to be ground. */
const rimPixels = 1;
/** Between known cells the ground differs from what is spread there by up to this Lab distance: in a glow, beside an arm. */
const spreadDistanceMin = 6;

/** How far each cell differs from the ground where it is. */
export type GroundEvidence = Pick<BackdropEvidence, "distance" | "lightness" | "threshold" | "tintAt">;

/** Within `inKernelMemory`. @returns undefined where the background is no plain backdrop */
export function measureGround(grid: WorkGrid): GroundEvidence | undefined {
  const surface = fitToBackground(grid);
  if (surface === undefined || !mayBePlain(surface)) return undefined;
  const onSurface = measureBackdrop(grid, surface);
  return onSurface.isPlain && !hasOtherSurface(grid, onSurface) ? compareWithGround(grid, onSurface) : undefined;
}

function fitToBackground({ width, height, rgb, prior }: WorkGrid): Surface | undefined {
  const cells: number[] = [];
  const places: number[] = [];
  for (let y = stride >> 1; y < height; y += stride) {
    for (let x = stride >> 1; x < width; x += stride) {
      const cell = y * width + x;
      if (prior[cell]! > backgroundPriorMax) continue;
      cells.push(cell);
      places.push((x + 0.5) / width, (y + 0.5) / height);
    }
  }
  return cells.length < samplesMin ? undefined : fitSurface(rgb, Int32Array.from(cells), Float64Array.from(places));
}

function hasOtherSurface({ prior }: WorkGrid, evidence: BackdropEvidence): boolean {
  let cells = 0;
  let others = 0;
  for (let i = 0; i < prior.length; i++) {
    if (prior[i]! > backgroundPriorMax) continue;
    cells++;
    if (evidence.distance[i]! > otherDistanceMin && !isShaded(i, evidence)) others++;
  }
  return others > otherShareMax * cells;
}

function compareWithGround(grid: WorkGrid, onSurface: BackdropEvidence): GroundEvidence {
  const { width, height, lab } = grid;
  const seen = priorFrom(grid, backgroundPriorMax);
  const known = erode(invertMask(seen), grid, Math.ceil(rimPixels * grid.networkPixel));
  for (let i = 0; i < known.length; i++) if (onSurface.distance[i]! > glowDistanceMax) known[i] = 0;
  const ground = spreadGround(grid, known);
  // The planes of the surface take the distances to the ground: the kernels' memory has no room for both.
  const { distance, lightness } = onSurface;
  const colors = new Float32Array(3 * width);
  const ofKnown: number[] = [];
  for (let y = 0; y < height; y++) {
    ground.alongRow(y, colors);
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const l = lab[3 * i]! - colors[3 * x]!;
      const a = lab[3 * i + 1]! - colors[3 * x + 1]!;
      const b = lab[3 * i + 2]! - colors[3 * x + 2]!;
      lightness[i] = l;
      distance[i] = Math.sqrt(l * l + a * a + b * b);
      if (known[i] === 1 && x % stride === 0 && y % stride === 0) ofKnown.push(distance[i]!);
    }
  }
  // Cells are asked for in runs of a row.
  let row = -1;
  const noise = Float64Array.from(ofKnown).sort()[Math.floor(0.75 * ofKnown.length)] ?? 0;
  return {
    distance,
    lightness,
    threshold: Math.max(spreadDistanceMin, 4 * noise),
    tintAt: (cell) => {
      const y = Math.floor(cell / width);
      if (y !== row) ground.alongRow(y, colors);
      row = y;
      return tintBeside(lab, 3 * cell, colors, 3 * (cell - y * width));
    },
  };
}
