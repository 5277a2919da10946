/**
 * Which thing of a photo is the product, where its matte shows several and nobody has said. The best candidate is large,
 * whole, in the middle and in focus. Others about as good are kept, too: a pair of shoes is one product.
 */

import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { type Components, labelComponents, runStride } from "../../pixels/connected-components.ts";
import type { Box, Size } from "../../pixels/geometry.ts";
import { dilate, erode } from "../../pixels/morphology.ts";
import { type MaskGrid, subsampleMask } from "../../pixels/subsample-mask.ts";
import type { ScaledPhoto } from "../evidence/work-grid.ts";
import { boxesOfParts, keepNearestParts } from "./matte-parts.ts";

/** A thing that may be the product: its box in pixels of the photo. */
export interface Candidate extends Box {
  /** 0–1, as a share of the best candidate's. */
  readonly score: number;
  /** Whether it is in the cut-out. */
  readonly chosen: boolean;
}

/** What is smaller than this share of the largest thing is a part of the nearest, or dirt. */
const sizeShareMin = 0.1;
/** Parts with a gap of less than this share of the photo's longer side are one thing, such as a bag and its strap. */
const gapShareMax = 0.01;
/** Lines up to this share wide, such as a table's edge beside a thing, close no gap. */
const lineShareMax = 0.008;
/** From this score on, a candidate beside the best one belongs to it. */
const chosenScoreMin = 0.6;
const candidatesMax = 5;

/**
 * Clears all but the chosen things from the matte. Where a backdrop is all around, it keeps all: whoever lays things on paper
 * means all of them, and clutter is not there.
 *
 * @param alpha of `size`
 * @param reduced the photo
 * @returns the candidates, the best one first; none where the matte shows one thing
 */
export function chooseProduct(
  alpha: Uint8Array,
  size: Size,
  reduced: ScaledPhoto,
  showsAll: boolean,
): readonly Candidate[] {
  return inKernelMemory(() => {
    const grid = subsampleMask(alpha, size);
    const parts = labelComponents(grid.inside, grid);
    const largest = parts.sizes.reduce((max, cells) => Math.max(max, cells), 0);
    if (parts.sizes.filter((cells) => cells >= sizeShareMin * largest).length < 2) return [];
    const things = joinNearParts(parts, grid);
    const found = things.components.sizes.flatMap((cells, label) => (cells > 0 ? [label] : []));
    const candidates = found.filter((label) => things.components.sizes[label]! >= sizeShareMin * largestOf(things));
    if (candidates.length < 2) return [];
    const scores = scoreThings(things.components, candidates, grid, reduced);
    const isChosen = (thing: number) => showsAll || scores.get(thing)! >= chosenScoreMin;
    keepNearestParts(alpha, size, grid, parts, (label) => {
      const thing = things.thingOf[label]!;
      return scores.has(thing) ? (isChosen(thing) ? "kept" : "removed") : "follows";
    });
    const boxes = boxesOfParts(things.components, grid);
    return candidates
      .toSorted((a, b) => scores.get(b)! - scores.get(a)!)
      .slice(0, candidatesMax)
      .map((thing) => ({
        ...inPixels(boxes[thing]!, grid.step, size),
        score: Math.round(scores.get(thing)! * 100) / 100,
        chosen: isChosen(thing),
      }));
  });
}

interface Things {
  /** The runs of the parts, labeled by thing. `atBorder` is not known. */
  readonly components: Components;
  /** By label of a part, the label of its thing. */
  readonly thingOf: readonly number[];
}

const largestOf = ({ components }: Things) => components.sizes.reduce((max, cells) => Math.max(max, cells), 0);

function joinNearParts(parts: Components, grid: MaskGrid): Things {
  const cells = (share: number) => Math.ceil((share * Math.max(grid.width, grid.height)) / 2);
  const withoutLines = erode(grid.inside, grid, cells(lineShareMax));
  const near = dilate(withoutLines, grid, cells(lineShareMax) + cells(gapShareMax));
  for (let i = 0; i < near.length; i++) near[i]! |= grid.inside[i]!;
  const joined = labelComponents(near, grid);
  const labels = new Int32Array(grid.inside.length);
  for (let at = 0; at < joined.runs.length; at += runStride) {
    labels.fill(joined.runs[at + 2]!, joined.runs[at], joined.runs[at + 1]);
  }
  const thingOf = parts.sizes.map(() => 0);
  const sizes = joined.sizes.map(() => 0);
  const runs = parts.runs.slice();
  for (let at = 0; at < runs.length; at += runStride) {
    const thing = labels[runs[at]!]!;
    thingOf[parts.runs[at + 2]!] = thing;
    sizes[thing]! += runs[at + 1]! - runs[at]!;
    runs[at + 2] = thing;
  }
  return { components: { runs, sizes, atBorder: joined.atBorder }, thingOf };
}

