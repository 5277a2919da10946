/** A dark box on a pale ground with its contact shadow, drawn, with what the network says of it. */
import { describe, expect, it } from "vitest";
import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { rgbToLab } from "../../pixels/lab.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";
import { mendBase } from "./mend-base.ts";

type Shape = (x: number, y: number) => boolean;

const side = 160;
const base = 110;
const groundGray = 200;
const darkGray = 25;

const box: Shape = (x, y) => x >= 40 && x < 120 && y >= 30 && y < base;

interface Drawn {
  /** What was segmented: the box, and the piece or not. */
  readonly before: Shape;
  readonly piece: Shape;
  /** What the network takes for product no more than the piece, and may change as well; nothing where it is absent. */
  readonly unseen?: Shape;
  /** The network takes the piece for product with this probability; of the rest it is sure. */
  readonly prior: number;
  /** Gray of what is no box; the ground's where it is absent. */
  readonly grayAt?: (x: number, y: number) => number;
  readonly boxGray?: number;
}

/** @returns the share of the piece's cells that are product */
function mend(drawn: Drawn): number {
  const { before, piece, unseen = () => false, prior, grayAt = () => groundGray, boxGray = darkGray } = drawn;
  const region = new Uint8Array(side * side);
  const rgb = new Uint8Array(3 * region.length);
  const priors = new Float32Array(region.length);
  for (let i = 0; i < region.length; i++) {
    const x = i % side;
    const y = Math.floor(i / side);
    region[i] = before(x, y) ? 1 : 0;
    rgb.fill(box(x, y) ? boxGray : grayAt(x, y), 3 * i, 3 * i + 3);
    priors[i] = piece(x, y) || unseen(x, y) ? prior : box(x, y) ? 1 : 0;
  }
  const grid: WorkGrid = { width: side, height: side, rgb, lab: rgbToLab(rgb), prior: priors, networkPixel: 2 };
  const out = inKernelMemory(() => {
    const mended = region.slice();
    mendBase(mended, grid);
    return mended.slice();
  });
  const isOfPiece = (_: number, i: number) => piece(i % side, Math.floor(i / side));
  const isOfUnseen = (i: number) => unseen(i % side, Math.floor(i / side));
  const changedElsewhere = out.filter(
    (value, i) => value !== region[i] && !isOfPiece(value, i) && !isOfUnseen(i),
  ).length;
  expect(changedElsewhere, "cells beside the piece").toBe(0);
  const own = out.filter(isOfPiece);
  return own.reduce((sum, value) => sum + value, 0) / own.length;
}

const together =
  (a: Shape, b: Shape): Shape =>
  (x, y) =>
    a(x, y) || b(x, y);
const without =
  (a: Shape, b: Shape): Shape =>
  (x, y) =>
    a(x, y) && !b(x, y);

/** As dark as the box at its base, and as pale as the ground 24 cells below. */
const fading = (_: number, y: number) =>
  y < base ? groundGray : Math.min(groundGray, darkGray + ((y - base) / 24) * (groundGray - darkGray));

describe("what hangs below a base", () => {
  const rest: Shape = (x, y) => x >= 50 && x < 100 && y >= base && y < base + 8;
  const hanging = together(box, rest);

  it("goes where it fades into the ground and the network does not see it", () => {
    expect(mend({ before: hanging, piece: rest, prior: 0.2, grayAt: fading })).toBe(0);
  });

  it("goes without the foot in it, which the network does not see and which ends sharply", () => {
    const foot: Shape = (x, y) => x >= 60 && x < 84 && y >= base && y < base + 12;
    const shade = without(rest, foot);
    const grayAt = (x: number, y: number) => (foot(x, y) ? darkGray : Math.max(fading(x, y), y >= base + 12 ? 120 : 0));
    const before = together(together(box, rest), foot);
    const prior = 0.2;
    expect(mend({ before, piece: foot, unseen: rest, prior, grayAt })).toBe(1);
    expect(mend({ before, piece: shade, unseen: foot, prior, grayAt })).toBeLessThan(0.25);
  });

  it("goes where a part of it ends sharply below a pale base: a hard shadow is no foot", () => {
    const shadowGray = 120;
    const hard = (y: number) => (y < base + 8 ? shadowGray : groundGray);
    const soft = (y: number) => Math.min(groundGray, shadowGray + ((y - base) / 24) * (groundGray - shadowGray));
    const grayAt = (x: number, y: number) => (y < base ? groundGray : x < 60 ? hard(y) : soft(y));
    expect(mend({ before: hanging, piece: rest, prior: 0.2, grayAt, boxGray: 235 })).toBe(0);
  });

  it("stays where the network half sees it", () => {
    expect(mend({ before: hanging, piece: rest, prior: 0.45, grayAt: fading })).toBe(1);
  });

  it("stays where it ends sharply, as a rail does", () => {
    const rail = (x: number, y: number) => (rest(x, y) ? 60 : groundGray);
    expect(mend({ before: hanging, piece: rest, prior: 0.05, grayAt: rail })).toBe(1);
  });

  it.each([
    ["a foot", (x: number, y: number) => x >= 60 && x < 70 && y >= base && y < base + 12],
    ["a thin leg", (x: number, y: number) => x >= 60 && x < 64 && y >= base && y < base + 40],
    ["a cable", (x: number, y: number) => x >= 60 && x < 63 && y >= base && y < side],
  ])("stays where it hangs by a short side: %s, blurred and not seen", (_what, piece) => {
    expect(mend({ before: together(box, piece), piece, prior: 0.1, grayAt: fading })).toBe(1);
  });

  it("stays where it is no base: a strap at a side, and one above", () => {
    const strap: Shape = (x, y) => x >= 120 && x < 128 && y >= 40 && y < 100;
    const handle: Shape = (x, y) => x >= 50 && x < 100 && y >= 22 && y < 30;
    for (const piece of [strap, handle]) {
      const soft = (x: number, y: number) => Math.min(groundGray, darkGray + 8 * Math.max(x - 119, 30 - y, 0));
      expect(mend({ before: together(box, piece), piece, prior: 0.1, grayAt: soft })).toBe(1);
    }
  });
});

describe("a base as dark as its shadow", () => {
  const dark = (_: number, y: number) => (y < base ? groundGray : Math.min(groundGray, darkGray + y - base));
  const wisp: Shape = (x, y) => x >= 50 && x < 60 && y >= base && y < base + 2;
  const bite: Shape = (x, y) => x >= 50 && x < 60 && y >= base - 3 && y < base;

  it("follows the network: a wisp goes", () => {
    expect(mend({ before: together(box, wisp), piece: wisp, prior: 0.3, grayAt: dark })).toBe(0);
  });

  it("follows the network: a bite is filled", () => {
    expect(mend({ before: without(box, bite), piece: bite, prior: 0.7, grayAt: dark })).toBe(1);
  });

  it("stays as it is before a pale ground", () => {
    expect(mend({ before: together(box, wisp), piece: wisp, prior: 0.3, grayAt: () => 80 })).toBe(1);
  });

  it("stays as it is where it is pale itself", () => {
    const pale = () => 205;
    expect(mend({ before: without(box, bite), piece: bite, prior: 0.7, grayAt: pale, boxGray: 212 })).toBe(0);
  });

  it("keeps the gap between two legs, however dark its ground", () => {
    const gap: Shape = (x, y) => x >= 70 && x < 90 && y >= 80 && y < base;
    expect(mend({ before: without(box, gap), piece: gap, prior: 0.7, grayAt: dark })).toBe(0);
  });
});
