import { expect, it } from "vitest";
import { drawnCutOut } from "../../../../testing/images/drawn-cut-out.ts";
import { castShadow, emptyLayer, fadeAtEdges } from "./cast-shadow.ts";
import type { Light } from "./light.ts";
import { estimatePose } from "./pose.ts";

const light: Light = { directionDeg: 0, elevationDeg: 60, softness: 0.6, opacity: 1, keyShare: 0.5, footShade: 0 };

/** A bag whose lower edge slants from its near corner to the far one. */
const lowest = (x: number) => 150 - 0.25 * Math.max(0, 150 - x) - 0.7 * Math.max(0, x - 150);
const bag = drawnCutOut(240, 200, (x, y) => x >= 50 && x < 180 && y >= 60 && y < lowest(x));

/** How dark the ground is on average, so many pixels below each column of the bag. */
function darknessBelow(layer: ReturnType<typeof castShadow>, away: number): number {
  let sum = 0;
  for (let x = 60; x < 170; x++) {
    const row = Math.round((lowest(x) + away) / layer.stepPx);
    sum += layer.darkness[row * layer.width + Math.round(x / layer.stepPx)]!;
  }
  return sum / 110;
}

it("shades the ground along all of a slanting lower edge, more than one that is upright would", () => {
  const pose = estimatePose(bag.alpha, bag.width, bag.height, { pose: "standing" })!;
  const [bare, usual, firm] = [0, undefined, 0.36].map((footShade) => {
    const { footShade: _, ...rest } = light;
    return castShadow(pose, footShade === undefined ? rest : { ...rest, footShade }, bag);
  });
  expect(darknessBelow(usual!, 3)).toBeGreaterThan(darknessBelow(bare!, 3) + 0.03);
  expect(darknessBelow(firm!, 3)).toBeGreaterThan(darknessBelow(usual!, 3) + 0.05);
  expect(darknessBelow(firm!, 45)).toBeCloseTo(darknessBelow(bare!, 45), 2);
});

it("shades no further the ground below brims, rims and tubes, unless it is asked to", () => {
  const rims = drawnCutOut(240, 200, (x, y) => {
    const away = Math.hypot(Math.abs(x - 120) - 45, y - 110);
    return (away < 40 && away > 31) || (Math.abs(x - 120) < 6 && Math.abs(y - 100) < 4);
  });
  const pose = estimatePose(rims.alpha, rims.width, rims.height, { pose: "standing" })!;
  const { footShade: _, ...rest } = light;
  const [bare, usual, firm] = [{ ...rest, footShade: 0 }, rest, { ...rest, footShade: 0.36 }].map(
    (made) => castShadow(pose, made, rims).darkness,
  );
  expect(usual).toEqual(bare);
  expect(firm).not.toEqual(bare);
});

it("takes no more of the light than arrives: the shade of a window's bars ends in the product's shadow", () => {
  const pose = estimatePose(bag.alpha, bag.width, bag.height, { pose: "standing" })!;
  const lamp = { ...light, directionDeg: 90, elevationDeg: 40, softness: 0.1, keyShare: 0.7 };
  const inShade = 0.3;
  const [sunny, shady] = [1, inShade].map((lit) => castShadow(pose, { ...lamp, reaches: () => lit }, bag));
  const darkest = sunny!.darkness.reduce((most, _, at) => {
    const column = (at % sunny!.width) * sunny!.stepPx;
    return column < 44 && sunny!.darkness[at]! > sunny!.darkness[most]! ? at : most;
  }, 0);
  const left = (layer: typeof sunny) => (1 - layer!.darkness[darkest]!) ** 2.2;
  expect(left(sunny), "is in the shadow").toBeLessThan(0.6);
  /** How much brighter than the bar's shade the sunny ground is, in light. */
  const beside = 1 / (lamp.keyShare * inShade + 1 - lamp.keyShare);
  expect(beside).toBeGreaterThan(1.9);
  expect((beside * left(sunny)) / left(shady)).toBeLessThan(1.25);
});

it("leaves the shadow of its foot to a product that stands near the lower edge, and shows no frame below it", () => {
  const size = { width: 200, height: 200 };
  const faded = (foot?: number) => {
    const layer = emptyLayer(size, 1);
    layer.darkness.fill(1);
    fadeAtEdges(layer, size, foot);
    return (x: number, y: number) => layer.darkness[y * layer.width + x]!;
  };
  const usual = faded();
  const standing = faded(182);
  expect(usual(100, 182)).toBeLessThan(0.6);
  expect(standing(100, 182)).toBeGreaterThan(0.95);
  expect(standing(100, 199)).toBeLessThan(0.01);
  for (const [x, y] of [
    [8, 100],
    [192, 100],
    [100, 8],
  ] as const)
    expect(standing(x, y), `${x}, ${y}`).toBe(usual(x, y));
  // Where there is hardly any room below the foot, what is there fades softly.
  expect(faded(198)(100, 190)).toBeLessThan(0.7);
});
