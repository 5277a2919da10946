/** A box with a pale rim on a pale ground, drawn, with what the network says of them. */
import { describe, expect, it } from "vitest";
import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { rgbToLab } from "../../pixels/lab.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";
import { addPaleRims } from "./add-pale-rims.ts";

type Shape = (x: number, y: number) => boolean;

const side = 160;
const box: Shape = (x, y) => x >= 40 && x < 120 && y >= 40 && y < 120;
const rim: Shape = (x, y) => x >= 40 && x < 120 && y >= 30 && y < 40;
const bite: Shape = (x, y) => rim(x, y) && x >= 70 && x < 90;
const slot: Shape = (x, y) => x >= 76 && x < 84 && y >= 40 && y < 60;

/** In cells. */
const fromBox = (x: number, y: number) => Math.hypot(Math.max(40 - x, 0, x - 119), Math.max(40 - y, 0, y - 119));
const glow: Shape = (x, y) => !box(x, y) && fromBox(x, y) < 30;

interface Drawn {
  /** Gray values. */
  readonly ground?: number;
  readonly box?: number;
  readonly piece: number | ((x: number, y: number) => number);
  /** The network's, of the piece; of the rest it is sure. */
  readonly prior?: number;
}

const isOf = (shape: Shape) => (_: unknown, i: number) => shape(i % side, Math.floor(i / side));

/** @returns the share of the piece's cells that are product, where `before` was segmented */
function add(before: Shape, piece: Shape, drawn: Drawn): number {
  const { ground = 200, box: boxGray = 160, prior: priorOfPiece = 0.4 } = drawn;
  const region = new Uint8Array(side * side);
  const rgb = new Uint8Array(3 * region.length);
  const prior = new Float32Array(region.length);
  for (let i = 0; i < region.length; i++) {
    const x = i % side;
    const y = Math.floor(i / side);
    region[i] = before(x, y) ? 1 : 0;
    const ofPiece = typeof drawn.piece === "number" ? drawn.piece : drawn.piece(x, y);
    const gray = piece(x, y) ? ofPiece : before(x, y) ? (rim(x, y) ? 212 : boxGray) : ground;
    rgb.fill(gray, 3 * i, 3 * i + 3);
    prior[i] = piece(x, y) ? priorOfPiece : before(x, y) ? 1 : 0;
  }
  const grid: WorkGrid = { width: side, height: side, rgb, lab: rgbToLab(rgb), prior, networkPixel: 2 };
  const out = inKernelMemory(() => {
    const mended = region.slice();
    addPaleRims(mended, grid);
    return mended.slice();
  });
  const changedElsewhere = out.filter((value, i) => value !== region[i] && !isOf(piece)(value, i)).length;
  expect(changedElsewhere, "cells beside the piece").toBe(0);
  const own = out.filter(isOf(piece));
  return own.reduce((sum, value) => sum + value, 0) / own.length;
}

const rimmed: Shape = (x, y) => box(x, y) || (rim(x, y) && !bite(x, y));

describe("addPaleRims", () => {
  it("fills the bite in a rim that is a little lighter than the ground", () => {
    expect(add(rimmed, bite, { piece: 212 })).toBe(1);
  });

  it("adds a whole rim", () => {
    expect(add(box, rim, { piece: 212 })).toBeGreaterThan(0.98);
  });

  it("closes a notch in the product's own pale side", () => {
    const dent: Shape = (x, y) => x >= 76 && x < 84 && y >= 30 && y < 33;
    const whole: Shape = (x, y) => (box(x, y) || rim(x, y)) && !dent(x, y);
    expect(add(whole, dent, { piece: 212 })).toBeGreaterThan(0.9);
  });

  it.each<[string, Shape, Shape, Drawn]>([
    ["a gap that shows the ground", rimmed, bite, { piece: 200 }],
    ["a gap that shows the ground in its shade", rimmed, bite, { piece: 190 }],
    ["a slot that shows the ground", (x, y) => box(x, y) && !slot(x, y), slot, { piece: 200 }],
    ["a pale thing of which the network sees nothing", box, rim, { piece: 212, prior: 0.02 }],
    ["the halo of a sharpened edge", box, (x, y) => rim(x, y) && y >= 38, { piece: 212 }],
    ["what is pale beside something dark", box, rim, { piece: 212, box: 40 }],
    ["what a product lights before a dark ground", box, rim, { piece: 90, ground: 80, box: 90 }],
    ["a glow that ends without an edge", box, glow, { piece: (x, y) => 200 + (10 * (30 - fromBox(x, y))) / 30 }],
  ])("leaves %s", (_what, before, piece, drawn) => {
    expect(add(before, piece, drawn)).toBe(0);
  });
});
