/** A blue box in a drawn room, and what sticks out behind it or lies beside it, with what the network says of it. */
import { describe, expect, it } from "vitest";
import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { rgbToLab } from "../../pixels/lab.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";
import { removeStrays } from "./remove-strays.ts";

type Shape = (x: number, y: number) => boolean;
type Color = readonly [number, number, number];

const side = 240;
const wall: Color = [190, 180, 165];
const blue: Color = [60, 90, 150];
const book: Color = [40, 130, 190];
const red: Color = [170, 40, 40];

const rectangle =
  (left: number, top: number, width: number, height: number): Shape =>
  (x, y) =>
    x >= left && x < left + width && y >= top && y < top + height;
const box = rectangle(70, 100, 100, 100);

interface Drawn {
  /** Taken for product beside the box. */
  readonly piece: Shape;
  readonly color: Color;
  /** The network's, of the piece; of the rest it is sure. */
  readonly prior: number;
  /** More of the ground in the piece's color. */
  readonly ground?: Shape;
  /** The network's, of the ground. */
  readonly groundPrior?: number;
}

/** The share of the piece that stays. The box must stay whole. */
function keptShare({ piece, color, prior: ofPiece, ground = () => false, groundPrior = 0 }: Drawn): number {
  const cells = side * side;
  const region = new Uint8Array(cells);
  const rgb = new Uint8Array(3 * cells);
  const prior = new Float32Array(cells);
  let all = 0;
  for (let i = 0; i < cells; i++) {
    const x = i % side;
    const y = Math.floor(i / side);
    const isBox = box(x, y);
    const isPiece = !isBox && piece(x, y);
    if (isPiece) all++;
    region[i] = isBox || isPiece ? 1 : 0;
    rgb.set(isBox ? blue : isPiece || ground(x, y) ? color : wall, 3 * i);
    prior[i] = isBox ? 1 : isPiece ? ofPiece : groundPrior;
  }
  const grid: WorkGrid = { width: side, height: side, rgb, lab: rgbToLab(rgb), prior, networkPixel: 2 };
  const left = inKernelMemory(() => {
    const kept = region.slice();
    removeStrays(kept, grid);
    return kept;
  });
  let stays = 0;
  for (let i = 0; i < cells; i++) {
    const isBox = box(i % side, Math.floor(i / side));
    if (isBox) expect(left[i], "the box").toBe(1);
    else stays += left[i]!;
  }
  return stays / all;
}

/** Stands behind the box; more of the book is seen above it. */
const spine = rectangle(100, 70, 14, 30);
const books = rectangle(100, 30, 60, 70);

describe("what sticks out of a product and the network does not see", () => {
  it("goes where the ground goes on beside it in its color", () => {
    // A rim of the network's blur is left to the edge.
    expect(keptShare({ piece: spine, color: book, prior: 0.15, ground: books })).toBeLessThan(0.2);
  });

  it.each([
    ["a strap in a color of its own", { piece: spine, color: red, prior: 0 }],
    ["a handle in the product's color", { piece: spine, color: blue, prior: 0.1 }],
    ["what the network half sees", { piece: spine, color: book, prior: 0.45, ground: books }],
    [
      "a panel that is mostly beside the product",
      { piece: rectangle(70, 90, 100, 10), color: book, prior: 0.15, ground: books },
    ],
    ["what the photo's border cuts", { piece: rectangle(100, 0, 14, 100), color: book, prior: 0.15, ground: books }],
  ])("stays if it is %s", (_what, drawn) => {
    expect(keptShare(drawn)).toBe(1);
  });
});

const patch = rectangle(190, 150, 12, 12);
const tiles = rectangle(180, 130, 50, 50);

describe("an island that the network half sees", () => {
  it("goes where it is a piece of the ground around it", () => {
    expect(keptShare({ piece: patch, color: book, prior: 0.8, ground: tiles })).toBe(0);
  });

  it.each([
    ["in a color of its own", { piece: patch, color: red, prior: 0.8 }],
    ["in the product's color, on ground of that color", { piece: patch, color: blue, prior: 0.8, ground: tiles }],
    ["of which the network is sure", { piece: patch, color: book, prior: 0.95, ground: tiles }],
    ["that its color alone has kept", { piece: patch, color: book, prior: 0.3, ground: tiles }],
    ["of a torn product", { piece: patch, color: book, prior: 0.8, ground: tiles, groundPrior: 0.45 }],
    [
      "as large as a part",
      { piece: rectangle(190, 20, 40, 40), color: book, prior: 0.8, ground: rectangle(175, 0, 65, 80) },
    ],
  ])("stays %s", (_what, drawn) => {
    expect(keptShare(drawn)).toBe(1);
  });
});

describe("a speck of which the network is sure", () => {
  const speck = rectangle(200, 150, 2, 2);

  it("goes far beside the product", () => {
    expect(keptShare({ piece: speck, color: red, prior: 1 })).toBe(0);
  });

  it.each([
    ["near the product", rectangle(176, 150, 2, 2)],
    ["in a row of others, as pieces of a cord", (x, y) => x >= 200 && x < 218 && y >= 150 && y < 152 && x % 6 < 4],
    ["larger than a speck", rectangle(200, 150, 3, 2)],
  ] satisfies [string, Shape][])("stays %s", (_what, piece) => {
    expect(keptShare({ piece, color: red, prior: 1 })).toBe(1);
  });
});
