import { expect, it } from "vitest";
import { box } from "../../../../testing/images/drawn-cut-out.ts";
import { estimatePose } from "../shadow/pose.ts";
import { fitCamera, looksDown, rowBehind } from "./camera.ts";
import { lookDownAt } from "./look-down.ts";
import { planScene } from "./scene-plan.ts";
import { parseTheme } from "./words/theme.ts";

const side = 168;

type Shape = (x: number, y: number) => boolean;

const planOf = (theme: string) => planScene(parseTheme(theme), theme, 7);

function standing(isInside: Shape) {
  const alpha = Uint8Array.from({ length: side * side }, (_, i) =>
    isInside(i % side, Math.floor(i / side)) ? 255 : 0,
  );
  return estimatePose(alpha, side, side, { pose: "standing" })!;
}

/** A can whose rim is an ellipse so flat, and which is so tall. */
const can =
  (flat: number, tall: number): Shape =>
  (x, y) => {
    const rim = (at: number) => ((x - 84) / 64) ** 2 + ((y - at) / (64 * flat)) ** 2 < 1;
    return rim(70) || rim(70 + tall) || (Math.abs(x - 84) < 64 && y >= 70 && y <= 70 + tall);
  };
const disc = can(0.55, 18);

it("looks down at a low disc whose base shows that its photo did", () => {
  const pose = lookDownAt(standing(disc), planOf("living room"))!;
  expect(pose.pitch).toBeCloseTo(0.55, 1);
  const camera = fitCamera(pose, side, side, 1, pose.pitch, undefined, true);
  expect(looksDown(camera)).toBe(true);
  expect((camera.baseY - camera.horizonY) / camera.distance).toBeCloseTo(pose.pitch, 6);
  expect(rowBehind(camera, pose)).toBeLessThan(0.2 * side);
});

it.each<[string, Shape, string]>([
  ["a pot, which is tall", can(0.5, 60), "living room"],
  ["a plate seen from a table's edge", can(0.3, 10), "living room"],
  ["a box", box(20, 60, 148, 120), "living room"],
  ["a disc in open country, which goes on to the horizon", disc, "beach"],
  ["a disc on a podium", disc, "podium in a living room"],
])("looks as usual at %s", (_, shape, theme) => {
  expect(lookDownAt(standing(shape), planOf(theme))).toBeUndefined();
});
