import { expect, it } from "vitest";
import { drawnCutOut } from "../../../../testing/images/drawn-cut-out.ts";
import { castShadow } from "./cast-shadow.ts";
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
