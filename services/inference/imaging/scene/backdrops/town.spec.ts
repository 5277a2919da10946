import { expect, it } from "vitest";
import { fitCamera } from "../canvas/camera.ts";
import { drawThings } from "../motifs/draw-thing.ts";
import { planScene } from "../plan/scene-plan.ts";
import { renderScene } from "../render-scene.ts";
import { readAvoid } from "../words/avoid.ts";
import { namedThings } from "../words/named-things.ts";
import { parseTheme } from "../words/theme.ts";
import { streetMiddle } from "./town.ts";

const camera = fitCamera(null, 360, 360, 1, 0.29);

function lightOf(theme: string, avoid = ""): Float32Array {
  const avoided = readAvoid(avoid);
  const plan = planScene(parseTheme(theme, avoided), "one text", 7, { without: avoided.things });
  return renderScene(plan, camera, null).light.slice();
}

/** How many rows of a column above the horizon show a blue sky. */
function rowsOfSky(light: Float32Array, x: number): number {
  let rows = 0;
  for (let y = 0; y < camera.horizonY; y++) {
    const at = 3 * (y * camera.width + x);
    if (light[at + 2]! > 1.15 * light[at]! && light[at + 2]! > 0.5) rows++;
  }
  return rows;
}

/** How many pixels differ clearly in the left half and in the right one. */
function pixelsChanged(one: Float32Array, other: Float32Array): [number, number] {
  const changed: [number, number] = [0, 0];
  for (let i = 0; i < camera.width * camera.height; i++)
    if (Math.abs(one[3 * i]! - other[3 * i]!) > 0.05) changed[2 * (i % camera.width) < camera.width ? 0 : 1]++;
  return changed;
}

it("an old town is a street: its houses are the lower the nearer to its end", () => {
  const light = lightOf("old town, noon");
  const sky = Array.from({ length: 9 }, (_, i) => rowsOfSky(light, 20 + 40 * i));
  const most = sky.indexOf(Math.max(...sky));
  expect(most).toBeGreaterThan(2);
  expect(most).toBeLessThan(6);
  expect(sky[most]).toBeGreaterThan(0.5 * camera.horizonY);
  expect([sky[0], sky[8]]).toEqual([0, 0]);
});

it("a landmark stands where the street ends, at the side that the product leaves free", () => {
  const plan = planScene(parseTheme("Rome, old town street, Colosseum"), "one text", 7);
  expect(plan.things.map(({ place }) => place)).toContain("far");
  for (const lampSide of [-0.8, 0.8]) {
    const middle = streetMiddle({ plan, lampSide, productHalf: 0.2 });
    expect(Math.abs(middle - 0.5)).toBeGreaterThan(0.25);
    expect(Math.sign(middle - 0.5)).toBe(-Math.sign(lampSide));
  }
});

it("of two landmarks one ends the street, and no house stands behind the other", async () => {
  const plan = planScene(parseTheme("old town street with a church and a windmill"), "one text", 7);
  const [church, windmill] = await drawThings(["church", "windmill"].map((word) => namedThings.get(word)!));
  const none = renderScene(plan, camera, null, null, []).light.slice();
  const one = renderScene(plan, camera, null, null, [church!]).light.slice();
  const both = renderScene(plan, camera, null, null, [church!, windmill!]).light.slice();
  expect(Math.max(...pixelsChanged(none, one))).toBeGreaterThan(100);
  expect(Math.max(...pixelsChanged(one, both))).toBe(0);
});

it("a canal mirrors the houses at both its sides", () => {
  const [street, canal] = ["old town, noon", "old town, canal, noon"].map((theme) => lightOf(theme));
  const end = Math.floor(camera.horizonY + (camera.baseY - camera.horizonY) / 2);
  const changed = (from: number, to: number) => {
    let count = 0;
    for (let y = Math.ceil(camera.horizonY) + 4; y < end; y++)
      for (let x = from; x < to; x++) {
        const at = 3 * (y * camera.width + x);
        if (Math.abs(street![at]! - canal![at]!) > 0.03) count++;
      }
    return count;
  };
  expect(changed(100, 260)).toBeGreaterThan(300);
});

it("lamps hang in it at night, at both sides, unless they are avoided", () => {
  const bright = (light: Float32Array, from: number, to: number) => {
    let count = 0;
    for (let y = 0; y < camera.height / 2; y++)
      for (let x = from; x < to; x++) if (light[3 * (y * camera.width + x)]! > 1.4) count++;
    return count;
  };
  const night = lightOf("old town at night");
  expect(bright(night, 0, 180)).toBeGreaterThan(30);
  expect(bright(night, 180, 360)).toBeGreaterThan(30);
  expect(bright(lightOf("old town at night", "lights"), 0, 360)).toBe(0);
});
