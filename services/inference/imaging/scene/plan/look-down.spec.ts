import { expect, it } from "vitest";
import { box } from "../../../../../testing/images/drawn-cut-out.ts";
import { estimatePose } from "../../shadow/pose.ts";
import { fitCamera, looksDown, rowBehind } from "../canvas/camera.ts";
import { nothingLaid } from "../from-above/flat-lay.ts";
import { notShown } from "../not-shown.ts";
import { parseTheme } from "../words/theme.ts";
import { lookDownAt, withoutHighThings } from "./look-down.ts";
import { planScene } from "./scene-plan.ts";

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
  const pose = lookDownAt(standing(disc), planOf("living room"), "living room")!;
  expect(pose.pitch).toBeCloseTo(0.55, 1);
  const camera = fitCamera(pose, side, side, 1, pose.pitch, undefined, true);
  expect(looksDown(camera)).toBe(true);
  expect((camera.baseY - camera.horizonY) / camera.distance).toBeCloseTo(pose.pitch, 6);
  expect(rowBehind(camera, pose)).toBeLessThan(0.2 * side);
});

it.each<[string, Shape, string]>([
  ["a pot, which is tall", can(0.5, 60), "living room"],
  ["a jar, which stands on tables", can(0.5, 44), "living room"],
  ["a tin on a table", disc, "marble table in a cafe"],
  ["a tin on a table of German words", disc, "Küchentisch"],
  ["a tin on a counter", disc, "kitchen counter"],
  ["a tin in an office, whose place is a desk", disc, "office"],
  ["a plate seen from a table's edge", can(0.3, 10), "living room"],
  ["a box", box(20, 60, 148, 120), "living room"],
  ["a disc in open country, which goes on to the horizon", disc, "beach"],
  ["a disc on a podium", disc, "podium in a living room"],
])("looks as usual at %s", (_, shape, theme) => {
  expect(lookDownAt(standing(shape), planOf(theme), theme)).toBeUndefined();
});

it.each([
  ["kitchen with plants", ["plants"]],
  ["living room with a guitar", ["guitar"]],
  ["white wall with balloons", ["balloons"]],
  ["living room with a moon", ["moon"]],
])("says what a camera that looks down does not see of %s", (text, missing) => {
  const { plan, theme } = withoutHighThings(planOf(text), parseTheme(text));
  expect(notShown(theme, plan, "level", nothingLaid)).toEqual(missing);
});

it("keeps what is low, or stands beside the product", () => {
  const text = "bedroom with a rug, books and a pouf";
  const plan = planOf(text);
  expect(withoutHighThings(plan, parseTheme(text)).plan.things).toEqual(plan.things);
});
