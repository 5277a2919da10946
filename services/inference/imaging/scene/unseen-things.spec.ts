/** What the product hides is placed where it is seen, or told as not shown. */

import { expect, it } from "vitest";
import { estimatePose } from "../shadow/pose.ts";
import { fitCamera } from "./canvas/camera.ts";
import { outOfSight } from "./canvas/in-sight.ts";
import { drawThings } from "./motifs/draw-thing.ts";
import { notShown, propsIn, thingsIn } from "./not-shown.ts";
import { planScene, type ScenePlan } from "./plan/scene-plan.ts";
import { renderScene } from "./render-scene.ts";
import { standThings } from "./standing-things/stand-things.ts";
import { parseTheme } from "./words/theme.ts";

const width = 160;
const height = 120;

type Box = readonly [left: number, right: number, top: number, bottom: number];
const small: Box = [68, 92, 50, 95];
const middle: Box = [45, 115, 20, 105];
const atLeft: Box = [4, 100, 8, 105];
const nearlyAll: Box = [3, 157, 3, 112];

async function reportOf(
  text: string,
  [left, right, top, bottom]: Box,
  seed = 7,
  change = (plan: ScenePlan): ScenePlan => plan,
) {
  const alpha = new Uint8Array(width * height);
  for (let y = top; y < bottom; y++) alpha.fill(255, y * width + left, y * width + right);
  const pose = estimatePose(alpha, width, height, { pose: "standing", camera: "level" });
  const camera = fitCamera(pose, width, height, 1, 0.29);
  const theme = parseTheme(text);
  const plan = change(planScene(theme, text, seed));
  const things = await drawThings(thingsIn(plan, "level"));
  const scene = renderScene(plan, camera, pose, null, things);
  const sightings = [...scene.sightings, ...standThings(scene, plan, camera, pose, things)];
  const unseen = outOfSight(sightings, pose);
  const names = thingsIn(plan, "level").map(({ name }) => name);
  return {
    props: [...propsIn(plan, "level", scene.laid, unseen), ...names.filter((name) => !unseen.has(name))],
    missing: notShown(theme, plan, "level", scene.laid, unseen),
  };
}

const themes = [
  ["sea, sailboat", "sailboat"],
  ["oak table, cake", "cake"],
  ["meadow, windmill", "windmill"],
  ["lawn, football", "football"],
  ["campfire in the woods", "campfire"],
] as const;

it.each(themes)("tells that a product which fills the picture hides it: %s", async (text, name) => {
  const { props, missing } = await reportOf(text, nearlyAll);
  expect(props).not.toContain(name);
  expect(missing).toContain(name);
});

it.each(themes)("shows it beside a small product, and at the free side of one at the left: %s", async (text, name) => {
  for (const box of [small, middle, atLeft]) {
    for (const seed of [7, 8]) {
      const { props, missing } = await reportOf(text, box, seed);
      expect(props, box.join()).toContain(name);
      expect(missing, box.join()).not.toContain(name);
    }
  }
});

it("moves a tent to the free side, and tells of one that has none", async () => {
  expect((await reportOf("camping in the woods", atLeft)).props).toContain("tent");
  expect((await reportOf("camping in the woods", nearlyAll)).props).not.toContain("tent");
});

it("tells of what finds no place on the table behind a person", async () => {
  const text = "oak table in a room, croissant, cake, teapot, candle, muffin";
  const upon = (things: ScenePlan["things"]) => things.map((thing) => ({ ...thing, place: "upon" as const }));
  const { props, missing } = await reportOf(text, small, 7, (plan) => ({ ...plan, things: upon(plan.things) }));
  const named = ["croissant", "cake", "teapot", "candle", "muffin"];
  const drawn = named.filter((name) => props.includes(name));
  expect(missing.toSorted()).toEqual(named.filter((name) => !drawn.includes(name)).toSorted());
  expect(missing).not.toEqual([]);
});

const onTables = (plan: ScenePlan): ScenePlan => ({
  ...plan,
  things: plan.things.map((thing) => ({ ...thing, place: "upon" as const })),
});

it.each([
  ["oak table in a room, croissant, cake, teapot", []],
  ["living room, croissant, cake, teapot", ["teapot"]],
  ["pool, croissant, cake, teapot", ["croissant", "cake", "teapot"]],
])("puts what is left on another table where one has room, and none in water: %s", async (text, told) => {
  expect((await reportOf(text, small, 7, onTables)).missing).toEqual(told);
});
