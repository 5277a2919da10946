/**
 * Segmentation of a product in any scene. Near the network's edge each cell is compared with the colors on either
 * side of the edge, with the network's matte as the prior (Bayes). Far from the edge the network's matte decides.
 */

import { addressOf, computeBytes, reserve } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import { chessboardDistance } from "../pixels/chessboard-distance.ts";
import { signedDistance } from "../pixels/signed-distance.ts";
import { thresholdPlane, type WorkGrid } from "./work-grid.ts";

export const directions = 12;

/** @returns 1 where the product is, on the grid */
export function segmentByColor(grid: WorkGrid): Uint8Array {
  const { prior } = grid;
  const inside = thresholdPlane(prior, 0.5);
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
