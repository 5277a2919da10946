/**
 * Segmentation of a product in any scene. Near the network's edge each cell is compared with the colors on either
 * side of the edge, with the network's matte as the prior (Bayes). Far from the edge the network's matte decides.
 */

import type { WorkGrid } from "../../services/inference/imaging/matting/evidence/work-grid.ts";
import { directions, rayOffsets } from "../../services/inference/imaging/matting/refine-matte.ts";
import { boxMean } from "./box-filter.ts";
import { signedDistance } from "./signed-distance.ts";

/** Bandwidth of the color kernel, as a Lab distance. */
const bandwidth = 5;
const likelihoodFloor = 1e-3;

/** @returns 1 where the product is, on the grid */
export function segmentByColor(grid: WorkGrid): Uint8Array {
  const { prior } = grid;
  const inside = thresholdPlane(prior, 0.5);
  // The network's edge is accurate to about one pixel of its output.
  const reach = Math.max(3, Math.ceil(grid.networkPixel) + 1);
  const depth = signedDistance(inside, grid, reach + 2);
  const sideOf = new Int8Array(prior.length);
  for (let i = 0; i < prior.length; i++) {
    const p = prior[i]!;
    if (depth[i]! > reach - 0.5 && p > 0.8) sideOf[i] = 1;
    else if (depth[i]! < 0.5 - reach && p < 0.2) sideOf[i] = -1;
  }
  const rayReach = Math.ceil(20 * grid.networkPixel);
  const rays = rayOffsets(rayReach);
  const seedDistances: SeedDistances = {
    product: chessboardDistance(1, sideOf, grid),
    background: chessboardDistance(-1, sideOf, grid),
  };
  const probability = Float32Array.from(sideOf, (side) => (side > 0 ? 1 : 0));
  const { width, height } = grid;
  const isSeed = (i: number) => sideOf[i] !== 0;
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const i = y * width + x;
      if (!isSeed(i)) probability[i] = productProbability(i, grid, seedDistances, rays, rayReach);
    }
  }
  // Between them is the mean of both neighbors; at the border, the one that there is.
  const meanOf = (before: number, after: number, hasAfter: boolean) =>
    hasAfter ? (probability[before]! + probability[after]!) / 2 : probability[before]!;
  for (let y = 0; y < height; y += 2) {
    for (let x = 1; x < width; x += 2) {
      const i = y * width + x;
      if (!isSeed(i)) probability[i] = meanOf(i - 1, i + 1, x < width - 1);
    }
  }
  for (let y = 1; y < height; y += 2) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      if (!isSeed(i)) probability[i] = meanOf(i - width, i + width, y < height - 1);
    }
  }
  return thresholdPlane(boxMean(probability, grid, 1), 0.5);
}

/** u8 per cell: chessboard distance, at most `stepsMax`, to the nearest cell that is surely product or background. */
interface SeedDistances {
  readonly product: Uint8Array;
  readonly background: Uint8Array;
}

const stepsMax = 255;

function chessboardDistance(side: 1 | -1, sideOf: Int8Array, { width, height }: WorkGrid): Uint8Array {
  // A frame of distant cells around the image saves the checks for its border.
  const stride = width + 2;
  const framed = new Uint8Array(stride * (height + 2)).fill(stepsMax);
  for (let y = 0; y < height; y++) seedRow(side, sideOf, y * width, width, framed, (y + 1) * stride + 1);
  for (let y = 1; y <= height; y++) spreadRow(framed, y * stride + 1, 1, width, stride);
  for (let y = height; y >= 1; y--) spreadRow(framed, y * stride + width, -1, width, stride);
  const steps = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    steps.set(framed.subarray((y + 1) * stride + 1, (y + 1) * stride + 1 + width), y * width);
  }
  return steps;
}

function seedRow(side: number, sideOf: Int8Array, row: number, width: number, framed: Uint8Array, to: number): void {
  for (let x = 0; x < width; x++) if (sideOf[row + x] === side) framed[to + x] = 0;
}

/** Propagates forward (`step` 1) from the row above, or backward (−1) from the row below. */
function spreadRow(framed: Uint8Array, first: number, step: 1 | -1, width: number, stride: number): void {
  const before = -step * stride;
  for (let k = 0, at = first; k < width; k++, at += step) {
    const nearest = Math.min(
      framed[at - step]!,
      framed[at + before - 1]!,
      framed[at + before]!,
      framed[at + before + 1]!,
    );
    if (nearest + 1 < framed[at]!) framed[at] = nearest + 1;
  }
}

/** Probability of product, from the first two seed colors of either side on each ray. */
function productProbability(
  i: number,
  grid: WorkGrid,
  seedDistances: SeedDistances,
  rays: Int16Array,
  reach: number,
): number {
  const { width, height, lab, prior } = grid;
  const x = i % width;
  const y = (i - x) / width;
  const l = lab[i * 3]!;
  const a = lab[i * 3 + 1]!;
  const b = lab[i * 3 + 2]!;
  let product = 0;
  let background = 0;
  let productWeight = 1e-6;
  let backgroundWeight = 1e-6;
  for (let k = 0; k < directions; k++) {
    let needProduct = 2;
    let needBackground = 2;
    for (let step = 0; step < reach && needProduct + needBackground > 0; step++) {
      const at = (k * reach + step) * 2;
      const px = x + rays[at]!;
      const py = y + rays[at + 1]!;
      if (px < 0 || py < 0 || px >= width || py >= height) break;
      const to = py * width + px;
      const toProduct = needProduct > 0 ? seedDistances.product[to]! : stepsMax;
      const toSeed = Math.min(toProduct, needBackground > 0 ? seedDistances.background[to]! : stepsMax);
      if (toSeed > 0) {
        // No seed of the needed sides is nearer, in any direction.
        step += toSeed - 1;
        continue;
      }
      const dl = l - lab[to * 3]!;
      const da = a - lab[to * 3 + 1]!;
      const db = b - lab[to * 3 + 2]!;
      const likelihood = Math.exp(-(dl * dl + da * da + db * db) / (2 * bandwidth * bandwidth));
      const weight = 1 / (2 + step);
      if (toProduct === 0) {
        needProduct--;
        product += weight * likelihood;
        productWeight += weight;
      } else {
        needBackground--;
        background += weight * likelihood;
        backgroundWeight += weight;
      }
      step += 2;
    }
  }
  const p = Math.min(0.97, Math.max(0.03, prior[i]!));
  if (productWeight < 1e-3 || backgroundWeight < 1e-3) return p;
  const odds =
    ((product / productWeight + likelihoodFloor) / (background / backgroundWeight + likelihoodFloor)) * (p / (1 - p));
  return odds / (1 + odds);
}

/** 1 where `plane` reaches `threshold`. */
function thresholdPlane(plane: Float32Array, threshold: number): Uint8Array {
  return Uint8Array.from(plane, (value) => (value >= threshold ? 1 : 0));
}
