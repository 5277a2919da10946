/** A box and what hangs on it or is bitten out of it, drawn, with what the network says of it. */
import { describe, expect, it } from "vitest";
import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { rgbToLab } from "../../pixels/lab.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";
import { mendEdge } from "./mend-edge.ts";

type Shape = (x: number, y: number) => boolean;

const side = 160;
const ground = 200;
const dark = 60;
const pale = 212;

const box: Shape = (x, y) => x >= 40 && x < 120 && y >= 30 && y < 110;
const thread: Shape = (x, y) => x >= 78 && x < 82 && y >= 110 && y < 140;
const notch: Shape = (x, y) => x >= 76 && x < 84 && y >= 98 && y < 110;
const diamond: Shape = (x, y) => Math.abs(x - 80) + Math.abs(y - 80) < 40;

interface Drawn {
  /** Gray values. */
  readonly body?: number;
  readonly piece: number;
  /** The network's, of the piece; of the rest it is sure. */
  readonly prior: number;
}

/** How many cells of a piece are product, before it was not or the other way round. */
function mend(before: Shape, piece: Shape, drawn: Drawn, body: Shape = box) {
  const region = new Uint8Array(side * side);
  const rgb = new Uint8Array(3 * region.length);
  const prior = new Float32Array(region.length);
  for (let i = 0; i < region.length; i++) {
    const x = i % side;
    const y = Math.floor(i / side);
    region[i] = before(x, y) ? 1 : 0;
    const gray = piece(x, y) ? drawn.piece : body(x, y) ? (drawn.body ?? dark) : ground;
    rgb.fill(gray, 3 * i, 3 * i + 3);
    prior[i] = piece(x, y) ? drawn.prior : body(x, y) ? 1 : 0;
  }
  const grid: WorkGrid = { width: side, height: side, rgb, lab: rgbToLab(rgb), prior, networkPixel: 2 };
  const out = inKernelMemory(() => {
    const mended = region.slice();
    mendEdge(mended, grid);
    return mended.slice();
  });
  const isOf = (shape: Shape) => (_: number, i: number) => shape(i % side, Math.floor(i / side));
  const changedElsewhere = out.filter((value, i) => value !== region[i] && !isOf(piece)(value, i)).length;
  expect(changedElsewhere, "cells beside the piece").toBe(0);
  const own = out.filter(isOf(piece));
  return own.reduce((sum, value) => sum + value, 0) / own.length;
}

const hanging: Shape = (x, y) => box(x, y) || thread(x, y);
const bitten: Shape = (x, y) => box(x, y) && !notch(x, y);

describe("mendEdge", () => {
  it("removes a thread in the ground's color that the network does not see", () => {
    expect(mend(hanging, thread, { piece: 190, prior: 0.1 })).toBe(0);
  });

  it.each([
    ["a cable in a color of its own, which is too thin for the network", { piece: 90, prior: 0 }],
    ["a pale cable, which is too thin for the network", { piece: 255, prior: 0 }],
    ["a lace in nearly the ground's color that the network sees", { piece: 190, prior: 0.9 }],
    ["a strap in nearly the ground's color that it half sees", { piece: 190, prior: 0.5 }],
  ])("keeps %s", (_what, drawn) => {
    expect(mend(hanging, thread, drawn)).toBe(1);
  });

  it("removes a spike where the product has the ground's color, as the network has the edge", () => {
    expect(mend(hanging, thread, { body: pale, piece: 205, prior: 0.4 })).toBe(0);
  });

  it("fills a notch there", () => {
    expect(mend(bitten, notch, { body: pale, piece: 208, prior: 0.7 })).toBe(1);
  });

  it("leaves a gap between two legs, whatever its color", () => {
    const gap: Shape = (x, y) => x >= 76 && x < 84 && y >= 30 && y < 110;
    const legs: Shape = (x, y) => box(x, y) && !gap(x, y);
    expect(mend(legs, gap, { body: pale, piece: 208, prior: 0.7 })).toBe(0);
  });

  it.each([
    ["whose ground the network sees", { body: pale, piece: 205, prior: 0.2 }],
    ["that shows the ground in a product of nearly its color", { body: 210, piece: ground, prior: 0.7 }],
    ["in a color of its own, between both", { body: 222, piece: 200, prior: 0.7 }],
    ["that shows the ground in a dark product", { piece: ground, prior: 0.7 }],
  ])("leaves a notch %s", (_what, drawn) => {
    expect(mend(bitten, notch, drawn)).toBe(0);
  });

  it("leaves sharp corners", () => {
    const tip: Shape = (x, y) => diamond(x, y) && y >= 114;
    expect(mend(diamond, tip, { piece: dark, prior: 0.1 }, diamond)).toBe(1);
  });
});
