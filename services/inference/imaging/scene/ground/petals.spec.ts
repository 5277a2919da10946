import { createRandom } from "@packshot/domain/random.ts";
import { expect, it } from "vitest";
import type { Camera } from "../canvas/camera.ts";
import { planScene } from "../plan/scene-plan.ts";
import { parseTheme } from "../words/theme.ts";
import { drawPetals } from "./petals.ts";

const camera: Camera = {
  view: "above",
  width: 600,
  height: 500,
  baseX: 300,
  baseY: 350,
  horizonY: -1000,
  size: 200,
  distance: 600,
};

/** Widths of the patches of red on white. */
function patchWidths(light: Float32Array): number[] {
  const isRed = Array.from({ length: camera.width * camera.height }, (_, i) => light[3 * i]! > 2 * light[3 * i + 1]!);
  const widths: number[] = [];
  for (let start = 0; start < isRed.length; start++) {
    if (!isRed[start]) continue;
    let least = camera.width;
    let most = 0;
    const open = [start];
    while (open.length > 0) {
      const at = open.pop()!;
      if (!isRed[at]) continue;
      isRed[at] = false;
      least = Math.min(least, at % camera.width);
      most = Math.max(most, at % camera.width);
      open.push(at - 1, at + 1, at - camera.width, at + camera.width);
    }
    widths.push(most - least + 1);
  }
  return widths.filter((width) => width > 3).toSorted((a, b) => a - b);
}

const plan = planScene(parseTheme("white wall, red rose petals"), "one text", 7);

it("are as small beside a product as petals are, and many", () => {
  const light = new Float32Array(camera.width * camera.height * 3).fill(0.8);
  drawPetals(light, plan, camera, createRandom(3));
  const widths = patchWidths(light);
  expect(widths.length).toBeGreaterThan(30);
  // Half of them do not touch another.
  expect(widths[widths.length >> 1]! / camera.size).toBeLessThan(0.1);
  expect(widths[widths.length >> 1]! / camera.size).toBeGreaterThan(0.05);
});

it("are light and dark by their form, and shade the ground", () => {
  const light = new Float32Array(camera.width * camera.height * 3).fill(0.8);
  drawPetals(light, plan, camera, createRandom(3));
  const reds: number[] = [];
  let shaded = 0;
  for (let i = 0; i < light.length; i += 3) {
    if (light[i]! > 2 * light[i + 1]!) reds.push(light[i]!);
    else if (light[i]! < 0.62 && Math.abs(light[i]! - light[i + 1]!) < 1e-6) shaded++;
  }
  reds.sort((a, b) => a - b);
  const at = (share: number) => reds[Math.floor(share * reds.length)]!;
  expect(at(0.9) / at(0.1)).toBeGreaterThan(1.5);
  expect(shaded).toBeGreaterThan(0.13 * reds.length);
});
