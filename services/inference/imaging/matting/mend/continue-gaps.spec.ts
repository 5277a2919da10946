/** Gaps between limbs, drawn, of which the network misses a part or all, and parts of a product that look like them. */
import { describe, expect, it } from "vitest";
import { inKernelMemory } from "../../kernels/kernel-memory.ts";
import { rgbToLab } from "../../pixels/lab.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";
import { continueGaps } from "./continue-gaps.ts";

type Shape = (x: number, y: number) => boolean;

const side = 240;
const gray = 200;
const dark = 50;

const body: Shape = (x, y) => x >= 40 && x < 200 && y >= 30;
/** Between a sleeve and a jacket: its lower end is open already. */
const slit: Shape = (x, y) => x >= 150 && x < 160 && y >= 90 && y < 170;
const upper: Shape = (x, y) => slit(x, y) && y < 130;
/** Between two legs that the photo's lower border cuts. */
const bay: Shape = (x, y) => y >= 210 && Math.abs(x - 100) < 9 - (side - y) / 8;

interface Drawn {
  readonly gap: Shape;
  /** What of it the network has seen. */
  readonly opened?: Shape;
  readonly color?: (x: number, y: number) => number;
  readonly prior?: number;
  readonly isBackdropKnown?: boolean;
}

/** @returns the share of the gap's unopened cells that are product afterwards; nothing else may change */
function closed({
  gap,
  opened = () => false,
  color = () => gray,
  prior = 0.95,
  isBackdropKnown = true,
}: Drawn): number {
  const rgb = new Uint8Array(3 * side * side);
  const before = new Uint8Array(side * side);
  const region = new Uint8Array(side * side);
  const priors = new Float32Array(side * side);
  for (let i = 0; i < region.length; i++) {
    const x = i % side;
    const y = Math.floor(i / side);
    const isGap = gap(x, y);
    before[i] = body(x, y) ? 1 : 0;
    region[i] = body(x, y) && !opened(x, y) ? 1 : 0;
    priors[i] = isGap ? prior : before[i]!;
    rgb.fill(isGap ? color(x, y) : body(x, y) ? dark : gray, 3 * i, 3 * i + 3);
  }
  const lab = rgbToLab(rgb).slice();
  const lightness = Float32Array.from(region, (_, i) => lab[3 * i]! - lab[0]!);
  const distance = lightness.map(Math.abs);
  const evidence = { distance, lightness, threshold: 4, noise: 1, isPlain: true, isAllAround: true, tintAt: () => 0 };
  const grid: WorkGrid = { width: side, height: side, rgb, lab, prior: priors, networkPixel: 2 };
  const after = inKernelMemory(() => {
    const changed = region.slice();
    continueGaps(changed, before, grid, isBackdropKnown ? evidence : undefined);
    return changed.slice();
  });
  const isRest = (_: unknown, i: number) => region[i] === 1 && gap(i % side, Math.floor(i / side));
  expect(after.filter((value, i) => value !== region[i] && !isRest(value, i)).length, "cells beside the gap").toBe(0);
  const rest = after.filter(isRest);
  return rest.reduce((sum, value) => sum + value, 0) / rest.length;
}

const lower: Shape = (x, y) => slit(x, y) && !upper(x, y);
const rest = { gap: slit, opened: lower, isBackdropKnown: false };

describe("the rest of a gap that is open in part", () => {
  it("is opened although the network takes it for product, whatever the backdrop is", () => {
    expect(closed(rest)).toBe(0);
  });

  it("is opened where the ground gets lighter along it, as in a glow", () => {
    expect(closed({ ...rest, color: (_, y) => gray - 0.3 * (y - 90) })).toBe(0);
  });

  it("stays where the network is sure of product", () => {
    expect(closed({ ...rest, prior: 0.99 })).toBe(1);
  });

  it("stays where it has another color", () => {
    expect(closed({ ...rest, color: (x, y) => (upper(x, y) ? 150 : gray) })).toBe(1);
  });

  it("stays where it has the grain of cloth", () => {
    expect(closed({ ...rest, color: (x, y) => gray + (upper(x, y) ? 5 * (x % 2) : 0) })).toBe(1);
  });

  it("stays where it ends softly, as a fold's light side does", () => {
    const fromMiddle = (x: number, y: number) => Math.hypot(x - 120, y - 130);
    const fold: Shape = (x, y) => fromMiddle(x, y) < 50;
    const open: Shape = (x, y) => fromMiddle(x, y) < 5;
    expect(closed({ ...rest, gap: fold, opened: open, color: (x, y) => gray - 3 * fromMiddle(x, y) })).toBe(1);
  });
});

describe("a bay at the photo's border", () => {
  it("is opened where it shows the backdrop", () => {
    expect(closed({ gap: bay, prior: 0.98 })).toBe(0);
  });

  it("stays where the network is sure of product, as of a stripe", () => {
    expect(closed({ gap: bay, prior: 0.99 })).toBe(1);
  });

  it("stays where its color is not the backdrop's", () => {
    expect(closed({ gap: bay, color: () => 170 })).toBe(1);
  });

  it("stays where no backdrop is known", () => {
    expect(closed({ gap: bay, isBackdropKnown: false })).toBe(1);
  });

  it("stays where it is as wide as a shirt", () => {
    expect(closed({ gap: (x, y) => y >= 200 && x >= 90 && x < 120 })).toBe(1);
  });

  it("stays where it goes on to the product's edge, as a stripe around a sleeve does", () => {
    expect(
      closed({ gap: (x, y) => body(x, y) && ((x >= 90 && x < 100 && y >= 180) || (y >= 180 && y < 190 && x < 100)) }),
    ).toBe(1);
  });
});
