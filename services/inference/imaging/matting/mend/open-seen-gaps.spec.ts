/** Drawn products on an even ground, whose segmentation has filled a narrow gap that the network sees. */
import { describe, expect, it } from "vitest";
import { rgbToLab } from "../../pixels/lab.ts";
import type { WorkGrid } from "../evidence/work-grid.ts";
import { openSeenGaps } from "./open-seen-gaps.ts";

type Color = readonly [number, number, number];
type Place = (x: number, y: number) => boolean;

const side = 240;
const gray: Color = [196, 196, 198];
const black: Color = [28, 30, 36];

const isBody: Place = (x, y) => x >= 60 && x < 180 && y >= 60 && y < 220;
/** A loop at the body's side, 12 cells thick. */
const isLoop: Place = (x, y) => Math.hypot(x - 180, y - 120) < 36;
const isEye: Place = (x, y) => Math.hypot(x - 196, y - 120) < 9;
const isProduct: Place = (x, y) => isBody(x, y) || isLoop(x, y);

interface Drawing {
  readonly colorAt?: (x: number, y: number) => Color | undefined;
  readonly priorAt?: (x: number, y: number) => number | undefined;
  readonly isRegion?: Place;
}

/** The product in black on gray, as the network sees it; whether a cell is still product after the gaps were opened. */
function opened({ colorAt, priorAt, isRegion = isProduct }: Drawing): Place {
  const rgb = new Uint8Array(3 * side * side);
  const prior = new Float32Array(side * side);
  const region = new Uint8Array(side * side);
  for (let i = 0; i < prior.length; i++) {
    const x = i % side;
    const y = Math.floor(i / side);
    rgb.set(colorAt?.(x, y) ?? (isProduct(x, y) ? black : gray), 3 * i);
    prior[i] = priorAt?.(x, y) ?? (isProduct(x, y) ? 1 : 0);
    region[i] = isRegion(x, y) ? 1 : 0;
  }
  const grid: WorkGrid = { width: side, height: side, rgb, lab: rgbToLab(rgb), prior, networkPixel: 2.5 };
  openSeenGaps(region, grid);
  return (x, y) => region[y * side + x] === 1;
}

const inEye = (color: Color) => (x: number, y: number) => (isEye(x, y) ? color : undefined);
const seenInEye = (prior: number) => (x: number, y: number) => (isEye(x, y) ? prior : undefined);

describe("a loop's eye", () => {
  it("is opened where it shows the ground and the network sees it", () => {
    const stays = opened({ colorAt: inEye(gray), priorAt: seenInEye(0.15) });
    expect(stays(196, 120)).toBe(false);
    expect(stays(212, 120), "the loop").toBe(true);
    expect(stays(100, 140), "the body").toBe(true);
  });

  it("is opened where it lies in the product's shade", () => {
    expect(opened({ colorAt: inEye([178, 178, 180]), priorAt: seenInEye(0.15) })(196, 120)).toBe(false);
  });

  it.each([
    ["the network takes it for product", gray, 0.8],
    ["the network is unsure of it", gray, 0.4],
    ["its color is not the ground's", [214, 190, 150] as Color, 0.15],
    ["it is darker than a shade", [110, 110, 112] as Color, 0.15],
  ])("stays filled where %s", (_, color, prior) => {
    expect(opened({ colorAt: inEye(color), priorAt: seenInEye(prior) })(196, 120)).toBe(true);
  });

  it("stays filled where it has no edge, as a highlight has none", () => {
    const colorAt = (x: number, y: number): Color | undefined => {
      const share = Math.min(1, Math.hypot(x - 120, y - 140) / 55);
      return isBody(x, y) ? (gray.map((v, c) => v + share * (black[c]! - v)) as unknown as Color) : undefined;
    };
    const priorAt = (x: number, y: number) => (Math.hypot(x - 120, y - 140) < 12 ? 0.1 : undefined);
    expect(opened({ colorAt, priorAt })(120, 140)).toBe(true);
  });
});

describe("deep in the product", () => {
  const slit =
    (half: number): Place =>
    (x, y) =>
      Math.abs(x - 120) < half && y >= 100 && y < 180;
  const drawn = (half: number, prior: number): Drawing => ({
    colorAt: (x, y) => (slit(half)(x, y) ? gray : undefined),
    priorAt: (x, y) => (slit(half)(x, y) ? prior : undefined),
  });

  it("a slit of which the network is sure is opened, as that between a sleeve and a jacket", () => {
    expect(opened(drawn(4, 0.1))(120, 140)).toBe(false);
  });

  it("a patch of the ground's color of which it is less sure stays", () => {
    expect(opened(drawn(4, 0.27))(120, 140)).toBe(true);
  });
});

describe("the narrow end of a gap", () => {
  /** Between two legs, narrowing upwards from 20 cells to none; tips are looked for where the network sees some filled gap, here the eye. */
  const isGap: Place = (x, y) => y >= 100 && Math.abs(x - 120) < (y - 100) / 12;
  const isTip: Place = (x, y) => isGap(x, y) && y < 116;
  const colorAt = (x: number, y: number) => (isGap(x, y) || isEye(x, y) ? gray : undefined);
  const isRegion: Place = (x, y) => isProduct(x, y) && (!isGap(x, y) || isTip(x, y));

  /** @param tipPrior the network's answer at the gap's end */
  const seen = (tipPrior: number) => (x: number, y: number) =>
    isTip(x, y) ? tipPrior : isGap(x, y) ? 0.05 : seenInEye(0.15)(x, y);

  it("is opened although the network's answer is blurred there", () => {
    expect(opened({ colorAt, priorAt: seen(0.7), isRegion })(120, 110)).toBe(false);
  });

  it("stays where the network is sure of product", () => {
    expect(opened({ colorAt, priorAt: seen(0.95), isRegion })(120, 110)).toBe(true);
  });
});

it("leaves the ends of pale stripes at the product's edge, though a gap elsewhere is opened", () => {
  const isStripe: Place = (x, y) => isBody(x, y) && x < 100 && (y - 60) % 9 < 3;
  const stays = opened({
    colorAt: (x, y) => (isEye(x, y) || isStripe(x, y) ? gray : undefined),
    // The network's answer is blurred at the left edge.
    priorAt: (x, y) => (isEye(x, y) ? 0.15 : isBody(x, y) && x < 65 ? 0.5 + 0.1 * (x - 60 + 0.5) : undefined),
  });
  expect(stays(196, 120)).toBe(false);
  for (let y = 60; y < 220; y++) for (let x = 60; x < 65; x++) expect(stays(x, y), `${x}, ${y}`).toBe(true);
});
