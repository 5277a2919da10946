import { describe, expect, it } from "vitest";
import { labOf } from "./lab.ts";
import { fillForeignGaps } from "./tidy-region.ts";
import type { WorkGrid } from "./work-grid.ts";

const side = 120;
const red = [180, 30, 30] as const;
const black = [20, 20, 22] as const;
const grey = [120, 120, 120] as const;

const isGap = (x: number, y: number) => x >= 50 && x < 70 && y >= 70 && y < 90;
const isBody = (x: number, y: number) => x >= 35 && x < 85 && y >= 55 && y < 105;

/** A grey body with one gap, before a background that is black far above and red around the body. */
function filled(gapColour: readonly [number, number, number]): boolean {
  const rgb = new Uint8Array(side * side * 3);
  const region = new Uint8Array(side * side);
  for (let i = 0; i < region.length; i++) {
    const x = i % side;
    const y = (i - x) / side;
    const body = isBody(x, y);
    region[i] = body && !isGap(x, y) ? 1 : 0;
    rgb.set(body ? (isGap(x, y) ? gapColour : grey) : y < 15 ? black : red, i * 3);
  }
  const grid: WorkGrid = {
    width: side,
    height: side,
    rgb,
    lab: labOf(rgb),
    prior: new Float32Array(region.length),
    priorCell: 1,
  };
  return fillForeignGaps(region, grid)[80 * side + 60] === 1;
}

describe("gaps in the product", () => {
  it("stay open where the background around the product shows in them", () => {
    expect(filled(red)).toBe(false);
  });

  it("are filled where their colour is nowhere in the background", () => {
    expect(filled([40, 160, 60])).toBe(true);
  });

  it("are filled where their colour is in the background, but far away", () => {
    expect(filled(black)).toBe(true);
  });
});
