import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { ProductPose } from "../shadow/pose.ts";
import { type Camera, fitCamera } from "./canvas/camera.ts";
import { drawThings } from "./motifs/draw-thing.ts";
import { planScene } from "./plan/scene-plan.ts";
import { renderScene } from "./render-scene.ts";
import { standThings } from "./standing-things/stand-things.ts";
import { readAvoid } from "./words/avoid.ts";
import { colors, settings } from "./words/lexicon.ts";
import { lyingThings, namedThings } from "./words/named-things.ts";
import { parseTheme } from "./words/theme.ts";

const folder = new URL("drawings/", import.meta.url);
const names = new Set([...namedThings.values()].map(({ name }) => name));
const drawings = readdirSync(folder).map((file) => ({
  name: file.replace(/\.svg$/, ""),
  svg: readFileSync(new URL(file, folder), "utf8"),
}));

it("draws each thing that has a name, some in several arrangements, and no other", () => {
  const drawn = new Set(drawings.map(({ name }) => name.replace(/-\d$/, "")));
  expect([...drawn].toSorted()).toEqual([...names].toSorted());
});

it("draws each arrangement of a thing there is a file for", async () => {
  const further = drawings.filter(({ name }) => /-\d$/.test(name)).map(({ name }) => name.replace(/-\d$/, ""));
  for (const name of new Set(further)) {
    const thing = [...namedThings.values()].find((one) => one.name === name)!;
    const [drawn] = await drawThings([thing]);
    expect(new Set(drawn!.arrangements.map(({ aspect }) => aspect)).size, name).toBe(
      1 + further.filter((one) => one === name).length,
    );
  }
});

it("lays down what lies, and the contents of what stands", () => {
  const lying = lyingThings(
    [...namedThings.values()].map((thing) => ({ ...thing, words: [] })),
    null,
  );
  expect(lying.length).toBeGreaterThan(100);
  expect(lying.filter(({ name }) => !names.has(name))).toEqual([]);
  const { things } = parseTheme("kitchen with fruit and a fridge");
  expect(lyingThings(things, null).map(({ name, words }) => [name, ...words])).toEqual([
    ["apple", "fruit"],
    ["orange", "fruit"],
    ["grapes", "fruit"],
  ]);
});

it.each([
  ["bar", "lime"],
  ["bakery", "wheat"],
  ["gym", "dumbbell"],
  ["workshop", "tools"],
  ["office", "envelope"],
  ["football stadium", "football"],
  ["dining room", "cutlery"],
  ["airport", "map-scroll"],
])("tells a place from above by what lies there: %s", (text, name) => {
  const { things, setting } = parseTheme(text);
  const lying = lyingThings(things, setting?.decor ?? null);
  expect(lying.map((thing) => thing.name)).toContain(name);
});

it("lays what the theme names, and nothing of the place beside it", () => {
  const { things, setting } = parseTheme("bar with oranges");
  expect(lyingThings(things, setting?.decor ?? null).map(({ name }) => name)).toEqual(["orange"]);
});

