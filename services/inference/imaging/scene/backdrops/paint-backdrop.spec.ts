import { createRandom } from "@packshot/domain/random.ts";
import { expect, it } from "vitest";
import { fitCamera } from "../canvas/camera.ts";
import type { Canvas } from "../canvas/canvas.ts";
import { createSight } from "../canvas/in-sight.ts";
import { createNoise } from "../canvas/noise.ts";
import { createGobo } from "../ground/gobo.ts";
import { drawThings } from "../motifs/draw-thing.ts";
import { planScene, type ScenePlan } from "../plan/scene-plan.ts";
import { renderScene } from "../render-scene.ts";
import { toneMap } from "../tone-map.ts";
import { readAvoid } from "../words/avoid.ts";
import { parseTheme } from "../words/theme.ts";
import { paintBackdrop } from "./paint-backdrop.ts";

const camera = fitCamera(null, 160, 120, 1, 0.29);

/** Values 0–255, drawn with one seed for all themes. */
function picture(theme: string, avoid = ""): Float32Array {
  const avoided = readAvoid(avoid);
  const plan = planScene(parseTheme(theme, avoided), "one text", 7, { without: avoided.things });
  const { light } = renderScene(plan, camera, null);
  toneMap(light, plan, camera);
  return light;
}

/** The share of values that differ so that it is seen. */
function differing(a: Float32Array, b: Float32Array): number {
  return a.reduce((count, value, i) => count + Number(Math.abs(value - b[i]!) > 12), 0) / a.length;
}

it.each([
  ["bedroom", "furniture"],
  ["bedroom nightstand", "lamp"],
  ["living room", "furniture"],
  ["hotel lobby", "lights"],
  ["hotel lobby", "sofa"],
  ["playroom", "objects"],
  ["playroom", "furniture"],
  ["loft", "windows"],
  ["loft", "sofa"],
  ["industrial", "furniture"],
  ["night skyline", "lights"],
  ["botanical garden", "leaves"],
  ["palms", "plants"],
  ["tropical beach", "trees"],
  ["terrace, lemons", "leaves"],
  ["snowy mountains", "trees"],
  ["library", "objects"],
  ["bakery", "objects"],
  ["office", "objects"],
  ["poolside", "plants"],
  ["living room", "plants"],
  ["kitchen", "furniture"],
  ["kitchen", "objects"],
  ["kitchen", "windows"],
  ["white wall, leaf shadows", "plants"],
])("%s has things that only such a place has, unless they are avoided: %s", (theme, avoid) => {
  expect(differing(picture(theme), picture(theme, avoid))).toBeGreaterThan(0.01);
});

it.each(["palms", "plants"])("a kitchen has no %s where plants are avoided", (named) => {
  expect(differing(picture("kitchen"), picture(`kitchen, ${named}`))).toBeGreaterThan(0.01);
  expect(differing(picture("kitchen", "plants"), picture(`kitchen, ${named}`, "plants"))).toBe(0);
});

it.each([
  ["terrace, lemons", "terrace"],
  ["mediterranean, lemons", "mediterranean"],
  ["beach, palms", "beach"],
  ["petals on silk", "silk"],
  ["easter, eggs", "easter"],
  ["christmas, gifts", "christmas"],
  ["pink wall, hearts", "pink wall"],
  ["terrace, parasol", "terrace"],
  ["porch, pumpkins", "porch"],
  ["street, rain", "street, overcast"],
  ["beige wall, stacked stones", "beige wall"],
  ["meadow, tent", "meadow"],
  ["forest, waterfall", "forest"],
  ["garden, poolside", "garden"],
  ["forest, fog", "forest, overcast"],
  ["mountain lake", "lake"],
  ["hotel room overlooking the sea", "hotel room"],
  ["bedroom with a view of the mountains", "bedroom"],
  ["winter living room", "living room"],
  ["loft in Berlin overlooking the sea", "loft"],
  ["old town", "city"],
  ["airport", "mall"],
  ["railway station", "mall"],
  ["carpentry", "garage"],
  ["cocktail bar", "restaurant"],
  ["bar, neon", "bar"],
  ["rainy window", "living room"],
  ["windowsill overlooking the mountains, rain, daylight", "windowsill, rain, daylight"],
  ["stadium", "golf"],
  ["velvet wall", "#5c1f33 wall"],
  ["mossy rock", "rock"],
  ["wooden wall", "#b98a5a wall"],
  ["marble wall", "#ece9e4 wall"],
  ["stone wall", "#8b8680 wall"],
  ["concrete wall", "#9c9a96 wall"],
  ["white wall, shadow of blinds", "white wall, window light"],
  ["forest stream", "forest"],
  ["mountain stream", "mountains"],
  ["barn door", "#7a5236 wall"],
  ["vegetable garden", "garden"],
  ["bathroom with a view of the sea", "bathroom"],
  ["kitchen overlooking the mountains", "kitchen"],
  ["birthday, confetti", "birthday"],
  ["green marble tiles in a bathroom", "green bathroom"],
])("%s shows what it names beside %s", (theme, without) => {
  expect(differing(picture(theme), picture(without))).toBeGreaterThan(0.01);
});

