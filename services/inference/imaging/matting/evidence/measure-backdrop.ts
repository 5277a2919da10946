/** Measures how far the photo differs from the fitted backdrop, whether the backdrop is plain, and whether it is all around. */

import { addressOf, computeFloats, computeIntegers } from "../../kernels/kernel-memory.ts";
import { kernels } from "../../kernels/kernels.ts";
import { labelComponents } from "../../pixels/connected-components.ts";
import type { Size } from "../../pixels/geometry.ts";
import { labDistance } from "../../pixels/lab.ts";
import { backdropAt, centersOf, type Surface, tintBeside } from "./backdrop.ts";
import type { GridColors, WorkGrid } from "./work-grid.ts";

/** A backdrop is plain where three quarters of the network's background lie within this Lab distance of the fit. */
export const plainDistanceMax = 1.5;
/** On any photo, smaller Lab distances are noise, including that of JPEG. */
export const distanceMin = 2;

export interface BackdropEvidence {
  /** Lab distance of each cell to the backdrop. */
  readonly distance: Float32Array;
  /** Lightness of each cell minus the backdrop's lightness. */
  readonly lightness: Float32Array;
  /** Lab distance above which a cell differs from the backdrop. */
  readonly threshold: number;
  /** Lab distance within which three quarters of the backdrop lie, its shadows left out. */
  readonly noise: number;
  readonly isPlain: boolean;
  /**
   * Whether the backdrop is all around the photo and goes on between what stands on it. Where the network misses parts of a
   * set, or shadows take much of the ground, what the network calls background is not plain although the backdrop is.
   */
  readonly isAllAround: boolean;
  /** By how much a cell's color differs from the backdrop's in another light, in Lab (`tintBeside`). */
  tintAt(cell: number): number;
}

/** Where the border does not show one surface, a backdrop is neither plain nor all around, whatever the photo shows. */
export function mayBePlain({ residual }: Surface): boolean {
  return residual <= plainDistanceMax;
}

/** How the photo alone differs from the backdrop. */
export type ComparedCells = Pick<BackdropEvidence, "distance" | "lightness">;

/** Needs no prediction. */
export function compareCells(grid: GridColors, backdrop: Surface): ComparedCells {
  const count = grid.width * grid.height;
  // The kernel may write one number beyond each plane.
  const room = count + 1;
  const planes = computeFloats(2 * room, (to) => writeDistances(grid, backdrop, to, to + 4 * room));
  return { distance: planes.subarray(0, count), lightness: planes.subarray(room, room + count) };
}

/** @param compared where the cells were compared before */
export function measureBackdrop(
  grid: WorkGrid,
  backdrop: Surface,
  { distance, lightness }: ComparedCells = compareCells(grid, backdrop),
): BackdropEvidence {
  const count = grid.width * grid.height;
  const { background, unshadowed } = countDistances(grid.prior, distance, lightness);
  const backgroundCells = total(background);
  const spread = quantile(background, 0.75) / binsPerLab;
  // A shadow only darkens the backdrop, so the cells that are no darker show the noise alone.
  const isEnough = total(unshadowed) > 0.1 * backgroundCells;
  const noise = isEnough ? Math.min(spread, quantile(unshadowed, 0.75) / binsPerLab) : spread;
  const isPlain = backgroundCells > count * 0.05 && spread <= plainDistanceMax && mayBePlain(backdrop);
  const tintAt = (cell: number) => tintOf(cell, grid, backdrop);
  const evidence = { distance, lightness, noise, threshold: Math.max(distanceMin, 4 * noise), tintAt };
  return { ...evidence, isPlain, isAllAround: isPlain || isAllAround(evidence, grid, backdrop) };
}

/** At least so much of the photo's border is bare, and so much is bare or ground in another light. */
const bareBorderMin = 0.8;
const explainedBorderMin = 0.97;
/** At least so much of the whole photo is bare: a set has room between its parts. */
const barePhotoMin = 0.25;
/** A thing that the network does not see takes at most this share of the photo: a larger one is a scene in a white frame. */
const unseenShareMax = 0.1;

type Compared = Omit<BackdropEvidence, "isPlain" | "isAllAround">;

function isAllAround(compared: Compared, grid: WorkGrid, backdrop: Surface): boolean {
  if (!mayBePlain(backdrop)) return false;
  const { residual } = backdrop;
  // Three quarters of a noise in three channels lie within 1.4 times its median.
  const threshold = Math.max(distanceMin, 4 * Math.min(compared.noise, 1.4 * residual));
  const evidence = { ...compared, threshold };
  const { distance } = evidence;
  const { prior } = grid;
  let bare = 0;
  const unseen = new Uint8Array(prior.length);
  for (let i = 0; i < unseen.length; i++) {
    if (distance[i]! <= threshold) bare++;
    else if (prior[i]! <= backgroundPriorMax && !isShaded(i, evidence)) unseen[i] = 1;
  }
  if (bare < barePhotoMin * prior.length) return false;
  const border = measureBorder(evidence, grid);
  if (border.bare < bareBorderMin || border.explained < explainedBorderMin) return false;
  return labelComponents(unseen, grid).sizes.every((size) => size <= unseenShareMax * prior.length);
}

/** An edge on the border changes the color by more than the threshold within so many cells. */
const edgeCells = 3;

