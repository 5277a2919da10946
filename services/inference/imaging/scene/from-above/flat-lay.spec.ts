import { describe, expect, it } from "vitest";
import type { ProductPose } from "../../shadow/pose.ts";
import type { Camera } from "../canvas/camera.ts";
import { drawThings } from "../motifs/draw-thing.ts";
import { notShown } from "../not-shown.ts";
import { planScene } from "../plan/scene-plan.ts";
import { seenFromAbove } from "../plan/seen-from-above.ts";
import { renderScene } from "../render-scene.ts";
import { readAvoid } from "../words/avoid.ts";
import { lyingThings } from "../words/named-things.ts";
import { parseTheme } from "../words/theme.ts";

const camera: Camera = {
  view: "above",
  width: 240,
  height: 200,
  baseX: 120,
  baseY: 150,
  horizonY: -1000,
  size: 100,
  distance: 300,
};
const silhouette = { left: 80, right: 160, top: 50, bottom: 150, width: 240, inside: new Uint8Array(240 * 200) };
for (let y = 50; y < 150; y++) silhouette.inside.fill(1, y * 240 + 80, y * 240 + 160);

function groundOf(theme: string, avoid = "", seed = 7): Float32Array {
  const avoided = readAvoid(avoid);
  const plan = seenFromAbove(planScene(parseTheme(theme, avoided), "one text", seed, { without: avoided.things }));
  return renderScene(plan, camera, { silhouette } as ProductPose).light;
}

/** Pixels that differ so that it is seen, as x and y. */
function differing(a: Float32Array, b: Float32Array): (readonly [number, number])[] {
  return Array.from({ length: camera.width * camera.height }, (_, i) => i)
    .filter((i) => [0, 1, 2].some((c) => Math.abs(a[i * 3 + c]! - b[i * 3 + c]!) > 0.04))
    .map((i) => [i % camera.width, Math.floor(i / camera.width)] as const);
}

