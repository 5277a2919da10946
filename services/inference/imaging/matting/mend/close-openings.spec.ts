/** A bag with a handle on gray paper, drawn, and what the network says of it, too. */
import { describe, expect, it } from "vitest";
import type { Point, Size } from "../../pixels/geometry.ts";
import { fitBackdrop } from "../evidence/backdrop.ts";
import type { Prior } from "../evidence/prior.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";
import { type RefineOptions, refineMatte } from "../refine-matte.ts";
import { closeTinyOpenings } from "./close-openings.ts";

const side = 320;
type Shape = (x: number, y: number) => boolean;
type Color = readonly [number, number, number];

/** Deterministic grain. */
const grainAt = (i: number) => (((i * 2_654_435_761) >>> 0) / 2 ** 32 - 0.5) * 6;

const disk =
  (x0: number, y0: number, radius: number): Shape =>
  (x, y) =>
    Math.hypot(x - x0, y - y0) < radius;
const body: Shape = (x, y) => x >= 60 && x < 260 && y >= 140 && y < 290;
const handle: Shape = (x, y) => disk(160, 140, 80)(x, y) && !disk(160, 140, 62)(x, y) && y < 142;
const loop: Shape = (x, y) => disk(160, 140, 62)(x, y) && y < 140;
const bag: Shape = (x, y) => body(x, y) || handle(x, y);
const stripes: Shape = (x, y) => body(x, y) && y > 150 && y < 280 && x > 70 && x < 250 && Math.floor(x / 6) % 2 === 0;

const gray: Color = [182, 182, 180];
const brown: Color = [92, 58, 40];

/** @param isStriped whether the body has stripes in the paper's color: then that color is the product's, too */
function refine(isStriped: boolean, options?: RefineOptions) {
  const size: Size = { width: side, height: side };
  const rgb = new Uint8Array(side * side * 3);
  const alpha = new Uint8Array(side * side);
  for (let i = 0; i < alpha.length; i++) {
    const x = i % side;
    const y = Math.floor(i / side);
    const isGray = isStriped && stripes(x, y);
    const color = isGray || !bag(x, y) ? gray : brown;
    for (let c = 0; c < 3; c++) rgb[i * 3 + c] = Math.max(0, Math.min(255, Math.round(color[c]! + grainAt(i))));
    alpha[i] = bag(x, y) ? 255 : 0;
  }
  const network: Prior = { ...size, alpha, networkPixel: 2 };
  const refined = refineMatte(rgb, size, { ...size, rgb }, network, fitBackdrop(rgb, side), options);
  const opaqueShare = (shape: Shape) => {
    let cells = 0;
    let opaque = 0;
    for (let i = 0; i < alpha.length; i++) {
      if (!shape(i % side, Math.floor(i / side))) continue;
      cells++;
      if (refined.alpha[i]! >= 128) opaque++;
    }
    return opaque / cells;
  };
  return { ...refined, opaqueShare };
}

/** Whether the middle of what was filled is opaque. */
const isFilled = ({ alpha }: ReturnType<typeof refine>, { x, y }: Point) => alpha[y * side + x]! >= 128;

describe("an opening", () => {
  it("in a handle, with the paper's colors behind it, stays open and is not named", () => {
    const refined = refine(false);
    expect(refined.opaqueShare(loop)).toBeLessThan(0.02);
    expect(refined.opaqueShare(body)).toBeGreaterThan(0.99);
    expect(refined.uncertainOpenings).toEqual([]);
  });

  it("in stripes of the paper's color is filled and named; the handle's stays open", () => {
    const refined = refine(true);
    const unjudged = refine(true, { mendsMatte: false });
    expect(unjudged.uncertainOpenings).toEqual([]);
    expect(refined.uncertainOpenings).not.toEqual([]);
    for (const { box, inside } of refined.uncertainOpenings) {
      expect(stripes(inside.x, inside.y)).toBe(true);
      expect(inside.x).toBeGreaterThanOrEqual(box.left);
      expect(inside.x).toBeLessThan(box.left + box.width);
      expect(inside.y).toBeGreaterThanOrEqual(box.top);
      expect(inside.y).toBeLessThan(box.top + box.height);
      expect([isFilled(unjudged, inside), isFilled(refined, inside)]).toEqual([false, true]);
    }
    expect(refined.opaqueShare(loop)).toBeLessThan(0.02);
  });
});

const squareSide = 400;
/** The square has 90,000 cells, so that an opening of up to 8 of them is tiny. */
const square = { from: 50, end: 350 };

type Opening = readonly [x: number, y: number, width: number, height: number];

/** @returns which openings are closed */
function close(openings: readonly Opening[]): boolean[] {
  const region = new Uint8Array(squareSide * squareSide);
  for (let y = square.from; y < square.end; y++)
    region.fill(1, y * squareSide + square.from, y * squareSide + square.end);
  for (const [x, y, width, height] of openings) {
    for (let row = y; row < y + height; row++) region.fill(0, row * squareSide + x, row * squareSide + x + width);
  }
  closeTinyOpenings(region, { width: squareSide, height: squareSide } as WorkGrid);
  return openings.map(([x, y]) => region[y * squareSide + x] === 1);
}

describe("openings too small to be judged", () => {
  it("closes specks, and leaves what is large enough to be judged", () => {
    expect(close([[100, 100, 4, 2]])).toEqual([true]);
    expect(close([[100, 100, 4, 3]])).toEqual([false]);
  });

  it("leaves notches of the outline", () => {
    expect(close([[square.from, 100, 4, 2]])).toEqual([false]);
  });

  it("leaves a mesh, and closes what a few specks are", () => {
    const row = (count: number) => Array.from({ length: count }, (_, n): Opening => [60 + 8 * n, 200, 3, 2]);
    expect(close(row(12)).every((isClosed) => !isClosed)).toBe(true);
    expect(close(row(11)).every(Boolean)).toBe(true);
  });
});
