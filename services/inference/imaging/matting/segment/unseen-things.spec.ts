/** Sets on a plain backdrop of which the network sees the first thing alone. */
import { expect, it } from "vitest";
import { blurPlane } from "../../pixels/blur.ts";
import { rgbToLab } from "../../pixels/lab.ts";
import { fitBackdrop } from "../evidence/backdrop.ts";
import { measureBackdrop } from "../evidence/measure-backdrop.ts";
import { toUnitRange } from "../evidence/work-grid.ts";
import { refineMatte } from "../refine-matte.ts";

const side = 600;
type Color = readonly [number, number, number];
const white: Color = [255, 255, 255];
const beige: Color = [226, 218, 206];
const colors: readonly Color[] = [
  [34, 34, 36],
  [181, 83, 43],
  [120, 124, 130],
  [47, 93, 138],
  [176, 140, 70],
  [91, 58, 30],
];

interface Thing {
  readonly x: number;
  readonly y: number;
  /** Half of its width and height. */
  readonly a: number;
  readonly b: number;
  readonly color: Color;
  readonly isRound: boolean;
}

/** Things of very different sizes, each in a cell of its own. */
function thingsOf(count: number): Thing[] {
  const columns = Math.ceil(Math.sqrt(count));
  const cell = side / columns;
  return Array.from({ length: count }, (_, i) => {
    const size = cell * (0.16 + 0.22 * ((i * 0.618) % 1));
    return {
      x: ((i % columns) + 0.5) * cell,
      y: (Math.floor(i / columns) + 0.5) * cell,
      a: size * (i % 3 === 0 ? 1 : 0.6),
      b: size * (i % 4 === 0 ? 0.5 : 1),
      color: colors[i % colors.length]!,
      isRound: i % 2 === 0,
    };
  });
}

const holds = ({ x, y, a, b, isRound }: Thing, px: number, py: number) => {
  const u = (px + 0.5 - x) / a;
  const v = (py + 0.5 - y) / b;
  return isRound ? Math.hypot(u, v) <= 1 : Math.max(Math.abs(u), Math.abs(v)) <= 1;
};

/** @returns the label of the thing at each pixel, from 1 */
function drawLabels(things: readonly Thing[]): Uint8Array {
  const labels = new Uint8Array(side * side);
  for (const [i, thing] of things.entries()) {
    for (let y = Math.floor(thing.y - thing.b); y <= thing.y + thing.b; y++) {
      for (let x = Math.floor(thing.x - thing.a); x <= thing.x + thing.a; x++) {
        if (holds(thing, x, y)) labels[y * side + x] = i + 1;
      }
    }
  }
  return labels;
}

/** @param shadow how dark the soft shadows are, 0–1 */
function photoOf(labels: Uint8Array, things: readonly Thing[], ground: Color, shadow: number): Uint8Array {
  const shade = new Float32Array(labels.length);
  for (let i = side * 4 + 4; i < labels.length; i++) shade[i] = labels[i - side * 4 - 4]! > 0 ? shadow : 0;
  blurPlane(shade, side, side, 8);
  const rgb = new Uint8Array(labels.length * 3);
  for (let i = 0; i < labels.length; i++) {
    const thing = things[labels[i]! - 1];
    const grain = (((i * 2_654_435_761) >>> 0) / 2 ** 32 - 0.5) * 3;
    for (let c = 0; c < 3; c++) {
      const value = thing === undefined ? ground[c]! * (1 - shade[i]!) : thing.color[c]!;
      rgb[i * 3 + c] = Math.max(0, Math.min(255, Math.round(value + grain)));
    }
  }
  return rgb;
}

const half = side / 2;

function refine(rgb: Uint8Array, isSeen: (cell: number) => boolean) {
  const size = { width: side, height: side };
  const alpha = Uint8Array.from({ length: side * side }, (_, i) => (isSeen(i) ? 255 : 0));
  return refineMatte(rgb, size, { ...size, rgb }, { ...size, alpha, networkPixel: 1 }, fitBackdrop(rgb, side));
}

