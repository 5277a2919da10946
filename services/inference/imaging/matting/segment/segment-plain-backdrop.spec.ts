import { describe, expect, it } from "vitest";
import { rgbToLab } from "../../pixels/lab.ts";
import { fitBackdrop } from "../evidence/backdrop.ts";
import { measureBackdrop } from "../evidence/measure-backdrop.ts";
import { toUnitRange, type WorkGrid } from "../evidence/work-grid.ts";
import { cellsOffBackdrop, segmentPlainBackdrop } from "./segment-plain-backdrop.ts";

const side = 200;
type Color = readonly [number, number, number];

/** Deterministic grain. */
function grainAt(i: number): number {
  return (((i * 2_654_435_761) >>> 0) / 2 ** 32 - 0.5) * 6;
}

const gray: Color = [205, 203, 200];
const green: Color = [120, 200, 60];

/** A grainy backdrop of the color `ground`; `colorAt` paints the product on it; `priorAt` is the network's matte, 0–1. */
function scene(
  colorAt: (x: number, y: number) => Color | undefined,
  priorAt: (x: number, y: number) => boolean | number,
  ground = gray,
) {
  const rgb = new Uint8Array(side * side * 3);
  const matte = new Uint8Array(side * side);
  for (let i = 0; i < matte.length; i++) {
    const x = i % side;
    const y = (i - x) / side;
    const color = colorAt(x, y) ?? ground;
    for (let c = 0; c < 3; c++) rgb[i * 3 + c] = Math.max(0, Math.min(255, Math.round(color[c]! + grainAt(i))));
    matte[i] = Math.round(255 * Number(priorAt(x, y)));
  }
  const grid: WorkGrid = {
    width: side,
    height: side,
    rgb,
    lab: rgbToLab(rgb),
    prior: toUnitRange(matte),
    networkPixel: 1,
  };
  const evidence = measureBackdrop(grid, fitBackdrop(rgb, side));
  expect(evidence.isPlain, "the scene's backdrop is plain").toBe(true);
  const region = segmentPlainBackdrop(cellsOffBackdrop(grid, evidence), grid, evidence);
  return (x: number, y: number) => region[y * side + x];
}

const body = (x: number, y: number) => x >= 60 && x < 140 && y >= 50 && y < 150;
const terracotta: Color = [176, 116, 80];
/** The backdrop with a little of the product's color in it. */
const spillColor: Color = [212, 199, 188];
/** The backdrop with less of it: as far from the backdrop as its noise reaches. */
const tinted: Color = [208, 202, 196];

