import { expect, it } from "vitest";
import type { ProductPose } from "../shadow/pose.ts";
import { fitCamera } from "./canvas/camera.ts";
import { planScene } from "./plan/scene-plan.ts";
import { renderScene } from "./render-scene.ts";
import { splashAround } from "./splash.ts";
import { parseTheme } from "./words/theme.ts";

const camera = { ...fitCamera(null, 240, 180, 1, 0.29), size: 100 };
const pose = { silhouette: { left: 100, right: 140, top: 40, bottom: 140 } } as ProductPose;

/** What a splash changes: pixels as x, y, and their colors before and after. */
function splashOf(theme: string) {
  const plan = planScene(parseTheme(theme), "one text", 7);
  const { light } = renderScene(plan, camera, pose);
  const before = light.slice();
  splashAround(light, plan, camera, pose);
  const colorAt = (from: Float32Array, i: number) => [from[3 * i]!, from[3 * i + 1]!, from[3 * i + 2]!] as const;
  return Array.from({ length: camera.width * camera.height }, (_, i) => ({
    x: (i % camera.width) - camera.baseX,
    y: Math.floor(i / camera.width) - camera.baseY,
    before: colorAt(before, i),
    after: colorAt(light, i),
  })).filter((one) => one.after.some((value, c) => Math.abs(value - one.before[c]!) > 0.05));
}

it("rises at both sides of the product, and lies around its foot", () => {
  const found = splashOf("milk splash, blue background");
  expect(found.filter(({ x, y }) => x < -22 && y < -20).length).toBeGreaterThan(60);
  expect(found.filter(({ x, y }) => x > 22 && y < -20).length).toBeGreaterThan(60);
  expect(found.filter(({ x, y }) => Math.abs(x) < 20 && y > 1).length).toBeGreaterThan(60);
  expect(splashOf("blue background")).toEqual([]);
});

it.each([
  ["milk splash, blue background", ([r, g, b]: readonly number[]) => Math.min(r!, g!, b!) > 0.5],
  ["chocolate splash, blue background", ([r, g, b]: readonly number[]) => r! > 1.3 * g! && g! > b!],
  ["orange juice splash, blue background", ([r, g, b]: readonly number[]) => r! > 1.3 * g! && g! > 1.5 * b!],
])("%s has the liquid's color", (theme, isOwn) => {
  const found = splashOf(theme);
  expect(found.filter(({ after }) => isOwn(after)).length / found.length).toBeGreaterThan(0.7);
});

it("shades the ground at its near edge", () => {
  const found = splashOf("milk splash, blue background").filter(({ y }) => y > 4);
  const darker = found.filter(({ before, after }) => after.every((value, c) => value < 0.9 * before[c]!));
  expect(darker.length).toBeGreaterThan(20);
});

it("has no straight edge of shade through the water before the product", () => {
  const plan = planScene(parseTheme("water splash, white background"), "one text", 7);
  const { light } = renderScene(plan, camera, pose);
  const before = light.slice();
  splashAround(light, plan, camera, pose);
  const kept = (row: number) => {
    let sum = 0;
    for (let x = -18; x <= 18; x++) {
      const at = 3 * (row * camera.width + Math.round(camera.baseX) + x);
      sum += light[at]! / before[at]!;
    }
    return sum / 37;
  };
  const first = Math.floor(camera.baseY);
  const steps = Array.from({ length: 6 }, (_, i) => kept(first - 2 + i) - kept(first - 1 + i));
  expect(Math.max(...steps)).toBeLessThan(0.12);
});

it("water lets what is behind it through", () => {
  const found = splashOf("splash of water, red background");
  expect(found.length).toBeGreaterThan(300);
  const isRed = ([r, , b]: readonly number[]) => r! > 1.2 * b!;
  const onRed = found.filter(({ before }) => isRed(before));
  expect(onRed.length).toBeGreaterThan(200);
  expect(onRed.filter(({ after }) => isRed(after)).length / onRed.length).toBeGreaterThan(0.7);
});

it("grows with what it surrounds", () => {
  const foot = (wide: number) => {
    const silhouette = { left: 120 - wide / 2, right: 120 + wide / 2, top: 40, bottom: 140 };
    const plan = planScene(parseTheme("milk splash, blue background"), "one text", 7);
    const { light } = renderScene(plan, camera, pose);
    const before = light.slice();
    splashAround(light, plan, camera, { silhouette } as ProductPose);
    const row = Math.round(camera.baseY + 4) * camera.width;
    const isChanged = (x: number) => Math.abs(light[3 * (row + x)]! - before[3 * (row + x)]!) > 0.05;
    return Array.from({ length: camera.width }, (_, x) => x).filter(isChanged).length;
  };
  // No gap opens around a wide product.
  expect(foot(90)).toBeGreaterThan(90);
  expect(foot(90)).toBeGreaterThan(foot(40) + 40);
});
