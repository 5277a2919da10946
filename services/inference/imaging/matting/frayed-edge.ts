/**
 * How frayed a cut-out's edge is where the product has nearly the ground's color: there noise decides, and the edge has notches and
 * spikes that no product has. Elsewhere a rough edge is the product's own: fur, lace or a comb.
 */

import { addressOf, computeBytes, inKernelMemory, kernelBytes } from "../kernels/kernel-memory.ts";
import { kernels } from "../kernels/kernels.ts";
import type { Size } from "../pixels/geometry.ts";
import { countMarks, dilate, erode, listMarks, markEdge, withoutMarks } from "../pixels/morphology.ts";
import type { Prior } from "./prior.ts";
import type { ScaledPhoto } from "./work-grid.ts";

/** Half the width, in cells, of the widest notch or spike. */
const widthReach = 5;
/** Half the side, in cells, of the square in which the edge would be straight without it, and colors are compared. */
const reach = 8;
const side = 2 * reach + 1;
/** In cells: what lies nearer to the straightened edge is no notch or spike. */
const depthMin = 1.5;
/** A spike's square holds at most this share of the product, a notch's at most this share of the ground. */
const ownShareMax = 0.5 - depthMin / side;
/** Mean difference of red, green and blue, of 255, between both sides below which an edge is faint. */
const contrastMax = 24;
/** A spike or notch of which the network is so sure (of 255) is the product's own, as struts are. */
const sureMin = 191;

/**
 * @param alpha u8 of `size`
 * @param photo the photo, reduced
 * @param prior the network's matte of the same photo
 * @returns cells in notches and spikes of a faint edge, as a share of the edge's cells; 0 where there is no edge
 */
export function frayedEdge(alpha: Uint8Array, size: Size, photo: ScaledPhoto, prior: Prior): number {
  return inKernelMemory(() => {
    const inside = productOnGrid(alpha, size, photo);
    const edgeCells = countMarks(markEdge(inside, photo));
    if (edgeCells === 0) return 0;
    const spikes = withoutMarks(inside, dilate(erode(inside, photo, widthReach), photo, widthReach));
    const notches = withoutMarks(erode(dilate(inside, photo, widthReach), photo, widthReach), inside);
    let frayed = 0;
    for (const marks of [spikes, notches]) {
      for (const cell of listMarks(marks)) {
        const isSure = sureness(cell, inside, photo, prior) >= sureMin;
        if (!isSure && isFrayed(cell, inside, photo)) frayed++;
      }
    }
    return frayed / edgeCells;
  });
}

/** 1 where the pixel in a cell's middle is more product than ground. */
function productOnGrid(alpha: Uint8Array, size: Size, { width, height }: Size): Uint8Array {
  if (size.width === width && size.height === height) {
    return computeBytes(alpha.length, (to) => kernels.thresholdBytes(addressOf(alpha), alpha.length, 128, to));
  }
  const pixelAt = (cell: number, cells: number, pixels: number) => Math.floor(((cell + 0.5) / cells) * pixels);
  const columns = Int32Array.from({ length: width }, (_, x) => pixelAt(x, width, size.width));
  const inside = kernelBytes(width * height);
  for (let y = 0; y < height; y++) {
    fillRow(inside, y * width, alpha, pixelAt(y, height, size.height) * size.width, columns);
  }
  return inside;
}

/** A function of its own, so that V8 keeps its code: see addLine in source/jpeg-blocking.ts. */
function fillRow(inside: Uint8Array, to: number, alpha: Uint8Array, row: number, columns: Int32Array): void {
  for (let x = 0; x < columns.length; x++) inside[to + x] = alpha[row + columns[x]!]! >> 7;
}

/** 0–255: how sure the network is that a cell is on its side of the edge. */
function sureness(cell: number, inside: Uint8Array, { width, height }: Size, prior: Prior): number {
  const x = Math.floor((((cell % width) + 0.5) * prior.width) / width);
  const y = Math.floor(((Math.floor(cell / width) + 0.5) * prior.height) / height);
  const odds = prior.alpha[y * prior.width + x]!;
  return inside[cell] === 1 ? odds : 255 - odds;
}

/** Whether a cell of a notch or spike is deep in the other side, and both sides have nearly the same mean color around it. */
function isFrayed(cell: number, inside: Uint8Array, { width, height, rgb }: ScaledPhoto): boolean {
  const top = Math.floor(cell / width) - reach;
  const left = (cell % width) - reach;
  if (top < 0 || left < 0 || top + side > height || left + side > width) return false;
  const first = top * width + left;
  let product = 0;
  for (let row = first; row < first + side * width; row += width) {
    for (let i = row; i < row + side; i++) product += inside[i]!;
  }
  const ground = side * side - product;
  // Few cells are so deep, and colors take longer.
  if ((inside[cell] === 1 ? product : ground) > ownShareMax * side * side) return false;
  const colors = [0, 0, 0, 0, 0, 0];
  for (let row = first; row < first + side * width; row += width) {
    for (let i = row; i < row + side; i++) {
      const from = 3 * inside[i]!;
      for (let c = 0; c < 3; c++) colors[from + c]! += rgb[3 * i + c]!;
    }
  }
  let difference = 0;
  for (let c = 0; c < 3; c++) difference += Math.abs(colors[c]! / ground - colors[3 + c]! / product);
  return difference < 3 * contrastMax;
}
