import { describe, expect, it } from "vitest";
import { rgbToLab } from "../../pixels/lab.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";
import { fillFalseHoles, removeEdgelessParts } from "./region-cleanup.ts";

type Color = readonly [number, number, number];

const side = 120;
const red = [180, 30, 30] as const;
const black = [20, 20, 22] as const;
const gray = [120, 120, 120] as const;

const isHole = (x: number, y: number) => x >= 50 && x < 70 && y >= 70 && y < 90;
const isBody = (x: number, y: number) => x >= 35 && x < 85 && y >= 55 && y < 105;

function gridOf(colorAt: (x: number, y: number) => Color, priorAt: (x: number, y: number) => number): WorkGrid {
  const rgb = new Uint8Array(side * side * 3);
  const prior = new Float32Array(side * side);
  for (let i = 0; i < prior.length; i++) {
    const x = i % side;
    const y = Math.floor(i / side);
    rgb.set(colorAt(x, y), i * 3);
    prior[i] = priorAt(x, y);
  }
  return { width: side, height: side, rgb, lab: rgbToLab(rgb), prior, networkPixel: 2 };
}

const maskOf = (isInside: (x: number, y: number) => boolean) =>
  Uint8Array.from({ length: side * side }, (_, i) => (isInside(i % side, Math.floor(i / side)) ? 1 : 0));

/** Whether the hole of a body is filled; the background is black far above it and `around` around it. */
function filled(holeColor: Color, body: Color = gray, around: Color = red, prior = 0.4): boolean {
  const grid = gridOf(
    (x, y) => (isBody(x, y) ? (isHole(x, y) ? holeColor : body) : y < 15 ? black : around),
    () => prior,
  );
  const region = maskOf((x, y) => isBody(x, y) && !isHole(x, y));
  return fillFalseHoles(region, grid)[80 * side + 60] === 1;
}

/** Whether a part beside the body stays, on a red background, where the network gives it `prior`. The body is 50 wide. */
function keeps(color: Color, prior: number, wide = 20): boolean {
  const isPart = (x: number, y: number) => x >= 85 && x < 85 + wide && y >= 70 && y < 90;
  const grid = gridOf(
    (x, y) => (isBody(x, y) ? gray : isPart(x, y) ? color : red),
    (x, y) => (isBody(x, y) ? 1 : isPart(x, y) ? prior : 0),
  );
  const region = removeEdgelessParts(
    maskOf((x, y) => isBody(x, y) || isPart(x, y)),
    grid,
  );
  expect(region[80 * side + 60], "the body").toBe(1);
  return region[80 * side + 94] === 1;
}

describe("fillFalseHoles", () => {
  it("keeps a hole in which the background around the product shows", () => {
    expect(filled(red)).toBe(false);
  });

  it("fills a hole whose color is nowhere in the background", () => {
    expect(filled([40, 160, 60])).toBe(true);
  });

  it("fills a hole whose color is in the background, but far away", () => {
    expect(filled(black)).toBe(true);
  });

  it("fills a hole without an edge, though the background has its color", () => {
    expect(filled(gray, gray, gray)).toBe(true);
    expect(filled(gray, black, gray)).toBe(false);
    expect(filled(gray, gray, gray, 0.1), "where the network is sure").toBe(false);
  });
});

describe("removeEdgelessParts", () => {
  it("removes an unsure part without an edge to the background", () => {
    expect(keeps(red, 0.7)).toBe(false);
  });

  it("keeps a part with an edge, or of which the network is sure", () => {
    expect(keeps(black, 0.7)).toBe(true);
    expect(keeps(red, 0.95)).toBe(true);
  });

  it("keeps a small part without an edge where the network is rather sure: a white handle before white planks", () => {
    expect(keeps(red, 0.75, 12)).toBe(true);
    expect(keeps(red, 0.65, 12), "less sure").toBe(false);
    expect(keeps(red, 0.75), "as large as a floor").toBe(false);
  });
});
