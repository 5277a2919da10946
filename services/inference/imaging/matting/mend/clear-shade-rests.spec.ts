/** A dark box in its soft contact shadow, drawn, of which the segmentation has kept a piece. */
import { expect, it } from "vitest";
import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { rgbToLab } from "../../pixels/lab.ts";
import { fitBackdrop } from "../evidence/backdrop.ts";
import { measureBackdrop } from "../evidence/measure-backdrop.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";
import { clearShadeRests } from "./clear-shade-rests.ts";

type Shape = (x: number, y: number) => boolean;

const side = 400;
const groundGray = 205;
const boxGray = 50;
const base = 310;

const within =
  (left: number, top: number, right: number, bottom: number): Shape =>
  (x, y) =>
    x >= left && x < right && y >= top && y < bottom;
const box = within(50, 60, 350, base);
const below = within(175, base, 220, base + 14);
const beside = within(350, 265, 364, 305);

interface Drawn {
  /** What the segmentation has kept beside the box. */
  readonly piece: Shape;
  /** How sure the network is of it. */
  readonly prior?: number;
  /** By how many gray levels the shadow darkens the ground below the box. */
  readonly shade?: number;
  /** Gray of the piece; that of the shadow where it is absent. */
  readonly gray?: number;
}

/** @returns the share of the piece that is left */
function clear({ piece, prior: pieceAt = 0.8, shade = 100, gray }: Drawn): number {
  const rgb = new Uint8Array(3 * side * side);
  const region = new Uint8Array(side * side);
  const prior = new Float32Array(side * side);
  for (let i = 0; i < region.length; i++) {
    const x = i % side;
    const y = Math.floor(i / side);
    const outside = Math.hypot(Math.max(0, 50 - x, x - 350), Math.max(0, base - 60 - y, y - base));
    const shadow = groundGray - shade * Math.exp(-((outside / 28) ** 2));
    const isPiece = piece(x, y);
    rgb.fill(box(x, y) ? boxGray : Math.round((isPiece && gray) || shadow), 3 * i, 3 * i + 3);
    region[i] = box(x, y) || isPiece ? 1 : 0;
    prior[i] = box(x, y) ? 1 : isPiece ? pieceAt : 0;
  }
  const grid: WorkGrid = { width: side, height: side, rgb, lab: rgbToLab(rgb), prior, networkPixel: 2 };
  const out = inKernelMemory(() => {
    const cleared = region.slice();
    clearShadeRests(cleared, grid, measureBackdrop(grid, fitBackdrop(rgb, side)));
    return cleared.slice();
  });
  const at = (shape: Shape) => out.filter((_, i) => shape(i % side, Math.floor(i / side)));
  expect(at(box).includes(0), "the box is whole").toBe(false);
  const left = at(piece);
  return left.reduce((sum, cell) => sum + cell, 0) / left.length;
}

it("clears a rest of the shadow below the product, although the network takes it for product", () => {
  expect(clear({ piece: below })).toBeLessThan(0.1);
});

it.each<[string, Drawn]>([
  ["what ends with an edge, as a foot does", { piece: below, gray: 90 }],
  ["what the network is as sure of as of the product", { piece: below, prior: 0.99 }],
  ["what is hardly darker than the ground, as a pale base", { piece: below, shade: 30 }],
  ["what is beside the product", { piece: beside }],
])("keeps %s", (_name, drawn) => {
  expect(clear(drawn)).toBe(1);
});