it("draws in plain SVG that refers to nothing else, in a frame of 200", () => {
  for (const { name, svg } of drawings) {
    const [, width, height] = svg.match(/^<svg [^>]*viewBox="0 0 (\d+) (\d+)"/) ?? [];
    expect(Math.max(Number(width), Number(height)), name).toBe(200);
    expect(svg, name).toMatch(/<title>[^<]+<\/title>/);
    expect(svg, name).not.toMatch(/<(text|image|style|script|filter|foreignObject)|href="(?!#)/);
    expect(svg.length, name).toBeLessThan(7000);
  }
});

it("has a color of its own for each drawing that takes one, and for no other", () => {
  for (const { name, color } of namedThings.values()) {
    const { svg } = drawings.find((drawing) => drawing.name === name)!;
    expect(svg.includes("currentColor"), name).toBe(color !== null);
  }
});

it("stands in places that the lexicon has", () => {
  const unknown = [...namedThings.values()].filter(({ setting }) => setting !== null && !settings.has(setting));
  expect(unknown).toEqual([]);
});

const level = fitCamera(null, 240, 180, 1, 0.29);
const above: Camera = { ...level, view: "above", baseX: 120, baseY: 150, horizonY: -1000, size: 100, distance: 300 };
const box = { left: 80, right: 160, top: 50, bottom: 150 };
const inBox = (x: number, y: number) => x >= box.left && x < box.right && y >= box.top && y < box.bottom;
const flatPose = {
  silhouette: {
    ...box,
    width: 240,
    inside: Uint8Array.from({ length: 240 * 180 }, (_, at) => (inBox(at % 240, Math.floor(at / 240)) ? 1 : 0)),
  },
} as ProductPose;

async function picture(theme: string, avoid = "", camera = level): Promise<Float32Array> {
  const avoided = readAvoid(avoid);
  const plan = planScene(parseTheme(theme, avoided), "one text", 7, { without: avoided.things });
  const pose = camera.view === "above" ? flatPose : null;
  const things = await drawThings(plan.things);
  const scene = renderScene(plan, camera, pose, null, things);
  if (camera.view === "level") standThings(scene, plan, camera, pose, things);
  return scene.light.slice();
}

/** The share of values that differ so that it is seen. */
const differing = (a: Float32Array, b: Float32Array) =>
  a.reduce((count, value, i) => count + Number(Math.abs(value - b[i]!) > 0.05), 0) / a.length;

it.each([
  ["oak table, apples", "oak table", "objects"],
  ["beach, pineapple", "beach", "objects"],
  ["bedroom, teddy bear", "bedroom", "objects"],
  ["living room, piano", "living room", "furniture"],
  ["white wall, mirror", "white wall", "objects"],
  ["white wall, pendant lamps", "white wall", "lamps"],
  ["white podium, cactus", "white podium", "plants"],
  ["white wall, pampas", "white wall", "plants"],
  ["hills, windmill", "hills", "objects"],
  ["sea, sailboats", "sea", "objects"],
  ["field, poppies", "field", "plants"],
  ["white wall, sunflowers", "white wall", "plants"],
  ["garden, butterflies", "garden", "objects"],
])("%s shows what it names beside %s, unless it is avoided", async (theme, without, avoid) => {
  const bare = await picture(without);
  expect(differing(await picture(theme), bare)).toBeGreaterThan(0.003);
  expect(differing(await picture(theme, avoid), await picture(without, avoid))).toBe(0);
});

it("lays flowers and fruit around what is seen from above, and never upon it", async () => {
  const bare = await picture("white wall", "", above);
  const laid = await picture("white wall, roses, oranges", "", above);
  expect(differing(laid, bare)).toBeGreaterThan(0.02);
  for (let y = 60; y < 140; y++) {
    const row = (y * above.width + 90) * 3;
    expect(laid.slice(row, row + 60 * 3)).toEqual(bare.slice(row, row + 60 * 3));
  }
});

it("gives a thing the color before it", async () => {
  const { things } = parseTheme("red chair before a white wall, yellow roses");
  expect(things.map(({ name, color }) => [name, color])).toEqual([
    ["chair", colors.get("red")],
    ["rose", colors.get("yellow")],
  ]);
  expect(differing(await picture("red chair, oak"), await picture("blue chair, oak"))).toBeGreaterThan(0.003);
  expect(parseTheme("white fence, garden")).not.toHaveProperty("settingColor");
});

it("shows at most five, and no castle in a kitchen, and says which it leaves out", () => {
  expect(parseTheme("bedroom with a castle")).toMatchObject({ things: [], notShown: ["castle"] });
  const many = parseTheme("apples, bananas, grapes, tomatoes, carrots, garlic");
  expect(many.things.length).toBe(5);
  expect(many.notShown).toEqual(["garlic"]);
  expect(parseTheme("Schloss am Meer").things.map(({ name }) => name)).toEqual(["castle"]);
});

it("leaves a bright room with candles its daylight, and a living room one sofa", async () => {
  expect(parseTheme("bright bathroom with candles")).not.toHaveProperty("light");
  expect(parseTheme("bathroom with candles").light).toBe("candle");
  const own = await picture("living room");
  const red = await picture("living room, red sofa");
  expect(differing(own, red)).toBeGreaterThan(0.02);
  expect(parseTheme("living room, red sofa").things).toMatchObject([{ name: "sofa", color: colors.get("red") }]);
});

it("puts flowers in a vase at the end of a table outdoors, before those that grow there", async () => {
  const bare = await picture("garden table");
  const withRoses = await picture("garden table, red roses");
  const isRed = (x: number, y: number) => {
    const at = 3 * (y * level.width + x);
    return withRoses[at]! > 1.5 * withRoses[at + 1]! && Math.abs(withRoses[at]! - bare[at]!) > 0.05;
  };
  const rows = (from: number, to: number) =>
    Array.from({ length: level.width }, (_, x) => x).filter((x) =>
      Array.from({ length: to - from }, (__, y) => from + y).some((y) => isRed(x, y)),
    ).length;
  // High above the table's end there are few, and along it many.
  expect(rows(20, 40)).toBeGreaterThan(20);
  expect(rows(60, 80)).toBeGreaterThan(2 * rows(20, 40));
});

it("grows flowers around a blanket in a meadow, and stands no vase there", async () => {
  const plan = planScene(parseTheme("picnic blanket in a meadow"), "one text", 7);
  const bare = renderScene(plan, level, null, null, []).light.slice();
  const grown = renderScene(plan, level, null, null, await drawThings(plan.things)).light.slice();
  const changed = (fromRow: number, toRow: number) => {
    const from = 3 * fromRow * level.width;
    const to = 3 * toRow * level.width;
    return differing(grown.slice(from, to), bare.slice(from, to));
  };
  // Flowers in a vase would stand high above the blanket's far edge.
  expect(changed(0, 50)).toBeLessThan(0.005);
  expect(changed(60, 90)).toBeGreaterThan(0.02);
});

it("draws daisies with small heads: most of a row through the largest is air", async () => {
  const { things } = planScene(parseTheme("meadow, daisies"), "one text", 7);
  const [daisy] = await drawThings(things.filter(({ name }) => name === "daisy"));
  const { width, height, rgba } = daisy!.drawing.levels[0]!;
  const widest = Array.from({ length: height }, (_, y) => y).map((y) => {
    let covered = 0;
    for (let x = 0; x < width; x++) covered += rgba[4 * (y * width + x) + 3]!;
    return covered / width;
  });
  expect(Math.max(...widest.slice(0, height / 4))).toBeGreaterThan(0.2);
  expect(Math.max(...widest.slice(0, height / 4))).toBeLessThan(0.5);
});

it("puts a thing without a place where it belongs", () => {
  expect(parseTheme("lighthouse").setting).toEqual(settings.get("coast"));
  expect(parseTheme("poppies").setting).toEqual(settings.get("field"));
  expect(parseTheme("oak, apples").setting).toBeUndefined();
});

it.each([
  ["kitchen, white tiles", { setting: { backdrop: "tiled-wall", surface: { kind: "marble" } } }],
  ["rustic kitchen", { surface: { kind: "wood" } }],
  ["stół w ogrodzie", { surface: { kind: "wood" } }],
  ["apples and honey", { surface: { kind: "wood" }, setting: settings.get("room") }],
  ["black velvet, gold background", { surface: { kind: "velvet" }, accents: [colors.get("gold")] }],
])("%s has the ground that its words imply together", (theme, implied) => {
  expect(parseTheme(theme)).toMatchObject(implied);
});

it("has no ground of water at the edge of a pool, and neither a second window nor a second fire", () => {
  expect(parseTheme("pool with blue water")).not.toHaveProperty("surface");
  expect(parseTheme("room with a window").things).toEqual([]);
  expect(parseTheme("fireplace").things).toEqual([]);
  expect(parseTheme("fireplace").notShown).toEqual([]);
  expect(parseTheme("living room with a fireplace").things.map(({ name }) => name)).toEqual(["fireplace"]);
});

it("draws a mirror flat: the ceiling and the floor in it are as bright at the right as at the left", async () => {
  const { things } = planScene(parseTheme("hallway, mirror"), "one text", 7);
  const [mirror] = await drawThings(things.filter(({ name }) => name === "mirror"));
  const { width, height, rgba } = mirror!.drawing.levels[0]!;
  const at = (x: number, y: number) => rgba[4 * (Math.round(y * height) * width + Math.round(x * width)) + 1]!;
  for (const y of [0.12, 0.85]) expect(at(0.36, y) / at(0.6, y)).toBeCloseTo(1, 1);
});

/** A product that is a box of the picture's pixels. */
function boxed(left: number, right: number, top: number, bottom: number): ProductPose {
  const { width, height } = level;
  const inside = new Uint8Array(width * height);
  for (let y = top; y < bottom; y++) inside.fill(1, y * width + left, y * width + right);
  return { silhouette: { left, right, top, bottom, width, height, inside } } as ProductPose;
}

it("stands things beside a product that fills the picture at their true size, and most of each shows", async () => {
  const near: Camera = { ...level, size: 200 };
  const pose = boxed(20, 220, 20, 150);
  const seen = async (outline: typeof pose) => {
    const plan = planScene(parseTheme("walnut table, lemons"), "one text", 7);
    const things = await drawThings(plan.things);
    const scene = renderScene(plan, near, outline, null, things);
    const { light } = scene;
    const bare = light.slice();
    standThings(scene, plan, near, outline, things);
    return Array.from({ length: level.width * level.height }, (_, i) => i).filter(
      (i) => Math.abs(light[3 * i + 1]! - bare[3 * i + 1]!) > 0.1,
    );
  };
  const half = 0.5 * near.size;
  const besideIt = (await seen(pose)).filter((i) => Math.abs((i % level.width) + 0.5 - near.baseX) > half);
  const slim = boxed(100, 140, 20, 150);
  expect(besideIt.length).toBeGreaterThan(0.25 * (await seen(slim)).length);
});

it("cuts none of many things by the frame where one is at its side already", async () => {
  const square = fitCamera(null, 180, 180, 1, 0.29);
  const slim = boxed(100, 140, 40, 140);
  const plan = planScene(parseTheme("citrus slices on turquoise"), "one text", 7);
  const things = await drawThings(plan.things);
  const scene = renderScene(plan, square, slim, null, things);
  const bare = scene.light.slice();
  standThings(scene, plan, square, slim, things);
  // Shadows may lie there.
  const isBrighter = (i: number) => [0, 1, 2].some((c) => scene.light[3 * i + c]! > bare[3 * i + c]! + 0.05);
  const rows = Array.from({ length: square.height }, (_, y) => y * square.width);
  expect(rows.filter((row) => isBrighter(row) || isBrighter(row + square.width - 1))).toEqual([]);
});

it("stands things on the floor below a stand, behind the stand and never over it", async () => {
  const plan = planScene(parseTheme("white podium, cactus"), "one text", 7);
  const things = await drawThings(plan.things);
  const scene = renderScene(plan, level, null, null, things);
  const bare = scene.light.slice();
  standThings(scene, plan, level, null, things);
  const { covers } = scene.stand!;
  const changed = Array.from(covers, (_, i) => Math.abs(scene.light[3 * i]! - bare[3 * i]!) > 0.02);
  expect(changed.filter((isChanged, i) => isChanged && covers[i] === 1)).toEqual([]);
  const lowest = changed.lastIndexOf(true) / level.width;
  expect(lowest).toBeGreaterThan(level.baseY - 0.2 * level.size);
});

it("houses of a city stand on its ground and not in the sky, also where the camera looks down", async () => {
  const down = fitCamera(null, 160, 160, 1, 0.45);
  const plan = planScene(parseTheme("street with skyscrapers"), "one text", 7);
  const bare = renderScene(plan, down, null, undefined, []).light.slice();
  const { light } = renderScene(plan, down, null, undefined, await drawThings(plan.things));
  const highest = light.findIndex((value, i) => Math.abs(value - bare[i]!) > 0.05) / (3 * down.width);
  expect(highest / down.horizonY).toBeGreaterThan(0.5);
});
