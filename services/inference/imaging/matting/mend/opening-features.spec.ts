/** A board with one opening on gray paper, drawn; the network's answer is drawn, too. */
import { describe, expect, it } from "vitest";
import { rgbToLab } from "../../pixels/lab.ts";
import type { BackdropEvidence } from "../evidence/measure-backdrop.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";
import { describeOpenings, measureOpening, openingFeatureNames } from "./opening-features.ts";

const width = 320;
const height = 240;
type Shape = (x: number, y: number) => boolean;
type Color = readonly [number, number, number];

const box =
  (left: number, top: number, right: number, bottom: number): Shape =>
  (x, y) =>
    x >= left && x < right && y >= top && y < bottom;
const board = box(60, 50, 260, 190);
const gray: Color = [190, 190, 190];
const blue: Color = [40, 60, 150];

interface Drawing {
  readonly product?: Shape;
  readonly opening: Shape;
  readonly inOpening?: Color;
  readonly priorInOpening?: number;
}

function featuresOf({ product = board, opening, inOpening = gray, priorInOpening = 0.1 }: Drawing) {
  const rgb = new Uint8Array(3 * width * height);
  const prior = new Float32Array(width * height);
  const region = new Uint8Array(width * height);
  for (let i = 0; i < region.length; i++) {
    const x = i % width;
    const y = Math.floor(i / width);
    const isOpen = opening(x, y);
    region[i] = product(x, y) && !isOpen ? 1 : 0;
    prior[i] = isOpen ? priorInOpening : region[i] === 1 ? 0.99 : 0.01;
    rgb.set(isOpen ? inOpening : region[i] === 1 ? blue : gray, 3 * i);
  }
  const grid: WorkGrid = { width, height, rgb, lab: rgbToLab(rgb), prior, networkPixel: 2 };
  const flat = new Float32Array(width * height);
  const evidence: BackdropEvidence = {
    distance: flat,
    lightness: flat,
    threshold: 2,
    noise: 0.5,
    isPlain: true,
    isAllAround: true,
    tintAt: () => 0,
  };
  const scene = describeOpenings(region, grid, evidence, undefined);
  if (scene === undefined) return undefined;
  const [label] = scene.runsOf.keys();
  const values = measureOpening(scene, label!);
  return Object.fromEntries(openingFeatureNames.map((name, n) => [name, values[n]!])) as Record<
    (typeof openingFeatureNames)[number],
    number
  >;
}

const middle = box(130, 100, 190, 140);

describe("the features of an opening", () => {
  it("are finite, one for each name", () => {
    const features = Object.values(featuresOf({ opening: middle })!);
    expect(features).toHaveLength(openingFeatureNames.length);
    expect(features.every(Number.isFinite)).toBe(true);
  });

  it("tell what has the ground's color from what has the product's", () => {
    const ground = featuresOf({ opening: middle })!;
    const product = featuresOf({ opening: middle, inOpening: blue })!;
    const neither = featuresOf({ opening: middle, inOpening: [250, 240, 90] })!;
    expect([ground.likeGround, ground.likeProduct]).toEqual([1, 0]);
    expect([product.likeGround, product.likeProduct]).toEqual([0, 1]);
    expect([neither.likeGround, neither.likeProduct]).toEqual([0, 0]);
    expect(product.edgeShare).toBe(0);
    expect(ground.edgeShare).toBe(1);
  });

  it("tell a band, beyond which the ground goes on, from an opening deep in the product", () => {
    const beside = featuresOf({ opening: box(70, 60, 120, 180) })!;
    const deep = featuresOf({ opening: box(150, 112, 170, 128) })!;
    expect(beside.bandToGround).toBeGreaterThan(0.7);
    expect(deep.bandToGround).toBe(0);
    expect(deep.depth).toBeGreaterThan(beside.depth);
  });

  it("tell a slit from a round hole", () => {
    const slit = featuresOf({ opening: box(100, 118, 220, 122) })!;
    const round = featuresOf({ opening: (x, y) => Math.hypot(x - 160, y - 120) < 20 })!;
    expect(slit.elongation).toBeGreaterThan(2);
    expect(round.elongation).toBeCloseTo(0, 1);
    expect(round.roundness).toBeGreaterThan(4 * slit.roundness);
  });

  it("do not go on in another row at the photo's sides", () => {
    const right = featuresOf({ product: box(200, 50, width, 190), opening: box(290, 100, 310, 140) })!;
    const left = featuresOf({ product: box(0, 50, 120, 190), opening: box(10, 100, 30, 140) })!;
    expect([right.bands, left.bands]).toEqual([0, 0]);
  });

  it("say what the network finds there", () => {
    const sure = featuresOf({ opening: middle, priorInOpening: 0.02 })!;
    const unsure = featuresOf({ opening: middle, priorInOpening: 0.6 })!;
    expect(sure.prior).toBeLessThan(-3);
    expect(unsure.prior).toBeGreaterThan(0);
    expect(sure.rimPrior).toBeGreaterThan(3);
  });

  it("count openings that are alike", () => {
    const lattice: Shape = (x, y) => board(x, y) && x > 80 && x < 240 && y > 70 && y < 170 && x % 20 > 8 && y % 20 > 8;
    expect(featuresOf({ opening: lattice })!.siblings).toBeGreaterThan(3);
    expect(featuresOf({ opening: middle })!.siblings).toBe(0);
  });

  it("are not measured where nothing is enclosed, or only specks are", () => {
    expect(featuresOf({ opening: box(60, 100, 120, 140) })).toBeUndefined();
    expect(featuresOf({ opening: box(150, 112, 153, 114) })).toBeUndefined();
  });
});