describe("segmentPlainBackdrop", () => {
  it("leaves out the color that a JPEG spills over the product's rim", () => {
    const spill = (x: number, y: number) => x >= 56 && x < 60 && y === 120;
    const at = scene((x, y) => (body(x, y) ? terracotta : spill(x, y) ? spillColor : undefined), body);
    expect(at(100, 100)).toBe(1);
    expect(at(60, 120)).toBe(1);
    expect(at(57, 120)).toBe(0);
    expect(at(56, 120)).toBe(0);
  });

  it("leaves out blocks of the product's hue beside it, as light as the backdrop", () => {
    const block = (x: number, y: number) => x >= 53 && x < 60 && y >= 70 && y < 130;
    const hue: Color = [236, 196, 160];
    const at = scene((x, y) => (body(x, y) ? [200, 30, 40] : block(x, y) ? hue : undefined), body);
    expect(at(57, 100)).toBe(0);
    expect(at(60, 100)).toBe(1);
  });

  it("keeps a cable of that lightness, of which the network sees the end alone", () => {
    const cable = (x: number, y: number) => Math.abs(x - 100) < 2 && y >= 20 && y < 50;
    const at = scene(
      (x, y) => (body(x, y) || cable(x, y) ? [250, 185, 180] : undefined),
      (x, y) => body(x, y) || (cable(x, y) && y >= 45),
    );
    for (let y = 21; y < 50; y++) expect(at(100, y), `${y}`).toBe(1);
  });

  const besideBody = (x: number, y: number) => x >= 20 && x < 60 && y >= 80 && y < 120;

  it("keeps a pale part of the product where the network is not sure", () => {
    const at = scene(
      (x, y) => (body(x, y) ? terracotta : besideBody(x, y) ? spillColor : undefined),
      (x, y) => (body(x, y) ? 1 : besideBody(x, y) ? 0.3 : 0),
    );
    expect(at(45, 95)).toBe(1);
  });

  it.each<[string, Color, Color]>([
    ["a hard shadow", [90, 89, 88], gray],
    ["a hard shadow on green paper", [70, 116, 35], green],
    ["a reflection", spillColor, gray],
  ])("leaves out %s of which the network is sure, up to the product's edge", (_, color, ground) => {
    const at = scene((x, y) => (body(x, y) ? terracotta : besideBody(x, y) ? color : undefined), body, ground);
    expect(at(45, 95)).toBe(0);
    expect(at(56, 95)).toBe(0);
    expect(at(60, 95)).toBe(1);
  });

  it.each<[string, (x: number) => Color]>([
    ["with a color of its own", () => [200, 30, 40]],
    ["darker than a shadow", () => [20, 20, 22]],
    ["with details", (x) => (x % 4 < 2 ? [150, 149, 147] : [110, 109, 108])],
  ])("keeps a part %s that the network does not see", (_, colorAt) => {
    const at = scene((x, y) => (body(x, y) ? terracotta : besideBody(x, y) ? colorAt(x) : undefined), body);
    expect(at(25, 95)).toBe(1);
    expect(at(45, 95)).toBe(1);
  });

  it.each<[string, number, number, 0 | 1]>([
    ["leaves out a dark patch below the product of which the network is not sure", 4, 0.2, 0],
    ["keeps one that the network takes for product in half", 4, 0.45, 1],
    ["keeps a larger one, which may be a gray foot", 20, 0.2, 1],
  ])("%s", (_, height, odds, expected) => {
    const patch = (x: number, y: number) => x >= 90 && x < 110 && y >= 150 && y < 150 + height;
    const at = scene(
      (x, y) => (body(x, y) ? terracotta : patch(x, y) ? [110, 109, 108] : undefined),
      (x, y) => (body(x, y) ? 1 : patch(x, y) ? odds : 0),
    );
    expect(at(100, 152)).toBe(expected);
    expect(at(100, 140)).toBe(1);
  });

  it("leaves out the nearly black part of a shadow below the product, which begins without an edge", () => {
    const underBody = (x: number, y: number) => x >= 62 && x < 138 && y >= 150 && y < 190;
    const darkened = (share: number) => gray.map((v) => v * (1 - share)) as unknown as Color;
    const fading = (y: number) => darkened(0.97 * Math.exp((150 - y) / 8));
    const at = scene((x, y) => (body(x, y) ? terracotta : underBody(x, y) ? fading(y) : undefined), body);
    for (let y = 150; y < 190; y++) expect(at(100, y), `${y}`).toBe(0);
    expect(at(100, 149)).toBe(1);
  });

  it("keeps a dark strap that the network does not see", () => {
    const strap = (x: number, y: number) => Math.abs(x - 100) < 2 && y >= 20 && y < 50;
    const at = scene((x, y) => (body(x, y) || strap(x, y) ? [40, 40, 42] : undefined), body);
    expect(at(100, 30)).toBe(1);
  });

  it("keeps thin bars that the network does not see, and the thicker joint between them", () => {
    const bar = (x: number, y: number) => Math.abs(x - 100) < 2 && y >= 20 && y < 50;
    const joint = (x: number, y: number) => Math.abs(x - 100) < 4 && y >= 26 && y < 33;
    const at = scene(
      (x, y) => (body(x, y) ? terracotta : bar(x, y) || joint(x, y) ? [105, 105, 107] : undefined),
      body,
    );
    expect(at(100, 40)).toBe(1);
    expect(at(97, 30)).toBe(1);
  });

  it("adds a part in exactly the backdrop's color where the network is fairly sure of it", () => {
    const part = (odds: number) =>
      scene(
        (x, y) => (body(x, y) ? terracotta : undefined),
        (x, y) => (body(x, y) ? 1 : besideBody(x, y) ? odds : 0),
      );
    expect(part(0.75)(40, 100)).toBe(1);
    expect(part(0.6)(40, 100)).toBe(0);
  });

  const rim = (x: number, y: number) => y >= 50 && y < 150 && x >= 58 && x < 60;

  it.each<[string, Color, 0 | 1]>([
    ["takes from the network a pale product's rim in the backdrop's color", [194, 190, 186], 1],
    ["leaves out what the network sees around a dark product", [60, 50, 45], 0],
  ])("%s", (_, color, expected) => {
    const at = scene(
      (x, y) => (body(x, y) ? color : undefined),
      (x, y) => body(x, y) || rim(x, y),
    );
    for (let y = 60; y < 140; y++) expect(at(59, y), `${y}`).toBe(expected);
    for (let y = 60; y < 140; y++) expect(at(62, y), `${y}`).toBe(1);
  });

  it("has a smooth edge where noise frays a pale product's", () => {
    const frayed = (x: number, y: number) => x === 60 && y % 3 === 0;
    const at = scene(
      (x, y) => (body(x, y) && !frayed(x, y) ? [190, 186, 182] : undefined),
      (x, y) => (frayed(x, y) ? 0.6 : body(x, y)),
    );
    for (let y = 60; y < 140; y++) expect([at(59, y), at(60, y)], `${y}`).toEqual([0, 1]);
  });

  it("closes the part of a hole that the network is sure of, where it sees the hole", () => {
    const inside = (x: number, y: number) => x >= 80 && x < 130 && y >= 80 && y < 120;
    const withProductUpTo = (end: number) =>
      scene(
        (x, y) => (body(x, y) && !inside(x, y) ? terracotta : undefined),
        (x, y) => (body(x, y) && (!inside(x, y) || x < end) ? 0.8 : 0),
      );
    const withReflection = withProductUpTo(95);
    expect(withReflection(87, 100)).toBe(1);
    expect(withReflection(110, 100)).toBe(0);
    expect(withReflection(70, 100)).toBe(1);
    // A network that fills most of a hole has not seen it.
    const mostlyFilled = withProductUpTo(120);
    expect(mostlyFilled(87, 100)).toBe(0);
    expect(mostlyFilled(125, 100)).toBe(0);
  });

  it("opens the tip of a hole that narrows between two straps, and no speck elsewhere", () => {
    const hole = (x: number, y: number) => x >= 80 && x < 100 && y >= 80 && y < 100;
    const speck = (left: number, x: number, y: number) => x >= left && x < left + 2 && y >= 88 && y < 91;
    const isOpen = (x: number, y: number) => hole(x, y) || speck(102, x, y) || speck(120, x, y);
    const at = scene(
      (x, y) => (body(x, y) && !isOpen(x, y) ? terracotta : undefined),
      (x, y) => body(x, y) && !hole(x, y),
    );
    expect(at(90, 90)).toBe(0);
    expect(at(102, 89)).toBe(0);
    expect(at(120, 89)).toBe(1);
  });

  it("opens a loop's hole in the loop's own light, which a print in the middle of the product may have too", () => {
    const withGap = (left: number) => {
      const gap = (x: number, y: number) => x >= left && x < left + 24 && y >= 80 && y < 120;
      const at = scene(
        (x, y) => (gap(x, y) ? tinted : body(x, y) ? terracotta : undefined),
        (x, y) => (gap(x, y) ? 0.4 : body(x, y)),
      );
      return at(left + 12, 100);
    };
    expect(withGap(66)).toBe(0);
    expect(withGap(88)).toBe(1);
  });

  it("opens a pale handle's opening of which the network is sure, and keeps the handle", () => {
    const gap = (x: number, y: number) => x >= 84 && x < 124 && y >= 80 && y < 120;
    const withOpening = (odds: number) => {
      const at = scene(
        (x, y) => (gap(x, y) ? (x < 108 ? tinted : undefined) : body(x, y) ? terracotta : undefined),
        (x, y) => (gap(x, y) ? (x < 108 ? 0.95 : odds) : body(x, y)),
      );
      return [at(95, 100), at(116, 100)];
    };
    expect(withOpening(0.05)).toEqual([1, 0]);
    expect(withOpening(0.3)).toEqual([1, 1]);
  });

  it.each<[string, Color]>([
    ["gray", gray],
    ["green", green],
  ])("leaves a soft shadow on a %s ground", (_, ground) => {
    const shade = (x: number, y: number): Color => {
      const k = 1 - 0.35 * Math.exp(-(((x - 100) / 60) ** 2) - ((y - 158) / 14) ** 2);
      return [ground[0] * k, ground[1] * k, ground[2] * k];
    };
    const at = scene((x, y) => (body(x, y) ? terracotta : shade(x, y)), body, ground);
    expect(at(100, 162)).toBe(0);
    expect(at(100, 148)).toBe(1);
  });
});
