/** A comb on a pale ground, drawn, with its gaps taken for product, and pale things that are none. */
import { describe, expect, it } from "vitest";
import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { rgbToLab } from "../../pixels/lab.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";
import { openCombs } from "./open-combs.ts";

type Shape = (x: number, y: number) => boolean;

const side = 200;
const groundGray = 225;
const body: Shape = (x, y) => x >= 40 && x < 160 && y >= 40 && y < 160;
/** Five gaps between teeth that begin at the body's upper edge. */
const gaps: Shape = (x, y) => x >= 50 && x < 150 && (x - 50) % 20 < 8 && y >= 40 && y < 70;
const fewGaps: Shape = (x, y) => gaps(x, y) && x < 110;
const farGaps: Shape = (x, y) => x >= 42 && x < 158 && (x - 42) % 50 < 6 && y >= 40 && y < 60;
const enclosed: Shape = (x, y) => gaps(x, y - 10);
const nicks: Shape = (x, y) => gaps(x, y) && y < 42;

interface Drawn {
  readonly gray: (x: number, y: number) => number;
  readonly ground?: number;
}

/** @returns the share of the piece's cells that are still product */
function clear(piece: Shape, { gray, ground = groundGray }: Drawn): number {
  const region = new Uint8Array(side * side);
  const rgb = new Uint8Array(3 * region.length);
  for (let i = 0; i < region.length; i++) {
    const x = i % side;
    const y = Math.floor(i / side);
    region[i] = body(x, y) ? 1 : 0;
    rgb.fill(body(x, y) ? gray(x, y) : ground, 3 * i, 3 * i + 3);
  }
  const lab = rgbToLab(rgb).slice();
  const lightness = Float32Array.from(region, (_, i) => lab[3 * i]! - lab[0]!);
  const evidence = {
    distance: lightness.map(Math.abs),
    lightness,
    threshold: 4,
    noise: 1,
    isPlain: true,
    isAllAround: true,
    tintAt: () => 0,
  };
  const prior = Float32Array.from(region);
  const grid: WorkGrid = { width: side, height: side, rgb, lab, prior, networkPixel: 2 };
  const out = inKernelMemory(() => {
    const cleared = region.slice();
    openCombs(cleared, grid, evidence);
    return cleared.slice();
  });
  const isOf = (_: unknown, i: number) => piece(i % side, Math.floor(i / side));
  const changedElsewhere = out.filter((value, i) => value !== region[i] && !isOf(value, i)).length;
  expect(changedElsewhere, "cells beside the piece").toBe(0);
  const own = out.filter(isOf);
  return own.reduce((sum, value) => sum + value, 0) / own.length;
}

const black = 40;

const beside = (shape: Shape, color: number) => (x: number, y: number) => (shape(x, y) ? color : black);

describe("openCombs", () => {
  it("opens the gaps between teeth", () => {
    expect(clear(gaps, { gray: beside(gaps, groundGray) })).toBe(0);
  });

  it("opens their bottoms, too, which the teeth shade", () => {
    const shaded = (y: number) => (y < 58 ? groundGray : groundGray - 5 * (y - 58));
    expect(clear(gaps, { gray: (x, y) => (gaps(x, y) ? shaded(y) : black) })).toBe(0);
  });

  it("leaves a gray part at their ends that is darker than a shade", () => {
    const open: Shape = (x, y) => gaps(x, y) && y < 58;
    expect(clear(open, { gray: (x, y) => (open(x, y) ? groundGray : gaps(x, y) ? 110 : black) })).toBe(0);
  });

  it.each<[string, Shape, Drawn]>([
    ["prints in the ground's color", enclosed, { gray: beside(enclosed, groundGray) }],
    ["parts of a pale product", gaps, { gray: (x, y) => (gaps(x, y) ? groundGray : 200) }],
    ["what is white before a clipped ground", gaps, { gray: beside(gaps, 255), ground: 255 }],
    ["small nicks", nicks, { gray: beside(nicks, groundGray) }],
    ["what glass shows in three places", fewGaps, { gray: beside(fewGaps, groundGray) }],
    ["what glasses of a set show, far from each other", farGaps, { gray: beside(farGaps, groundGray) }],
    [
      "a pale part that goes over into the product",
      body,
      { gray: (x) => Math.min(groundGray, 150 + 3 * Math.abs(x - 96)) },
    ],
  ])("leaves %s", (_what, piece, drawn) => {
    expect(clear(piece, drawn)).toBe(1);
  });
});
