import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ProductPose } from "../../shadow/pose.ts";
import type { Camera } from "../canvas/camera.ts";
import { drawItems } from "../motifs/draw-thing.ts";
import { notShown } from "../not-shown.ts";
import { type PlaceItem, placeItems } from "../plan/lay-places.ts";
import { planScene, type ScenePlan } from "../plan/scene-plan.ts";
import { seenFromAbove } from "../plan/seen-from-above.ts";
import { renderScene } from "../render-scene.ts";
import { readAvoid } from "../words/avoid.ts";
import { parseTheme } from "../words/theme.ts";

const folder = new URL("../drawings-above/", import.meta.url);
const width = 240;
const height = 240;
const camera: Camera = {
  view: "above",
  width,
  height,
  baseX: 120,
  baseY: 190,
  horizonY: -1000,
  size: 140,
  distance: 300,
};
const inside = new Uint8Array(width * height);
for (let y = 50; y < 190; y++) inside.fill(1, y * width + 80, y * width + 160);
const silhouette = { left: 80, right: 160, top: 50, bottom: 190, width, inside };
const pose = { silhouette } as ProductPose;

const places = [
  "hair salon",
  "bathroom",
  "spa",
  "vanity table",
  "kitchen",
  "dining room",
  "office desk",
  "bedroom",
  "picnic",
  "bakery",
];

function planOf(theme: string, avoid = "", seed = 7): ScenePlan {
  const avoided = readAvoid(avoid);
  return seenFromAbove(planScene(parseTheme(theme, avoided), "one text", seed, { without: avoided.things }));
}

async function render(plan: ScenePlan, items: readonly PlaceItem[], from = camera) {
  const scene = renderScene(plan, from, pose, null, [], await drawItems(items));
  return { light: scene.light.slice(), laid: scene.laid };
}

/** Pixels of the picture at which something else is seen. */
function differing(a: Float32Array, b: Float32Array): number[] {
  return Array.from({ length: width * height }, (_, i) => i).filter((i) =>
    [0, 1, 2].some((c) => Math.abs(a[3 * i + c]! - b[3 * i + c]!) > 0.03),
  );
}

