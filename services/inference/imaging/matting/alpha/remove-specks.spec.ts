import { describe, expect, it } from "vitest";
import { rgbToLab } from "../../pixels/lab.ts";
import { estimateEdgeAlpha } from "./edge-alpha.ts";
import { removeSpecks } from "./remove-specks.ts";

const size = { width: 20, height: 16 };
type Drawing = (x: number, y: number) => number;

const draw = (value: Drawing) =>
  Uint8Array.from({ length: size.width * size.height }, (_, i) => value(i % size.width, Math.floor(i / size.width)));

function without(value: Drawing, from = 0, end = size.width): Uint8Array {
  const alpha = draw(value);
  removeSpecks(alpha, size, (_, visit) => visit(from, end));
  return alpha;
}

const isAmong = (x: number, y: number, points: readonly (readonly [number, number])[]) =>
  points.some(([px, py]) => px === x && py === y);

describe("removeSpecks", () => {
  it.each([
    ["a pixel", [[5, 5]]],
    [
      "a pair",
      [
        [5, 5],
        [6, 6],
      ],
    ],
  ] as const)("removes %s that stands alone, and fills one that is missing", (_, points) => {
    expect(without((x, y) => (isAmong(x, y, points) ? 180 : 0))).toEqual(draw(() => 0));
    expect(without((x, y) => (isAmong(x, y, points) ? 60 : 255))).toEqual(draw(() => 255));
  });

  it.each<[string, Drawing]>([
    ["a line of one pixel", (_, y) => (y === 7 ? 200 : 0)],
    ["a slanted line of one pixel", (x, y) => (x - y === 3 ? 200 : 0)],
    ["a soft edge", (x) => Math.min(255, x * 30)],
    ["a corner", (x, y) => (x >= 8 && y >= 8 ? 255 : 0)],
  ])("leaves %s as it is", (_, value) => {
    const alpha = without(value);
    expect(alpha).toEqual(draw(value));
  });

  it("leaves what no run has", () => {
    const value: Drawing = (x, y) =>
      isAmong(x, y, [
        [5, 5],
        [12, 5],
      ])
        ? 180
        : 0;
    expect(without(value, 10, 15)).toEqual(draw((x, y) => (x === 5 && y === 5 ? 180 : 0)));
  });
});

it("leaves no specks of a JPEG's noise beside a dark edge on white", () => {
  const photo = { width: 60, height: 40 };
  const cells = photo.width * photo.height;
  const noise = (x: number, y: number) => (x === 27 && y % 4 === 0 ? 225 : 255);
  const rgb = Uint8Array.from({ length: cells * 3 }, (_, i) => {
    const cell = Math.floor(i / 3);
    const x = cell % photo.width;
    return x >= 30 ? 40 : noise(x, Math.floor(cell / photo.width));
  });
  const region = Uint8Array.from({ length: cells }, (_, i) => (i % photo.width >= 29 ? 1 : 0));
  const grid = { ...photo, rgb, lab: rgbToLab(rgb), prior: Float32Array.from(region), networkPixel: 1 };
  const alpha = estimateEdgeAlpha(rgb, photo, region, grid);
  for (let y = 2; y < photo.height - 2; y++) {
    expect(alpha[y * photo.width + 27], `${y}`).toBe(0);
    expect(alpha[y * photo.width + 31], `${y}`).toBe(255);
  }
});
