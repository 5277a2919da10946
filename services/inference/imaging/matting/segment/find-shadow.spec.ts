import { describe, expect, it } from "vitest";
import { findShadow } from "./find-shadow.ts";

const side = 200;

interface Ground {
  /** By how much a cell is darker than the backdrop, in Lab. */
  darknessAt(x: number, y: number): number;
  /** The network's matte, 0…1. */
  priorAt?(x: number, y: number): number;
  /** The difference in hue, as a share of the darkness. */
  tintShareAt?(x: number, y: number): number;
}

function shadowOf({ darknessAt, priorAt = () => 0, tintShareAt = () => 0 }: Ground) {
  const planeOf = (valueAt: (x: number, y: number) => number) =>
    Float32Array.from({ length: side * side }, (_, i) => valueAt(i % side, Math.floor(i / side)));
  const distance = planeOf(darknessAt);
  const evidence = {
    distance,
    lightness: distance.map((darkness) => -darkness),
    threshold: 2,
    noise: 0.5,
    isPlain: true,
    isAllAround: true,
    tintAt: (i: number) => distance[i]! * tintShareAt(i % side, Math.floor(i / side)),
  };
  const shadow = new Set(findShadow({ width: side, height: side, prior: planeOf(priorAt) }, evidence));
  return (x: number, y: number) => shadow.has(y * side + x);
}

/** A shadow below a product that begins at row 150: as dark as a penumbra up to row 130, and nearly black from there. */
const rampAt = (_: number, y: number) => {
  if (y < 100) return 0;
  return y < 130 ? 2 * (y - 99) : Math.min(90, 60 + 4 * (y - 129));
};
const isUmbra = (y: number) => y >= 130 && y < 150;
const inColumn = (x: number) => x >= 60 && x < 140;
const darknessAt = (x: number, y: number) => (inColumn(x) ? rampAt(x, y) : 0);
const productAt = (_: number, y: number) => (y >= 150 ? 1 : 0);

describe("findShadow", () => {
  it("follows a shadow down to its nearly black part at the product", () => {
    const isShadow = shadowOf({ darknessAt, priorAt: productAt, tintShareAt: () => 0.2 });
    for (let y = 101; y < 150; y++) expect(isShadow(100, y), `${y}`).toBe(true);
    expect(isShadow(100, 150)).toBe(false);
  });

  it.each<[string, Partial<Ground>]>([
    ["which the network may take for product", { priorAt: (x, y) => (isUmbra(y) ? 0.3 : productAt(x, y)) }],
    ["which has a hue of its own", { tintShareAt: (_, y) => (isUmbra(y) ? 0.4 : 0) }],
    ["which begins with an edge", { darknessAt: (x, y) => (inColumn(x) && y >= 130 ? 88 : darknessAt(x, y)) }],
    ["which has details", { darknessAt: (x, y) => darknessAt(x, y) + (inColumn(x) && y >= 132 ? 8 * (x % 2) : 0) }],
  ])("ends before a dark part %s", (_, change) => {
    const isShadow = shadowOf({ darknessAt, priorAt: productAt, ...change });
    expect(isShadow(100, 125)).toBe(true);
    for (let y = 134; y < 150; y++) expect(isShadow(100, y), `${y}`).toBe(false);
  });

  it("takes a product's hue for the shadow's where it is nearly black, and not elsewhere", () => {
    const isShadow = shadowOf({ darknessAt, priorAt: productAt, tintShareAt: (_, y) => (isUmbra(y) ? 0.3 : 0) });
    expect(isShadow(100, 140)).toBe(true);
    const isTinted = shadowOf({ darknessAt, priorAt: () => 0.4, tintShareAt: () => 0.3 });
    expect(isTinted(100, 120)).toBe(false);
  });

  it("keeps what is nearly black between parts of the product", () => {
    const isBetween = (x: number) => x >= 94 && x < 106;
    const isShadow = shadowOf({ darknessAt, priorAt: (x, y) => (y >= 130 && !isBetween(x) ? 1 : productAt(x, y)) });
    expect(isShadow(100, 125)).toBe(true);
    expect(isShadow(100, 140)).toBe(false);
  });

  it("keeps a dark thing in its own soft shadow, of which the network sees nothing", () => {
    const isShadow = shadowOf({ darknessAt });
    expect(isShadow(100, 125)).toBe(true);
    expect(isShadow(100, 140)).toBe(false);
  });

  it.each([
    ["takes a sliver of it that lies in the shadow", 132, true],
    ["keeps one at the product's edge", 130, false],
  ])("%s", (_, top, expected) => {
    const isSliver = (x: number, y: number) => x >= 98 && x < 104 && y === 129;
    const spotAt = (x: number, y: number) => Math.min(58, darknessAt(x, y)) + (isSliver(x, y) ? 8 : 0);
    const isShadow = shadowOf({ darknessAt: spotAt, priorAt: (_x, y) => (y >= top ? 1 : 0) });
    expect(isShadow(100, 128)).toBe(true);
    expect(isShadow(100, 129)).toBe(expected);
  });
});