describe("what lies in a place that is seen from above", () => {
  it.each(places)("%s: things of it fill a part of the ground, and none is below the product", async (theme) => {
    const plan = planOf(theme);
    const items = placeItems(plan);
    const laid = (await render(plan, items)).light;
    const without = (await render(plan, items.slice(0, 1))).light;
    const changed = differing(laid, without);
    expect(changed.length).toBeGreaterThan(0.04 * width * height);
    expect(changed.filter((i) => inside[i] === 1)).toEqual([]);
  });

  it.each(places)("%s: no two things of it look the same", (theme) => {
    for (let seed = 1; seed < 9; seed++) {
      const kinds = placeItems(planOf(theme, "", seed)).map(({ name, color, reach }) => `${name} ${color} ${reach}`);
      expect(new Set(kinds).size).toBe(kinds.length);
    }
  });

  it("lays towels in the color that the theme gives them, and in two of their own otherwise", () => {
    const towelsOf = (theme: string) =>
      placeItems(planOf(theme)).flatMap(({ name, color }) => (name === "towel" ? [color] : []));
    for (const theme of ["bathroom with pink towels", "spa, navy blue towels"]) {
      const { color } = planOf(theme).things.find(({ name }) => name === "towels")!;
      expect(towelsOf(theme), theme).toEqual([color, color]);
    }
    expect(new Set(towelsOf("bathroom with towels")).size).toBe(2);
  });

  it("lays a large thing at its true size, and a smaller one beside a product that fills the picture", async () => {
    const plan = planOf("bathroom");
    const towel = placeItems(plan).filter(({ name }) => name === "towel");
    const near: Camera = { ...camera, size: 220, baseY: 230 };
    const [far, close] = await Promise.all(
      [camera, near].map(async (from) => {
        const [shown, bare] = [await drawItems(towel), []].map((items) =>
          renderScene(
            plan,
            from,
            { silhouette: { ...silhouette, right: 90 } } as ProductPose,
            null,
            [],
            items,
          ).light.slice(),
        );
        return differing(shown!, bare!).length / from.size ** 2;
      }),
    );
    expect(far).toBeGreaterThan(0.35);
    expect(close).toBeLessThan(0.8 * far!);
  });

  it.each([
    ["bathroom", "towels", "towel"],
    ["bathroom", "bottles", "pump-bottle"],
    ["office desk", "screens", "laptop"],
    ["hair salon", "plants", "succulent"],
    ["picnic", "basket", "basket"],
    ["bathroom", "soap", "soap-dish"],
    ["spa", "soap", "soap-dish"],
    ["vanity table", "lipstick", "lipstick"],
    ["vanity table", "makeup", "compact"],
    ["kitchen", "cutting board", "cutting-board"],
    ["kitchen", "napkins", "napkin"],
    ["kitchen", "plates", "plate"],
    ["kitchen", "Teller", "plate"],
    ["kitchen", "bowls", "bowl"],
    ["kitchen", "knives", "knife"],
    ["kitchen", "kitchen knife", "knife"],
    ["kitchen", "wooden spoons", "wooden-spoon"],
    ["office desk", "notebook", "notebook"],
    ["office desk", "pens", "pen"],
    ["bedroom", "pillows", "pillow"],
    ["bedroom", "cushions", "pillow"],
  ])("%s without %s has no %s", (theme, avoid, name) => {
    const names = (avoided: string) => placeItems(planOf(theme, avoided)).map((item) => item.name);
    expect(names("")).toContain(name);
    expect(names(avoid)).not.toContain(name);
    expect(placeItems(planOf(theme, "objects"))).toEqual([]);
  });

  it.each(["picnic", "picnic in a meadow", "picnic blanket on grass", "Picknick auf Seide", "blanket in a garden"])(
    "%s has a picnic's things",
    (theme) => expect(placeItems(planOf(theme)).map(({ name }) => name)).toContain("basket"),
  );

  it.each(["picnic in a lavender field", "Picknick im Lavendelfeld"])("%s is on a blanket from above, too", (theme) => {
    const plan = planOf(theme);
    expect(placeItems(plan).map(({ name }) => name)).toContain("basket");
    expect(plan).toMatchObject({ isPicnic: true, surface: "fabric", floor: "fabric" });
  });

  it.each(["silk in a garden", "garden, linen cloth", "forest on a fabric", "wedding"])(
    "%s has none of a picnic's things",
    (theme) => expect(placeItems(planOf(theme))).toEqual([]),
  );

  it("tells its place, which then is not missing", async () => {
    for (const text of ["bathroom", "bedroom"]) {
      const theme = parseTheme(text);
      const plan = planOf(text);
      const { laid } = await render(plan, placeItems(plan));
      expect(notShown(theme, plan, "above", laid)).toEqual([]);
      const bare = await render(plan, []);
      expect(notShown(theme, plan, "above", bare.laid)).toEqual([text]);
    }
  });

  it.each([
    ["desk, laptop and coffee", "laptop"],
    ["desk, laptop and coffee", "coffee"],
    ["picnic in a meadow with a basket", "basket"],
    ["kitchen with a cutting board", "cutting-board"],
  ])("%s: its %s is missing only where it found no room", async (text, name) => {
    const theme = parseTheme(text);
    const plan = planOf(text);
    const items = placeItems(plan);
    const far: Camera = { ...camera, size: 90, baseY: 165 };
    const missing = async (some: readonly PlaceItem[]) =>
      notShown(theme, plan, "above", (await render(plan, some, far)).laid).join(" ");
    const word = name.split("-").at(-1);
    expect(await missing(items.filter((item) => item.name === name))).not.toContain(word);
    expect(await missing(items.filter((item) => item.name !== name))).toContain(word);
  });

  it("is the same for the same seed, and lies otherwise for another", async () => {
    const lightOf = async (seed: number) => {
      const plan = planOf("kitchen", "", seed);
      return (await render(plan, placeItems(plan))).light;
    };
    expect(await lightOf(7)).toEqual(await lightOf(7));
    expect(differing(await lightOf(8), await lightOf(7)).length).toBeGreaterThan(2000);
  });

  it("shows the meadow beyond a corner of a picnic's blanket", async () => {
    const { light } = await render(planOf("picnic"), []);
    const isGrass = ([x, y]: readonly [number, number]) => {
      const at = 3 * (y * width + x);
      return light[at + 1]! > 1.3 * light[at]! && light[at + 1]! > 1.5 * light[at + 2]!;
    };
    const found = [
      [3, 3],
      [236, 3],
      [3, 236],
      [236, 236],
    ].filter(([x, y]) => isGrass([x!, y!]));
    expect(found.length).toBe(1);
    expect(isGrass([120, 120])).toBe(false);
  });
});

describe("drawings of what lies there", () => {
  const drawings = readdirSync(folder).map((file) => ({
    name: file.replace(/\.svg$/, ""),
    svg: readFileSync(new URL(file, folder), "utf8"),
  }));
  const items = places.flatMap((theme) => placeItems(planOf(theme)));

  it("are those of the places, and no other", () => {
    const named = new Set(items.map(({ name }) => name));
    expect(drawings.map(({ name }) => name).toSorted()).toEqual([...named].toSorted());
  });

  it.each(drawings)("$name is plain SVG that lies along a width of 200", ({ name, svg }) => {
    expect(svg).toMatch(/^<svg [^>]*viewBox="0 0 200 \d+"/);
    expect(svg).toMatch(/<title>[^<]+<\/title>/);
    expect(svg).not.toMatch(/<(text|image|style|script|filter|foreignObject)|href="(?!#)/);
    const takesColor = items.some((item) => item.name === name && item.color !== null);
    expect(svg.includes("currentColor")).toBe(takesColor);
  });
});
