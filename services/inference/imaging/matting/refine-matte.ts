/** Refines a network's small matte to the photo's resolution. */

import { addressOf, computeBytes, inKernelMemory, reserve } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import { chessboardDistance } from "../pixels/chessboard-distance.ts";
import type { Size } from "../pixels/geometry.ts";
import { copyMask } from "../pixels/morphology.ts";
import { signedDistance } from "../pixels/signed-distance.ts";
import { estimateEdgeAlpha } from "./alpha/edge-alpha.ts";
import type { Backdrop } from "./evidence/backdrop.ts";
import { addColorEvidence } from "./evidence/color-evidence.ts";
import {
  type BackdropEvidence,
  type ComparedCells,
  compareCells,
  mayBePlain,
  measureBackdrop,
} from "./evidence/measure-backdrop.ts";
import type { Prior } from "./evidence/prior.ts";
import {
  createWorkGrid,
  type GridColors,
  gridColors,
  priorFrom,
  type ScaledPhoto,
  type WorkGrid,
} from "./evidence/work-grid.ts";
import { addPaleRims } from "./mend/add-pale-rims.ts";
import { clearBaseLines } from "./mend/clear-base-lines.ts";
import { clearShadeRests } from "./mend/clear-shade-rests.ts";
import { type ClosedOpening, closeDoubtfulOpenings, closeTinyOpenings } from "./mend/close-openings.ts";
import { continueGaps } from "./mend/continue-gaps.ts";
import { judgeByGround } from "./mend/judge-by-ground.ts";
import { mendBase } from "./mend/mend-base.ts";
import { mendEdge } from "./mend/mend-edge.ts";
import { openCombs } from "./mend/open-combs.ts";
import { openSeenGaps } from "./mend/open-seen-gaps.ts";
import { removeStrays } from "./mend/remove-strays.ts";
import { straightenOutline } from "./mend/straighten-outline.ts";
import { trimUnderside } from "./mend/trim-underside.ts";
import { fillFalseHoles, removeEdgelessParts, removeSmallComponents } from "./segment/region-cleanup.ts";
import { cellsOffBackdrop, segmentPlainBackdrop } from "./segment/segment-plain-backdrop.ts";
import { addUnseenThings } from "./segment/unseen-things.ts";

export interface RefinedMatte {
  /** u8, of the photo's size. */
  readonly alpha: Uint8Array;
  /** Whether the backdrop is plain. */
  readonly isPlain: boolean;
  /** Whether the photo shows things on a backdrop and nothing else: then all of them are the product. */
  readonly showsAll: boolean;
  /** What may be openings and was filled, the largest first. */
  readonly uncertainOpenings: readonly ClosedOpening[];
}

export interface RefineOptions {
  /** false: the segmentation stays as it is, since the mends were fitted to another network's answers, or the caller gives it as it shall be. */
  readonly mendsMatte?: boolean;
  /** Where the photo was measured before, of the same backdrop. */
  readonly measured?: PhotoMeasures | undefined;
}

/** What refinement measures of the photo alone, in the kernels' memory. */
export interface PhotoMeasures {
  readonly colors: GridColors;
  /** undefined: the backdrop cannot be plain. */
  readonly compared: ComparedCells | undefined;
}

/** Needs no prediction, so it may be done while the network predicts. */
export function measurePhoto(onGrid: ScaledPhoto, backdrop: Backdrop): PhotoMeasures {
  const colors = gridColors(onGrid);
  return { colors, compared: mayBePlain(backdrop) ? compareCells(colors, backdrop) : undefined };
}

/** Changes the region, 1 where the product is, in place. */
type Mend = (region: Uint8Array, grid: WorkGrid, evidence: BackdropEvidence | undefined) => void;
type MendOnBackdrop = (region: Uint8Array, grid: WorkGrid, evidence: BackdropEvidence) => void;

const withoutBackdrop =
  (mend: Mend): Mend =>
  (region, grid, evidence) =>
    evidence === undefined && mend(region, grid, evidence);

const onBackdrop =
  (mend: MendOnBackdrop): Mend =>
  (region, grid, evidence) =>
    evidence && mend(region, grid, evidence);

const allAround =
  (mend: MendOnBackdrop): Mend =>
  (region, grid, evidence) =>
    evidence?.isAllAround && mend(region, grid, evidence);

const notAllAround =
  (mend: Mend): Mend =>
  (region, grid, evidence) =>
    evidence?.isAllAround !== true && mend(region, grid, evidence);

/** What is mended once openings are judged, in this order: each sees what those before it left. */
const mends: readonly Mend[] = [
  // Where the border shows no backdrop, a product may cover most of it.
  withoutBackdrop(judgeByGround),
  allAround(addPaleRims),
  // Before other grounds than one surface, what ends softly may be out of focus.
  onBackdrop(mendBase),
  allAround(clearBaseLines),
  allAround(trimUnderside),
  allAround(openCombs),
  mendEdge,
  allAround(clearShadeRests),
  allAround(straightenOutline),
  // On a backdrop all things are the product.
  notAllAround(removeStrays),
  closeTinyOpenings,
];