/** @returns by candidate, 0–1, as a share of the best one's */
function scoreThings(
  things: Components,
  candidates: readonly number[],
  grid: MaskGrid,
  reduced: ScaledPhoto,
): ReadonlyMap<number, number> {
  const boxes = boxesOfParts(things, grid);
  const largest = Math.max(...candidates.map((thing) => things.sizes[thing]!));
  const raw = candidates.map((thing) => {
    const box = boxes[thing]!;
    // What is nearer is larger: by its side, not by its area.
    const near = Math.sqrt(things.sizes[thing]! / largest);
    return (
      near * centrality(box, grid) * wholeness(things, thing, box, grid) * meanEdgeStep(things, thing, grid, reduced)
    );
  });
  const best = Math.max(...raw);
  return new Map(candidates.map((thing, n) => [thing, raw[n]! / best]));
}

/** 1 in the photo's middle, half of it in a corner. */
function centrality({ left, top, width, height }: Box, grid: Size): number {
  const x = left + width / 2 - grid.width / 2;
  const y = top + height / 2 - grid.height / 2;
  return 1 - Math.hypot(x, y) / Math.hypot(grid.width, grid.height);
}

/** 1 for a thing that does not touch the photo's border: one less the border's share of its box's outline. */
function wholeness({ runs }: Components, thing: number, box: Box, { width, height }: Size): number {
  let cells = 0;
  for (let at = 0; at < runs.length; at += runStride) {
    if (runs[at + 2] !== thing) continue;
    const from = runs[at]!;
    const end = runs[at + 1]!;
    if (from < width || from >= (height - 1) * width) cells += end - from;
    if (from % width === 0) cells++;
    if (end % width === 0) cells++;
  }
  return 1 - Math.min(1, cells / (2 * (box.width + box.height)));
}

function inPixels({ left, top, width, height }: Box, step: number, size: Size): Box {
  const x = left * step;
  const y = top * step;
  return {
    left: x,
    top: y,
    width: Math.min(size.width - x, width * step),
    height: Math.min(size.height - y, height * step),
  };
}

/** How sharp the photo is at a thing's edge: by it one that is in focus is told from one that is not. */

/** Cells of the reduced photo on either side of the edge: for its contrast, and where its steepest place may be. */
const contrastReach = 8;
const stepReach = 4;
/** With less contrast, of 255, a step is noise. */
const contrastMin = 12;

/**
 * The largest change between two neighbors as a share of the whole change across the edge, on average over the left and
 * right ends of a thing's rows: near 1 in focus, .1 far out of focus; 1 where no edge has contrast.
 *
 * @param things on a grid of the photo
 */
function meanEdgeStep({ runs }: Components, thing: number, grid: Size, reduced: ScaledPhoto): number {
  let sum = 0;
  let count = 0;
  for (let at = 0; at < runs.length; at += runStride) {
    if (runs[at + 2] !== thing) continue;
    const y = Math.floor(runs[at]! / grid.width);
    for (const end of [runs[at]!, runs[at + 1]!]) {
      const x = end - y * grid.width;
      const step = edgeStep(reduced, (x / grid.width) * reduced.width, ((y + 0.5) / grid.height) * reduced.height);
      if (step === undefined) continue;
      sum += step;
      count++;
    }
  }
  return count === 0 ? 1 : sum / count;
}

/** undefined where there is no contrast, and at the photo's border. */
function edgeStep({ rgb, width }: ScaledPhoto, x: number, y: number): number | undefined {
  const middle = Math.round(x);
  if (middle < contrastReach + 1 || middle + contrastReach + 1 >= width) return undefined;
  const row = Math.floor(y) * width;
  const brightness = (i: number) => rgb[(row + i) * 3]! + 2 * rgb[(row + i) * 3 + 1]! + rgb[(row + i) * 3 + 2]!;
  let darkest = 1020;
  let brightest = 0;
  let steepest = 0;
  for (let i = middle - contrastReach; i <= middle + contrastReach; i++) {
    const value = brightness(i);
    darkest = Math.min(darkest, value);
    brightest = Math.max(brightest, value);
    if (Math.abs(i - middle) > stepReach) continue;
    steepest = Math.max(steepest, Math.abs(brightness(i + 1) - brightness(i - 1)));
  }
  const contrast = brightest - darkest;
  return contrast < 4 * contrastMin ? undefined : Math.min(1, steepest / contrast);
}
