/** A pale box on a pale ground with the line of its contact shadow, drawn. */
import { describe, expect, it } from "vitest";
import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { rgbToLab } from "../../pixels/lab.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";
import { clearBaseLines } from "./clear-base-lines.ts";

type Shape = (x: number, y: number) => boolean;

const side = 160;
const base = 110;
const groundGray = 205;
const boxGray = 190;
const lineGray = 30;

const box: Shape = (x, y) => x >= 40 && x < 120 && y >= 30 && y < base;
const below =
  (height: number, from = 40, to = 120): Shape =>
  (x, y) =>
    x >= from && x < to && y >= base && y < base + height;

/** As dark as the line at its end, and as pale as the ground 30 cells below. */
const fading = (end: number) => (y: number) =>
  lineGray + Math.min(1, Math.max(0, y - end) / 30) * (groundGray - lineGray);

interface Drawn {
  /** Gray of what is below the box. */
  readonly grayAt: (y: number, x: number) => number;
  readonly box?: number;
  /** What the network sees; all that was segmented where it is absent. */
  readonly seen?: Shape;
  /** Gray of the ground that the shadow leaves. */
  readonly ground?: number;
}

/** @returns the share of the piece's cells that are product */
function clear(piece: Shape, { grayAt, box: gray = boxGray, ground = groundGray, seen = () => true }: Drawn): number {
  const region = new Uint8Array(side * side);
  const rgb = new Uint8Array(3 * region.length);
  for (let i = 0; i < region.length; i++) {
    const x = i % side;
    const y = Math.floor(i / side);
    region[i] = box(x, y) || piece(x, y) ? 1 : 0;
    rgb.fill(box(x, y) ? gray : y >= base ? grayAt(y, x) : ground, 3 * i, 3 * i + 3);
  }
  const prior = Float32Array.from(region, (value, i) =>
    seen(i % side, Math.floor(i / side)) || box(i % side, Math.floor(i / side)) ? value : 0,
  );
  const grid: WorkGrid = { width: side, height: side, rgb, lab: rgbToLab(rgb), prior, networkPixel: 2 };
  const groundLab = rgbToLab(new Uint8Array(3).fill(ground))[0]!;
  const lightness = Float32Array.from(region, (_, i) => grid.lab[3 * i]! - groundLab);
  const out = inKernelMemory(() => {
    const cleared = region.slice();
    clearBaseLines(cleared, grid, { lightness, distance: lightness });
    return cleared.slice();
  });
  const isOfPiece = (_: unknown, i: number) => piece(i % side, Math.floor(i / side));
  const changedElsewhere = out.filter((value, i) => value !== region[i] && !isOfPiece(value, i)).length;
  expect(changedElsewhere, "cells beside the piece").toBe(0);
  const own = out.filter(isOfPiece);
  return own.reduce((sum, value) => sum + value, 0) / own.length;
}

describe("clearBaseLines", () => {
  it("clears the dark line that goes on softly into the shadow", () => {
    expect(clear(below(6), { grayAt: fading(base + 3) })).toBe(0);
  });

  it("clears a line that bites have parted", () => {
    const combed: Shape = (x, y) => below(6)(x, y) && x % 30 > 4;
    expect(clear(combed, { grayAt: fading(base + 3) })).toBe(0);
  });

  it("clears what hung on the line alone, unless the network sees it", () => {
    const rest: Shape = (x, y) => x >= 120 && x < 130 && y >= base + 2 && y < base + 6;
    const hanging: Shape = (x, y) => below(6)(x, y) || rest(x, y);
    const grayAt = (y: number, x: number) => (rest(x, y) ? 120 : fading(base + 3)(y));
    expect(clear(hanging, { grayAt, seen: below(6) })).toBe(0);
    expect(clear(hanging, { grayAt })).toBeCloseTo(40 / 520, 5);
  });

  it("keeps the shaded plinth above the line", () => {
    const plinthRows = 7;
    const grayAt = (y: number) => (y < base + plinthRows ? 90 : fading(base + plinthRows + 3)(y));
    // The plinth's part of the piece, and nothing below it.
    expect(clear(below(plinthRows + 5), { grayAt })).toBeCloseTo(plinthRows / (plinthRows + 5), 5);
  });

  it("keeps a shaded foot that stands in the line", () => {
    const isFoot = (x: number, y: number) => x >= 60 && x < 75 && y >= base + 3 && y < base + 5;
    // The foot is gray between the base's line and its own.
    const grayAt = (y: number, x: number) => (isFoot(x, y) ? 120 : fading(base + 4)(y));
    expect(clear(below(7), { grayAt })).toBeCloseTo((15 * 5) / (80 * 7), 5);
  });

  it("keeps a plinth's corner at the end of the line", () => {
    const corner = 110;
    const grayAt = (y: number, x: number) => (x < corner ? fading(base + 3)(y) : y < base + 6 ? lineGray : groundGray);
    expect(clear(below(6), { grayAt })).toBeCloseTo((120 - corner) / 80, 5);
  });

  it("leaves the shorter part of a parted line whose longer part stays", () => {
    const parted: Shape = (x, y) => below(6)(x, y) && (x < 88 || x >= 96);
    const rail = (y: number) => (y < base + 6 ? lineGray : groundGray);
    expect(clear(parted, { grayAt: (y, x) => (x < 92 ? rail(y) : fading(base + 3)(y)) })).toBe(1);
    expect(clear(parted, { grayAt: (y, x) => (x < 92 ? fading(base + 3)(y) : rail(y)) })).toBeCloseTo(24 / 72, 5);
  });

  it.each<[string, Shape, Drawn]>([
    ["a dark base, which is higher", below(20), { grayAt: fading(base + 17) }],
    ["a rail, which ends with an edge", below(6), { grayAt: (y) => (y < base + 6 ? lineGray : groundGray) }],
    ["a base's own edge", below(3), { grayAt: fading(base) }],
    ["the rim of a dark product", below(6), { grayAt: fading(base + 3), box: 70 }],
    ["a pale rim in its shade", below(6), { grayAt: (y) => (y < base + 6 ? 150 : 120) }],
    ["what ends softly before a dark ground", below(6), { grayAt: (y) => 40 + (y - base), ground: 60 }],
    ["a short foot", below(6, 60, 70), { grayAt: fading(base + 3) }],
    ["a cable that hangs down", below(40, 78, 82), { grayAt: fading(base + 36) }],
    [
      "the low end of a base that is higher elsewhere",
      (x, y) => below(x < 90 ? 20 : 6)(x, y),
      { grayAt: fading(base + 17) },
    ],
  ])("leaves %s", (_what, piece, drawn) => {
    expect(clear(piece, drawn)).toBe(1);
  });
});
