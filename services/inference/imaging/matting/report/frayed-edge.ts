/**
 * How frayed a cut-out's edge is where the product has nearly the ground's color: there noise decides, and the edge has notches and
 * spikes that no product has. Elsewhere a rough edge is the product's own: fur, lace or a comb.
 */

import { addressOf, inKernelMemory, kernelBytes } from "../../kernels/kernel-memory.ts";
import { kernels } from "../../kernels/kernels.ts";
import type { Box, Size } from "../../pixels/geometry.ts";
import { rgbToLab } from "../../pixels/lab.ts";
import { countMarks, dilate, erode, listMarks, markEdge, withoutMarks } from "../../pixels/morphology.ts";
import type { Prior } from "../evidence/prior.ts";
import type { ScaledPhoto } from "../evidence/work-grid.ts";

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

/** Cut-outs whose edge is seen to be torn or frayed have more (docs/adr/0042-review-calibration.md). */
export const frayedEdgeMax = 0.0105;
/** At least this share of their edge is faint, and the network doubts it: its own edge would be another. */
const doubtedShareMin = 0.002;
/** Half the side, in cells, of the square in which an edge cell is looked at. */
const doubtReach = 4;
const doubtSide = 2 * doubtReach + 1;
/** From this mean doubt on (of 255), the network does not see the edge there. */
const doubtMin = 0.35 * 255;
/** Up to this Lab distance between both sides' mean colors, such an edge is faint. */
const faintDistanceMax = 10;

/** The cells around the product, as far as any is looked at. */
interface Part extends Box {
  /** 1 where the pixel in a cell's middle is more product than ground, of the part's size. */
  readonly inside: Uint8Array;
}

/**
 * @param alpha u8 of `size`
 * @param photo the photo, reduced
 * @param prior the network's matte of the same photo
 * @returns cells in notches and spikes of a faint edge, as a share of the edge's cells; 0 where there is no edge, and where so many
 *   that they may be seen are the product's own, because the network doubts next to nothing of a faint edge
 */
export function frayedEdge(alpha: Uint8Array, size: Size, photo: ScaledPhoto, prior: Prior): number {
  return inKernelMemory(() => {
    const part = productOnGrid(alpha, size, photo);
    if (part === undefined) return 0;
    const { inside } = part;
    const edge = markEdge(inside, part);
    const edgeCells = countMarks(edge);
    if (edgeCells === 0) return 0;
    const spikes = withoutMarks(inside, dilate(erode(inside, part, widthReach), part, widthReach));
    const notches = withoutMarks(erode(dilate(inside, part, widthReach), part, widthReach), inside);
    let frayed = 0;
    for (const marks of [spikes, notches]) {
      for (const cell of listMarks(marks)) {
        const isSure = sureness(cell, part, photo, prior) >= sureMin;
        if (!isSure && isFrayed(cell, part, photo)) frayed++;
      }
    }
    const share = frayed / edgeCells;
    // Few photos are frayed, and this takes longer.
    const isSeen = share <= frayedEdgeMax || countDoubted(edge, part, photo, prior) > doubtedShareMin * edgeCells;
    return isSeen ? share : 0;
  });
}

/** undefined: no cell is product. Outside of the part, nothing is. */
function productOnGrid(alpha: Uint8Array, size: Size, grid: Size): Part | undefined {
  const rows = kernelBytes(grid.height * size.width);
  for (const [y, row] of pixelsOf(grid.height, size.height).entries()) {
    rows.set(alpha.subarray(row * size.width, (row + 1) * size.width), y * size.width);
  }
  const box = boxOfCells(rows, size.width, grid);
  if (box === undefined) return undefined;
  const { left, top, width, height } = box;
  const pixelOf = addressOf(pixelsOf(grid.width, size.width).subarray(left, left + width));
  const inside = kernelBytes(width * height);
  for (let y = 0; y < height; y++) {
    const row = rows.byteOffset + (top + y) * size.width;
    kernels.sampleOpaque(row, pixelOf, width, inside.byteOffset + y * width);
  }
  return { ...box, inside };
}

/** For each cell the pixel in its middle. */
function pixelsOf(cells: number, pixels: number): Int32Array {
  return Int32Array.from({ length: cells }, (_, cell) => Math.floor(((cell + 0.5) / cells) * pixels));
}

/**
 * Every cell that may be product and the cells that are compared with it, as far as the grid has them.
 *
 * @param rows the matte's row of `pixels` in the middle of each row of cells
 */
