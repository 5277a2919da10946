import { expect, it } from "vitest";
import { fitCamera } from "../canvas/camera.ts";
import { planScene } from "../plan/scene-plan.ts";
import { renderScene } from "../render-scene.ts";
import { readAvoid } from "../words/avoid.ts";
import { parseTheme } from "../words/theme.ts";

const camera = fitCamera(null, 240, 240, 1, 0.29);

function lightOf(theme: string, avoid = ""): Float32Array {
  const avoided = readAvoid(avoid);
  const plan = planScene(parseTheme(theme, avoided), "one text", 7, { without: avoided.things });
  return renderScene(plan, camera, null).light.slice();
}

/** The share of values that differ so that it is seen, in rows from `from` to `to`, shares of the height. */
function differing(a: Float32Array, b: Float32Array, from: number, to: number): number {
  const [first, last] = [from, to].map((share) => Math.round(share * camera.height) * camera.width * 3);
  let count = 0;
  for (let i = first!; i < last!; i++) count += Number(Math.abs(a[i]! - b[i]!) > 0.05);
  return count / (last! - first!);
}

it("lockers of the theme's color reach above the product, and a bench stands before them", () => {
  const red = lightOf("red lockers");
  const top = Math.round(0.1 * camera.height) * camera.width * 3;
  let reds = 0;
  for (let x = 0; x < camera.width; x++) reds += Number(red[top + 3 * x]! > 2.5 * red[top + 3 * x + 2]!);
  expect(reds / camera.width).toBeGreaterThan(0.6);
  const lockers = lightOf("locker room bench");
  expect(differing(lockers, lightOf("locker room bench", "bench"), 0, 0.3)).toBe(0);
  expect(differing(lockers, lightOf("locker room bench", "bench"), 0.3, 0.7)).toBeGreaterThan(0.05);
  expect(differing(lockers, lightOf("locker room bench", "furniture"), 0, 0.3)).toBeGreaterThan(0.3);
});

it("washing machines stand in a laundry where furniture does", () => {
  const laundry = lightOf("laundry room");
  expect(differing(laundry, lightOf("laundry room", "furniture"), 0.3, 0.6)).toBeGreaterThan(0.3);
  expect(differing(laundry, lightOf("laundry room", "objects"), 0, 0.3)).toBeGreaterThan(0.05);
});

it("a skate park has a ramp, and the sun above its trees at sunset", () => {
  const sunset = lightOf("skate park at sunset");
  let brightest = 0;
  for (let i = 0; i < 0.4 * camera.height * camera.width; i++) brightest = Math.max(brightest, sunset[3 * i]!);
  expect(brightest).toBeGreaterThan(1.2);
  expect(differing(lightOf("skate park"), lightOf("park, concrete"), 0.2, 0.6)).toBeGreaterThan(0.3);
});

it("a café in Paris has its awning and its tables in the street", () => {
  const cafe = lightOf("Paris café table");
  expect(differing(cafe, lightOf("Paris café table", "furniture"), 0.3, 0.7)).toBeGreaterThan(0.01);
  expect(differing(cafe, lightOf("Paris café table", "awning"), 0, 0.4)).toBeGreaterThan(0.02);
});

it.each(["chairs", "tables"])("a café's terrace has no %s where they are avoided, and the other ones", (avoid) => {
  const avoided = lightOf("café terrace", avoid);
  expect(differing(lightOf("café terrace"), avoided, 0.3, 0.7)).toBeGreaterThan(0.002);
  expect(differing(lightOf("café terrace", "furniture"), avoided, 0.3, 0.7)).toBeGreaterThan(0.002);
});

it("a café's terrace has its chairs and tables in its street, and none beside them", () => {
  expect(parseTheme("café in Paris with chairs").things.map(({ name }) => name)).toEqual(["chair"]);
  expect(parseTheme("café terrace").things).toEqual([]);
});