/** The share of each thing that the matte shows. */
function sharesShown(alpha: Uint8Array, labels: Uint8Array, count: number): number[] {
  const all = new Float64Array(count + 1);
  const shown = new Float64Array(count + 1);
  for (let i = 0; i < labels.length; i++) {
    all[labels[i]!]!++;
    if (alpha[i]! >= 128) shown[labels[i]!]!++;
  }
  return Array.from(all.subarray(1), (cells, n) => shown[n + 1]! / cells);
}

it.each([
  [2, "white", white, 0],
  [5, "white", white, 0],
  [9, "white", white, 0],
  [40, "white", white, 0],
  [2, "beige with soft shadows", beige, 0.5],
  [9, "beige with soft shadows", beige, 0.5],
  [20, "beige with soft shadows", beige, 0.5],
  [40, "beige with soft shadows", beige, 0.5],
] as const)("keeps all of %i things on %s, whole", (count, _ground, ground, shadow) => {
  const things = thingsOf(count);
  const labels = drawLabels(things);
  const { alpha, showsAll } = refine(photoOf(labels, things, ground, shadow), (i) => labels[i] === 1);
  expect(showsAll).toBe(true);
  expect(Math.min(...sharesShown(alpha, labels, count))).toBeGreaterThan(0.93);
  const bare = Array.from(labels.keys()).filter((i) => labels[i] === 0);
  expect(bare.filter((i) => alpha[i]! >= 128).length / bare.length, "ground and shadows that are kept").toBeLessThan(
    0.01,
  );
});

it("leaves out dust and a shadow that reaches the product", () => {
  const things = thingsOf(2);
  const labels = drawLabels(things);
  const rgb = photoOf(labels, things, beige, 0.5);
  for (let i = 0; i < 3; i++) rgb.fill(60, ((50 + i) * side + half) * 3, ((50 + i) * side + half + 3) * 3);
  const { x, y, a, b } = things[0]!;
  const beside = (cell: number) =>
    holds({ ...things[0]!, x: x + a, a: a / 2, b: b / 2 }, cell % side, Math.floor(cell / side));
  for (let i = 0; i < labels.length; i++) if (labels[i] === 0 && beside(i)) rgb.fill(110, i * 3, i * 3 + 3);
  const { alpha } = refine(rgb, (i) => labels[i] === 1);
  expect(alpha[51 * side + half + 1], "dust").toBe(0);
  expect(alpha[Math.round(y) * side + Math.round(x + a * 1.35)], "a hard shadow").toBe(0);
});

it("is no set where a scene lies in a white frame", () => {
  const frame = 40;
  const isScene = (i: number) =>
    Math.min(i % side, side - 1 - (i % side), Math.floor(i / side), side - 1 - Math.floor(i / side)) >= frame;
  const seen = (i: number) => isScene(i) && Math.hypot((i % side) - half, i / side - half) < 90;
  const rgb = new Uint8Array(side * side * 3).fill(255);
  for (let i = 0; i < side * side; i++) {
    if (!isScene(i)) continue;
    const wall = Math.floor(i / side) < half ? 120 : 70;
    for (let c = 0; c < 3; c++) rgb[i * 3 + c] = seen(i) ? [180, 40, 30][c]! : wall + ((i * 7) % 23) - 10 * c;
  }
  expect(refine(rgb, seen).showsAll).toBe(false);
});

it("finds the backdrop all around a set where shadows take more than a quarter of the ground", () => {
  const things = thingsOf(9);
  const labels = drawLabels(things);
  const rgb = photoOf(labels, things, beige, 0.8);
  const prior = toUnitRange(Uint8Array.from(labels, (label) => (label > 0 ? 255 : 0)));
  const grid = { width: side, height: side, rgb, lab: rgbToLab(rgb), prior, networkPixel: 1 };
  expect(measureBackdrop(grid, fitBackdrop(rgb, side))).toMatchObject({ isAllAround: true });
});