/**
 * As shares of the border: what is bare, and what is bare or explained. What differs is in shadow, whatever its edges, or all of it is
 * ground in more or less light and has no edge anywhere: a lamp's spot, light that a wall throws back, the bend of a sweep. With an edge it
 * may be a table or a thing, and where more than a quarter of the ground differs, a scene out of focus.
 */
function measureBorder(evidence: Compared, { lab, ...size }: WorkGrid): { bare: number; explained: number } {
  const { distance, threshold } = evidence;
  const isBare = (cell: number) => distance[cell]! <= threshold;
  const around = borderFrom(isBare, size);
  const count = around.length;
  const isEdge = (step: number) =>
    labDistance(lab, around[step % count]!, around[(step + count - edgeCells) % count]!) > threshold;
  let bare = 0;
  let shaded = 0;
  let smooth = 0;
  for (let step = 0; step < count; step++) {
    if (isBare(around[step]!)) {
      bare++;
      continue;
    }
    const from = step;
    while (step + 1 < count && !isBare(around[step + 1]!)) step++;
    const part = around.slice(from, step + 1);
    shaded += part.filter((cell) => isShaded(cell, evidence)).length;
    if (isAnyBetween(from, step + 1 + edgeCells, isEdge)) continue;
    smooth += part.filter((cell) => isShaded(cell, evidence) || isLit(cell, evidence)).length;
  }
  const mayBeLit = evidence.noise <= threshold;
  return { bare: bare / count, explained: (bare + Math.max(shaded, mayBeLit ? smooth : 0)) / count };
}

/** The cells of the border, once around, from the first one on that passes. */
function borderFrom(isFirst: (cell: number) => boolean, { width, height }: Size): readonly number[] {
  const cells: number[] = [];
  for (let x = 0; x < width; x++) cells.push(x);
  for (let y = 1; y < height; y++) cells.push(y * width + width - 1);
  for (let x = width - 2; x >= 0; x--) cells.push((height - 1) * width + x);
  for (let y = height - 2; y > 0; y--) cells.push(y * width);
  const first = Math.max(0, cells.findIndex(isFirst));
  return [...cells.slice(first), ...cells.slice(0, first)];
}

function isAnyBetween(from: number, end: number, passes: (step: number) => boolean): boolean {
  for (let step = from; step < end; step++) if (passes(step)) return true;
  return false;
}

/** Whether a cell has the backdrop's hue and is lighter. */
function isLit(cell: number, { lightness, threshold, tintAt }: Compared): boolean {
  const light = lightness[cell]!;
  return light >= 0 && tintAt(cell) <= Math.max(threshold, tintShareMax * light);
}

/** Whether a cell has the backdrop's hue and is as much darker as a shadow is. */
export function isShaded(cell: number, { lightness, threshold, tintAt }: Compared): boolean {
  const darkness = -lightness[cell]!;
  return darkness > 0 && darkness <= darknessMax && tintAt(cell) <= Math.max(threshold, tintShareMax * darkness);
}

/** In less or more light the ground's hue differs from the backdrop's by this share of the difference in lightness at most. */
const tintShareMax = 0.25;
/** A shadow is at most this much darker than the backdrop. */
export const darknessMax = 60;
/** Up to this prior the network calls a cell background. */
export const backgroundPriorMax = 0.03;

const fitted = new Float32Array(3);

function tintOf(cell: number, { lab, width, height }: WorkGrid, backdrop: Surface): number {
  const y = Math.floor(cell / width);
  backdropAt(backdrop, (cell - y * width + 0.5) / width, (y + 0.5) / height, fitted);
  return tintBeside(lab, 3 * cell, fitted, 0);
}

/** Histograms of Lab distances have so many. */
export const bins = 1024;
export const binsPerLab = 10;

/** Writes the distances and the differences in lightness to the two addresses. */
function writeDistances(
  { lab, width, height }: GridColors,
  backdrop: Surface,
  distance: number,
  lightness: number,
): void {
  const centers = addressOf(centersOf(width));
  const coefficients = addressOf(backdrop.coefficients);
  kernels.compareWithBackdrop(addressOf(lab), width, height, centers, coefficients, distance, lightness);
}

/** Counts the cells that the network calls background, and those among them that are no darker than the backdrop. */
function countDistances(prior: Float32Array, distance: Float32Array, lightness: Float32Array) {
  const counts = computeIntegers(2 * bins, (to) => {
    kernels.clear(to, 8 * bins);
    kernels.countDistances(
      addressOf(prior),
      addressOf(distance),
      addressOf(lightness),
      prior.length,
      backgroundPriorMax,
      binsPerLab,
      bins,
      to,
      to + 4 * bins,
    );
  });
  const histogramAt = (first: number) => new Uint32Array(counts.buffer, counts.byteOffset + 4 * first, bins);
  return { background: histogramAt(0), unshadowed: histogramAt(bins) };
}

export const total = (histogram: Uint32Array) => histogram.reduce((sum, count) => sum + count, 0);

export function quantile(histogram: Uint32Array, share: number): number {
  const target = total(histogram) * share;
  let count = 0;
  for (let bin = 0; bin < histogram.length; bin++) {
    count += histogram[bin]!;
    if (count >= target) return bin;
  }
  return histogram.length - 1;
}
