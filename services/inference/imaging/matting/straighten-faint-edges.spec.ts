import { describe, expect, it } from "vitest";
import { inKernelMemory } from "../kernels/kernel-memory.ts";
import { rgbToLab } from "../pixels/lab.ts";
import { straightenFaintEdges } from "./straighten-faint-edges.ts";
import { toUnitRange, type WorkGrid } from "./work-grid.ts";

const side = 240;
const left = 60;
const right = 180;
const top = 80;
const bottom = 200;

/** Deterministic noise, −½…½. */
function noiseAt(i: number): number {
  return ((Math.imul(i + 1, 2_654_435_761) >>> 0) / 2 ** 32 - 0.5) * 1;
}

const isBox = (x: number, y: number) => x >= left && x < right && y >= top && y < bottom;
/** Up to three cells more or less, at random for each four cells along. */
const fray = (along: number) => Math.round(7 * noiseAt(17 * (along >> 2)));

/** A box on a ground of `ground`, lighter by `contrast` levels, whose upper edge the segmentation frays. */
function fraysOf(contrast: number, isFrayed: boolean) {
  return inKernelMemory(() => {
    const rgb = new Uint8Array(3 * side * side);
    const region = new Uint8Array(side * side);
    for (let i = 0; i < region.length; i++) {
      const x = i % side;
      const y = (i - x) / side;
      const level = (isBox(x, y) ? 225 + contrast : 225) + 2 * noiseAt(i);
      rgb.fill(Math.round(level), 3 * i, 3 * i + 3);
      region[i] = isBox(x, y - (isFrayed && y < 140 ? fray(x) : 0)) ? 1 : 0;
    }
    const grid: WorkGrid = {
      width: side,
      height: side,
      rgb,
      lab: rgbToLab(rgb),
      prior: toUnitRange(region),
      networkPixel: 2,
    };
    straightenFaintEdges(region, grid);
    let wrong = 0;
    for (let x = left + 20; x < right - 20; x++) {
      for (let y = top - 20; y < top + 20; y++) if ((region[y * side + x] === 1) !== isBox(x, y)) wrong++;
    }
    return { wrong, region };
  });
}

describe("straightenFaintEdges", () => {
  it("finds the line that a frayed edge follows, where it hardly differs from the ground", () => {
    const columns = right - left - 40;
    const { wrong } = fraysOf(8, true);
    expect(wrong / columns, "cells off the edge, in each column").toBeLessThan(0.6);
  });

  it("keeps a frayed edge of which the photo shows nothing", () => {
    const { region } = fraysOf(0, true);
    for (let x = left; x < right; x++) {
      for (let y = top - 20; y < top + 20; y++) expect(region[y * side + x]).toBe(isBox(x, y - fray(x)) ? 1 : 0);
    }
  });

  it("keeps a frayed edge that differs much from the ground: it may be fur", () => {
    const { region } = fraysOf(-120, true);
    for (let x = left; x < right; x++) expect(region[(top - 2) * side + x]).toBe(isBox(x, top - 2 - fray(x)) ? 1 : 0);
  });

  it("keeps a smooth edge to the cell", () => {
    expect(fraysOf(8, false).wrong).toBe(0);
  });
});