describe("what lies around a product that is seen from above", () => {
  it.each([
    ["christmas", "plants, objects"],
    ["tropical beach", "plants, objects"],
    ["kitchen", "plants"],
    ["spa", "plants"],
    ["garden", "plants"],
    ["greenhouse", "plants"],
    ["meadow", "plants, objects"],
    ["playroom", "objects"],
    ["playroom", "toys"],
    ["café", "coffee"],
    ["coffee shop", "objects"],
    ["winter forest", "plants"],
  ])("%s is told by it, unless it is avoided: %s", (theme, avoid) => {
    expect(differing(groundOf(theme), groundOf(theme, avoid)).length).toBeGreaterThan(150);
  });

  it("is slabs where a town's concrete is below, and one cast where no town is", () => {
    const middles = (theme: string) => {
      const light = groundOf(theme);
      const row = Array.from({ length: camera.width }, (_, x) =>
        [2, 4, 6, 190, 194].reduce((sum, y) => sum + light[3 * (y * camera.width + x)]!, 0),
      );
      return Math.min(...row) / row.toSorted((a, b) => a - b)[row.length >> 1]!;
    };
    expect(middles("concrete rooftop")).toBeLessThan(0.8);
    expect(middles("concrete studio")).toBeGreaterThan(0.8);
  });

  it.each(["balloons", "vanity table", "towels", "hair salon"])(
    "has what is named where the product leaves room, though its box fills the picture: %s",
    async (theme) => {
      const inside = new Uint8Array(240 * 200);
      for (let y = 10; y < 190; y++) inside.fill(1, y * 240 + (y < 70 ? 10 : 150), y * 240 + 230);
      const pose = { silhouette: { left: 10, right: 230, top: 10, bottom: 190, width: 240, inside } } as ProductPose;
      const near: Camera = { ...camera, size: 220, baseY: 190 };
      const plan = planScene(parseTheme(theme), "one text", 7);
      const things = await drawThings(lyingThings(plan.things, null));
      const [shown, bare] = [things, []].map((given) => renderScene(plan, near, pose, null, given).light);
      const seen = differing(shown!, bare!).filter(([x, y]) => inside[y * 240 + x] === 0);
      expect(seen.length).toBeGreaterThan(300);
    },
  );

  it("lays towels as large as they are beside a product of that size", async () => {
    const plan = planScene(parseTheme("towels on marble"), "one text", 7);
    const things = await drawThings(lyingThings(plan.things, null));
    const [shown, bare] = [things, []].map(
      (given) => renderScene(plan, camera, { silhouette } as ProductPose, null, given).light,
    );
    expect(differing(shown!, bare!).length).toBeGreaterThan(2400);
  });

  it("lays a thing that two words name as if one did", async () => {
    const plan = planScene(parseTheme("mirror on marble"), "one text", 7);
    const things = await drawThings(lyingThings(plan.things, null));
    const [once, twice] = [things, [...things, ...things]].map((given) =>
      renderScene(plan, camera, { silhouette } as ProductPose, null, given).light.slice(),
    );
    expect(things.length).toBe(1);
    expect(differing(twice!, once!)).toEqual([]);
  });

  it("is at two opposite corners and leaves the product's place free", () => {
    const found = differing(groundOf("spa"), groundOf("spa", "plants, objects"));
    const inside = found.filter(([x, y]) => x > 95 && x < 145 && y > 65 && y < 135);
    expect(inside.length).toBeLessThan(found.length * 0.02);
    const quarters = [0, 0, 0, 0];
    for (const [x, y] of found) quarters[Number(x > 120) + 2 * Number(y > 100)]! += 1;
    const [first, second] = quarters.toSorted((a, b) => b - a);
    expect(first! + second!).toBeGreaterThan(found.length * 0.75);
    const strongest = quarters.map((count, i) => [count, i] as const).toSorted((a, b) => b[0] - a[0]);
    expect([strongest[0]![1], strongest[1]![1]].toSorted()).toSatisfy(
      ([a, b]: readonly number[]) => (a === 0 && b === 3) || (a === 1 && b === 2),
    );
  });

  it.each(["spa", "christmas", "coffee shop", "winter forest"])(
    "leaves the place of a wide product free: %s",
    (theme) => {
      const inside = new Uint8Array(240 * 200);
      for (let y = 110; y < 150; y++) inside.fill(1, y * 240 + 30, y * 240 + 210);
      const pose = { silhouette: { left: 30, right: 210, top: 110, bottom: 150, width: 240, inside } } as ProductPose;
      const near: Camera = { ...camera, size: 180 };
      const ground = (seed: number, avoid: string) => {
        const avoided = readAvoid(avoid);
        const plan = seenFromAbove(
          planScene(parseTheme(theme, avoided), "one text", seed, { without: avoided.things }),
        );
        return renderScene(plan, near, pose).light;
      };
      for (let seed = 1; seed < 6; seed++) {
        const found = differing(ground(seed, ""), ground(seed, "plants, objects"));
        const hidden = found.filter(([x, y]) => x > 50 && x < 190 && y > 118 && y < 144);
        expect(hidden.length, `seed ${seed}`).toBeLessThan(0.04 * found.length);
      }
    },
  );

  it.each(["log", "bench", "shelf", "sofa"] as const)("is beside a %s that goes on to both sides", (stand) => {
    const plan = planScene(parseTheme("on a crate in a meadow"), "one text", 7);
    const ground = renderScene({ ...plan, stand }, camera, { silhouette } as ProductPose).light;
    const isGreen = (x: number, y: number) => ground[(y * 240 + x) * 3 + 1]! > ground[(y * 240 + x) * 3]!;
    const greens = (y: number) => [2, 20, 218, 237].filter((x) => isGreen(x, y)).length;
    expect([greens(10), greens(100)]).toEqual([4, 0]);
  });

  it("is the same for the same seed, and another for another", () => {
    expect(groundOf("spa")).toEqual(groundOf("spa"));
    expect(differing(groundOf("spa", "", 8), groundOf("spa")).length).toBeGreaterThan(150);
  });

  it("is not there where the theme names no place and no thing", () => {
    expect(differing(groundOf("white studio"), groundOf("white studio", "plants, objects"))).toEqual([]);
  });
});

describe("a place that is told by what lies there", () => {
  /** @param near the product fills the picture */
  const missingOf = (text: string, avoid: string, near = false) => {
    const avoided = readAvoid(avoid);
    const theme = parseTheme(text, avoided);
    const plan = seenFromAbove(planScene(theme, "one text", 7, { without: avoided.things }));
    const own = near ? { ...silhouette, left: 0, right: 240, top: 0, bottom: 200 } : silhouette;
    const close: Camera = near ? { ...camera, size: 240, baseY: 200 } : camera;
    const inside = near ? new Uint8Array(240 * 200).fill(1) : silhouette.inside;
    const { laid } = renderScene(plan, close, { silhouette: { ...own, inside } } as ProductPose, null, []);
    return notShown(theme, plan, "above", laid);
  };

  it.each([
    ["christmas", "", []],
    ["christmas", "plants", []],
    ["christmas", "objects", []],
    ["christmas", "plants, objects", ["christmas"]],
    ["Weihnachten", "Pflanzen und Gegenstände", ["weihnachten"]],
    ["lavender field", "", []],
    ["lavender field", "plants", ["lavender field"]],
    ["wedding", "objects", ["wedding"]],
    ["autumn", "objects", []],
    ["autumn", "leaves", ["autumn"]],
  ])("%s without %s misses %j", (theme, avoid, missing) => expect(missingOf(theme, avoid)).toEqual(missing));

  it("is missing where the product leaves it no room", () => {
    expect(missingOf("christmas", "", true)).toEqual(["christmas"]);
  });

  it.each(["orchard", "field"])("has no blossoms where plants are avoided: %s", (place) => {
    expect(differing(groundOf(place, "plants"), groundOf(place, "plants, objects"))).toEqual([]);
  });
});