it("string lights hang from side to side of a garden", async () => {
  const text = "garden at night, string lights";
  const plan = planScene(parseTheme(text), "one text", 7);
  const { light } = renderScene(plan, camera, null, null, await drawThings(plan.things));
  const bulbs = new Set<number>();
  for (let i = 0; i < camera.width * camera.height; i++)
    if (light[3 * i]! > 1.5) bulbs.add(Math.floor(((i % camera.width) * 8) / camera.width));
  expect([...bulbs].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

it("a bathroom has one mirror, whether its theme names it or not", async () => {
  const plan = planScene(parseTheme("bathroom, mirror"), "one text", 7);
  const things = (await drawThings(plan.things)).filter(({ name }) => name === "mirror");
  expect(things).toHaveLength(1);
  expect(renderScene(plan, camera, null, null, things).light).toEqual(renderScene(plan, camera, null).light);
});

it("a cabin in a wood stands behind the ground's end, as a bench does", async () => {
  const lowest = async (theme: string) => {
    const plan = planScene(parseTheme(theme), "one text", 7);
    const bare = renderScene(plan, camera, null).light;
    const { light } = renderScene(plan, camera, null, null, await drawThings(plan.things));
    return light.findLastIndex((value, i) => Math.abs(value - bare[i]!) > 0.05) / (3 * camera.width);
  };
  expect(await lowest("forest, log cabin")).toBeGreaterThan((await lowest("forest, bench")) - 2);
});

it("a moon is the brightest of the sky", () => {
  const brightest = (theme: string) => picture(theme).reduce((most, value) => Math.max(most, value), 0);
  expect(brightest("desert at night, moon")).toBeGreaterThan(brightest("desert at night") + 60);
});

it("strews grains that gleam", () => {
  const bare = picture("black velvet");
  const gleaming = picture("black velvet, gold dust").filter((value, i) => value > bare[i]! + 60).length;
  expect(gleaming).toBeGreaterThan(60);
});

it("has no beads of water on what soaks it up", () => {
  expect(differing(picture("sand, water drops"), picture("sand"))).toBe(0);
  expect(differing(picture("slate, water drops"), picture("slate"))).toBeGreaterThan(0.003);
});

it("lays puddles on a street, and a film with drops on a wet table", () => {
  expect(differing(picture("street, puddles"), picture("street"))).toBeGreaterThan(0.02);
  const wet = picture("wet slate");
  expect(differing(wet, picture("slate"))).toBeGreaterThan(0.003);
  expect(differing(wet, picture("slate, water drops"))).toBeGreaterThan(0.02);
});

/** The backdrop behind a product of a length in units of the ground: 1 is a mug's, 5.6 somebody's. */
function behind(text: string, productLong: number, of: Partial<ScenePlan> = {}): Canvas {
  const wide = fitCamera(null, 420, 420, 1, 0.29);
  const plan = { ...planScene(parseTheme(text), "one text", 7), ...of };
  const random = createRandom(7);
  const noise = createNoise(random);
  const gobo = createGobo("none", noise, random, { lampSide: 0.5, view: "level" });
  const sight = createSight(null, [0, 1, 1], []);
  const given = { plan, noise, random, gobo, sight, lampSide: 0.5, productHalf: 0.2, productLong };
  return paintBackdrop({ ...given, camera: wide, things: [] }, 300);
}

/** The steepest step from one pixel of a row to the next. */
function steepest({ planes: [, green], width }: Canvas): number {
  return green.reduce(
    (most, value, i) => ((i + 1) % width === 0 ? most : Math.max(most, Math.abs(green[i + 1]! - value))),
    0,
  );
}

it.each(["kitchen", "loft", "gym", "supermarket", "old town"])(
  "what a %s has is more out of focus behind a small product than behind somebody",
  (theme) => {
    expect(steepest(behind(theme, 1))).toBeLessThan(0.8 * steepest(behind(theme, 5.6)));
  },
);

it("a room without a product is in focus itself", () => {
  expect(steepest(behind("kitchen", 1, { isEmpty: true }))).toBeGreaterThan(1.5 * steepest(behind("kitchen", 1)));
});

it("lights that a theme asks for are no more out of focus than the lens makes them", () => {
  expect(steepest(behind("living room, bokeh", 1))).toBeGreaterThan(2 * steepest(behind("living room", 1)));
});
