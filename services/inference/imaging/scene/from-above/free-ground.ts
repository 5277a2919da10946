/** The ground around a product that is seen from above: what of it is taken, in small squares. */

import type { ProductPose } from "../../shadow/pose.ts";
import { longSide } from "../../shadow/silhouette.ts";
import type { Camera } from "../canvas/camera.ts";
import type { Spot } from "../motifs/stamp.ts";
import { productShares } from "../stands/build-set.ts";

/** Squares along a unit of the ground, and how many of them around the product stay free. */
const squaresPerSize = 48;
const gapSquares = 2;
/** Squares along the picture's longer side: those around a product that is tiny in it are larger. */
const squaresMax = 1024;

/** What of a rectangle shows. */
export interface Shown {
  /** The share of it inside the picture, 0–1; 0: it would lie upon something. */
  readonly share: number;
  /** The middle of that share, in units of the ground. */
  readonly x: number;
  readonly y: number;
}

export interface FreeGround {
  /** @param mayCover things, as what lies on a towel does; never the product */
  readonly shown: (spot: Spot, mayCover: boolean) => Shown;
  readonly take: (spot: Spot) => void;
}

const hiddenSpot: Shown = { share: 0, x: 0, y: 0 };
const ofProduct = 2;
const ofThing = 1;

/** @param productLong the product's longer side, in units of the ground */
export function createFreeGround(camera: Camera, pose: ProductPose | null, productLong = 1): FreeGround {
  const { width, height, size, baseX, baseY } = camera;
  const step = size / squaresPerSize;
  const side = Math.max(step, Math.max(width, height) / squaresMax);
  const columns = Math.ceil(width / side);
  const rows = Math.ceil(height / side);
  const taken = new Uint8Array(columns * rows);
  const middleY = baseY - size / 2;
  const isProduct = outlineOf(pose);
  const half = (productLong * size) / 2;
  const squareAt = (px: number, py: number) => {
    const column = Math.floor(px / side);
    const row = Math.floor(py / side);
    return column >= 0 && column < columns && row >= 0 && row < rows ? row * columns + column : -1;
  };
  const stepsFrom = (from: number) => Math.max(0, Math.floor(from / step));
  const stepsTo = (to: number, end: number) => Math.min(Math.ceil(end / step), Math.ceil(to / step));
  for (let row = stepsFrom(middleY - half); row < stepsTo(middleY + half, height); row++) {
    for (let column = stepsFrom(baseX - half); column < stepsTo(baseX + half, width); column++) {
      const px = (column + 0.5) * step;
      const py = (row + 0.5) * step;
      if (!isProduct((px - baseX) / (2 * half), (middleY - py) / (2 * half))) continue;
      const square = squareAt(px, py);
      if (square >= 0) spread(taken, columns, rows, square % columns, Math.floor(square / columns));
    }
  }
  /** Calls `at` with the square of each point of the spot's rectangle; −1: outside the picture. */
  const eachSquare = ({ x, y, reach, turn, wide = 1 }: Spot, at: (square: number, x: number, y: number) => boolean) => {
    const cos = Math.cos(turn);
    const sin = Math.sin(turn);
    const along = Math.max(4, Math.ceil(1.6 * reach * squaresPerSize));
    const across = Math.max(2, Math.ceil(1.6 * reach * wide * squaresPerSize));
    for (let i = 0; i <= along; i++) {
      const a = reach * ((2 * i) / along - 1);
      for (let j = 0; j <= across; j++) {
        const b = reach * wide * ((2 * j) / across - 1);
        const px = x + a * cos - b * sin;
        const py = y + a * sin + b * cos;
        if (!at(squareAt(baseX + px * size, middleY - py * size), px, py)) return;
      }
    }
  };
  return {
    shown: (spot, mayCover) => {
      let all = 0;
      let inside = 0;
      let sumX = 0;
      let sumY = 0;
      let isUpon = false;
      const least = mayCover ? ofProduct : ofThing;
      eachSquare(spot, (square, x, y) => {
        all++;
        if (square < 0) return true;
        isUpon = taken[square]! >= least;
        inside++;
        sumX += x;
        sumY += y;
        return !isUpon;
      });
      if (isUpon || inside === 0) return hiddenSpot;
      return { share: inside / all, x: sumX / inside, y: sumY / inside };
    },
    take: (spot) =>
      eachSquare(spot, (square) => {
        if (square >= 0 && taken[square] === 0) taken[square] = ofThing;
        return true;
      }),
  };
}

/** Takes a square of the product and those around it. */
function spread(taken: Uint8Array, columns: number, rows: number, column: number, row: number): void {
  for (let y = Math.max(0, row - gapSquares); y <= Math.min(rows - 1, row + gapSquares); y++) {
    const from = Math.max(0, column - gapSquares);
    taken.fill(ofProduct, y * columns + from, y * columns + Math.min(columns, column + gapSquares + 1));
  }
}

/** Whether a point of the ground, in sizes of the product, is below it. */
function outlineOf(pose: ProductPose | null): (x: number, y: number) => boolean {
  if (pose === null) {
    const { wide, tall } = productShares(null);
    return (x, y) => Math.abs(x) < 0.5 * wide && Math.abs(y) < 0.5 * tall;
  }
  const { inside, width, left, right, top, bottom } = pose.silhouette;
  const long = longSide(pose.silhouette);
  return (x, y) => {
    const column = Math.floor((left + right) / 2 + x * long);
    const row = Math.floor(bottom - long / 2 - y * long);
    return column >= left && column < right && row >= top && row < bottom && inside[row * width + column] === 1;
  };
}
