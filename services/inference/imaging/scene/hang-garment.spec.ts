import { expect, it } from "vitest";
import { box, drawnCutOut } from "../../../../testing/images/drawn-cut-out.ts";
import { estimatePose, type ProductPose } from "../shadow/pose.ts";
import { fitCamera } from "./canvas/camera.ts";
import { hangFromRail, hangsThere } from "./hang-garment.ts";
import { planScene } from "./plan/scene-plan.ts";
import { parseTheme } from "./words/theme.ts";

const side = 400;
const body = box(140, 140, 260, 340);
const collar = box(180, 120, 220, 141);
const shirt = drawnCutOut(side, side, (x, y) => body(x, y) || collar(x, y));

it("draws a rail from border to border, and a hook from the collar to it", () => {
  const found = estimatePose(shirt.alpha, side, side, { pose: "hanging" })!;
  const pose: ProductPose = { ...found, view: "level" };
  const camera = fitCamera(pose, side, side, 1, 0.16);
  const light = new Float32Array(side * side * 3).fill(5);
  hangFromRail(light, planScene(parseTheme("boutique"), "boutique", 7), camera, pose);
  const isDrawn = (x: number, y: number) => light[(y * side + x) * 3]! < 4;
  const rail = Math.round(120 - 0.085 * camera.size);
  for (const x of [0, 100, 199, 300, side - 1]) expect(isDrawn(x, rail), `rail at ${x}`).toBe(true);
  for (let y = rail; y < 124; y++) expect(isDrawn(200, y) || isDrawn(199, y), `hook at ${y}`).toBe(true);
  expect(isDrawn(190, 112)).toBe(false);
  // Its bow goes over the rail.
  expect(isDrawn(200, rail - 4) || isDrawn(200, rail - 3)).toBe(true);
  expect(light.subarray(130 * side * 3).every((value) => value === 5)).toBe(true);
});

it("stands the floor of the camera below what hangs", () => {
  const found = estimatePose(shirt.alpha, side, side, { pose: "hanging" })!;
  const before = fitCamera(found, side, side, 1, 0.16);
  const hung = fitCamera({ ...found, view: "level" }, side, side, 1, 0.16);
  expect(hung.baseY).toBeGreaterThan(before.baseY + 0.2 * hung.size);
});

it.each([
  ["boutique", true],
  ["brick wall", true],
  ["beach", false],
  ["snow", false],
  ["white marble", false],
  ["boutique, on a stool", false],
])("hangs a shirt where there are rails: %s", (theme, hangs) => {
  const pose = estimatePose(shirt.alpha, side, side, { pose: "hanging" })!;
  expect(hangsThere(pose, planScene(parseTheme(theme), theme, 7))).toBe(hangs);
});

it("hangs neither trousers, which have no neck, nor what stands", () => {
  const boutique = planScene(parseTheme("boutique"), "boutique", 7);
  const legs = drawnCutOut(side, side, (x, y) => body(x, y) && !(y > 180 && Math.abs(x - 200) < 12));
  expect(hangsThere(estimatePose(legs.alpha, side, side, { pose: "hanging" })!, boutique)).toBe(false);
  expect(hangsThere(estimatePose(shirt.alpha, side, side, { pose: "standing" })!, boutique)).toBe(false);
});