function boxOfCells(rows: Uint8Array, pixels: number, grid: Size): Box | undefined {
  let first = pixels;
  let end = 0;
  let top = -1;
  let bottom = -1;
  for (let y = 0; y < grid.height; y++) {
    const row = rows.byteOffset + y * pixels;
    const firstOfRow = kernels.firstOpaque(row, pixels);
    if (firstOfRow === pixels) continue;
    if (top < 0) top = y;
    bottom = y;
    first = Math.min(first, firstOfRow);
    end = Math.max(end, kernels.endOfOpaque(row, pixels));
  }
  if (top < 0) return undefined;
  const cellsPerPixel = grid.width / pixels;
  const left = Math.max(0, Math.floor(first * cellsPerPixel) - reach);
  const right = Math.min(grid.width, Math.ceil(end * cellsPerPixel) + reach);
  const above = Math.max(0, top - reach);
  return { left, top: above, width: right - left, height: Math.min(grid.height, bottom + 1 + reach) - above };
}

/** 0–255: how sure the network is that a cell is on its side of the edge. */
function sureness(cell: number, { inside, left, top, width }: Part, grid: Size, prior: Prior): number {
  const x = Math.floor((((cell % width) + left + 0.5) * prior.width) / grid.width);
  const y = Math.floor(((Math.floor(cell / width) + top + 0.5) * prior.height) / grid.height);
  const odds = prior.alpha[y * prior.width + x]!;
  return inside[cell] === 1 ? odds : 255 - odds;
}

/** Whether a cell of a notch or spike is deep in the other side, and both sides have nearly the same mean color around it. */
function isFrayed(cell: number, part: Part, { width: gridWidth, rgb }: ScaledPhoto): boolean {
  const { inside, width, height } = part;
  const top = Math.floor(cell / width) - reach;
  const left = (cell % width) - reach;
  // The part ends nearer to a cell only where the photo does.
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
  for (let y = 0; y < side; y++) {
    const row = first + y * width;
    const rgbRow = (part.top + top + y) * gridWidth + part.left + left;
    for (let x = 0; x < side; x++) {
      const from = 3 * inside[row + x]!;
      for (let c = 0; c < 3; c++) colors[from + c]! += rgb[3 * (rgbRow + x) + c]!;
    }
  }
  let difference = 0;
  for (let c = 0; c < 3; c++) difference += Math.abs(colors[c]! / ground - colors[3 + c]! / product);
  return difference < 3 * contrastMax;
}

/** How many cells of the edge are doubted by the network, with nearly the same color on both sides. */
function countDoubted(edge: Uint8Array, part: Part, photo: ScaledPhoto, prior: Prior): number {
  const sides = sidesOf(part);
  const colors: number[] = [];
  for (const cell of listMarks(edge)) {
    const around = lookAround(cell, part, sides, photo, prior);
    if (around !== undefined && around.doubt > doubtMin) colors.push(...around.product, ...around.ground);
  }
  const lab = rgbToLab(Uint8Array.from(colors));
  let faint = 0;
  for (let i = 0; i < lab.length; i += 6) {
    const distance = Math.hypot(lab[i]! - lab[i + 3]!, lab[i + 1]! - lab[i + 4]!, lab[i + 2]! - lab[i + 5]!);
    if (distance < faintDistanceMax) faint++;
  }
  return faint;
}

/** 1 in the product and 2 in the ground, but 0 where a cell mixes both. */
function sidesOf(part: Part): Uint8Array {
  const { inside } = part;
  const inner = erode(inside, part, 2);
  const outer = dilate(inside, part, 1);
  return inside.map((_, i) => (inner[i] === 1 ? 1 : outer[i] === 0 ? 2 : 0));
}

interface Around {
  /** The mean, of 255. */
  readonly doubt: number;
  /** Mean red, green and blue of both sides. */
  readonly product: readonly number[];
  readonly ground: readonly number[];
}

/** undefined: the photo ends there, or only one side is near. */
function lookAround(cell: number, part: Part, sides: Uint8Array, photo: ScaledPhoto, prior: Prior): Around | undefined {
  const { width, height } = part;
  const top = Math.floor(cell / width) - doubtReach;
  const left = (cell % width) - doubtReach;
  if (top < 0 || left < 0 || top + doubtSide > height || left + doubtSide > width) return undefined;
  const sums = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  const cells = [0, 0, 0];
  let doubt = 0;
  for (let y = top; y < top + doubtSide; y++) {
    for (let x = left; x < left + doubtSide; x++) {
      const at = y * width + x;
      doubt += 255 - sureness(at, part, photo, prior);
      const side = sides[at]!;
      cells[side]!++;
      const from = 3 * ((part.top + y) * photo.width + part.left + x);
      for (let c = 0; c < 3; c++) sums[3 * side + c]! += photo.rgb[from + c]!;
    }
  }
  if (cells[1] === 0 || cells[2] === 0) return undefined;
  const meanOf = (side: number) => [0, 1, 2].map((c) => Math.round(sums[3 * side + c]! / cells[side]!));
  return { doubt: doubt / doubtSide ** 2, product: meanOf(1), ground: meanOf(2) };
}