/**
 * Segments the product on the work grid: by its distance to the backdrop where the backdrop is plain, else by the
 * colors on either side of the network's edge. The segmentation with a band around its edge is a trimap: alpha is
 * estimated in the band, at full resolution.
 *
 * @param rgb the photo, interleaved u8 RGB of `size`
 * @param onGrid the same photo on the work grid
 */
export function refineMatte(
  rgb: Uint8Array,
  size: Size,
  onGrid: ScaledPhoto,
  prior: Prior,
  backdrop: Backdrop,
  { mendsMatte = true, measured }: RefineOptions = {},
): RefinedMatte {
  // All planes of the grid stay in the kernels' memory: none is copied, and the next photo uses the same pages.
  return inKernelMemory(() => {
    const { region, grid, evidence } = segmentProduct(measured ?? measurePhoto(onGrid, backdrop), prior, backdrop);
    const uncertain = mendsMatte ? closeDoubtfulOpenings(region, grid, evidence, prior.views) : [];
    if (mendsMatte) for (const mend of mends) inKernelMemory(() => mend(region, grid, evidence));
    return {
      alpha: estimateEdgeAlpha(rgb, size, region, grid),
      isPlain: evidence?.isPlain ?? false,
      showsAll: evidence?.isAllAround ?? false,
      uncertainOpenings: uncertain.map((opening) => inPixels(opening, grid, size)),
    };
  });
}

function inPixels({ box, inside }: ClosedOpening, grid: Size, size: Size): ClosedOpening {
  const x = size.width / grid.width;
  const y = size.height / grid.height;
  const left = Math.floor(box.left * x);
  const top = Math.floor(box.top * y);
  return {
    box: {
      left,
      top,
      width: Math.min(size.width - left, Math.ceil(box.width * x)),
      height: Math.min(size.height - top, Math.ceil(box.height * y)),
    },
    inside: { x: Math.floor((inside.x + 0.5) * x), y: Math.floor((inside.y + 0.5) * y) },
  };
}

export interface Segmentation {
  /** 1 where the product is, on the grid. */
  readonly region: Uint8Array;
  readonly grid: WorkGrid;
  /** undefined: the backdrop cannot be plain. */
  readonly evidence: BackdropEvidence | undefined;
}

/** The product with every opening that its colors and the network suggest, within `inKernelMemory`. */
export function segmentProduct({ colors, compared }: PhotoMeasures, prior: Prior, backdrop: Backdrop): Segmentation {
  const grid = createWorkGrid(colors, prior);
  const evidence = compared && measureBackdrop(grid, backdrop, compared);
  if (evidence === undefined) return { region: segmentScene(grid), grid, evidence };
  // A plain backdrop is all around.
  const different = evidence.isAllAround ? cellsOffBackdrop(grid, evidence) : undefined;
  const isPlain = evidence.isPlain && different !== undefined;
  const region = isPlain ? segmentPlainBackdrop(different, grid, evidence) : segmentScene(grid);
  const before = copyMask(region);
  openSeenGaps(region, grid);
  continueGaps(region, before, grid, evidence);
  if (different !== undefined) addUnseenThings(region, different, grid, evidence);
  return { region, grid, evidence };
}

function segmentScene(workGrid: WorkGrid): Uint8Array {
  const grid = addColorEvidence(workGrid);
  const region = fillFalseHoles(segmentByColor(grid), grid);
  return removeEdgelessParts(removeSmallComponents(region, grid), grid);
}

export const directions = 12;

/** @returns 1 where the product is, on the grid */
export function segmentByColor(grid: WorkGrid): Uint8Array {
  const { prior } = grid;
  const inside = priorFrom(grid, 0.5);
  // The network's edge is accurate to about one pixel of its output.
  const reach = Math.max(3, Math.ceil(grid.networkPixel) + 1);
  const depth = signedDistance(inside, grid, reach + 2);
  const rayReach = Math.ceil(20 * grid.networkPixel);
  const rays = rayOffsets(rayReach);
  const { width, height, lab } = grid;
  return computeBytes(prior.length, (to) => {
    const sideOf = reserve(prior.length);
    kernels.findSeeds(addressOf(depth), addressOf(prior), prior.length, reach, sideOf);
    const probability = reserve(4 * prior.length);
    kernels.productProbabilities(
      addressOf(prior),
      addressOf(lab),
      sideOf,
      addressOf(chessboardDistance(sideOf, 1, grid)),
      addressOf(chessboardDistance(sideOf, -1, grid)),
      width,
      height,
      addressOf(rays),
      rayReach,
      reserve(sampleBytes),
      probability,
    );
    kernels.thresholdOfMeans(probability, width, height, 0.5, reserve(4 * prior.length), to);
  });
}

/** Distances and weights, floats, of two samples of either side on each ray. */
const sampleBytes = 2 * 2 * 2 * directions * 4;

/** Offsets in x and y of the cells along each ray. */
export function rayOffsets(reach: number): Int16Array {
  const rays = new Int16Array(directions * reach * 2);
  for (let k = 0; k < directions; k++) {
    for (let step = 0; step < reach; step++) {
      const angle = (2 * Math.PI * k) / directions;
      rays[(k * reach + step) * 2] = Math.round(Math.cos(angle) * (step + 1));
      rays[(k * reach + step) * 2 + 1] = Math.round(Math.sin(angle) * (step + 1));
    }
  }
  return rays;
}
