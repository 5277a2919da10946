/** Whether a backdrop goes on all around photos whose border shows more light than one. */
import { createRandom } from "@packshot/domain/random.ts";
import { expect, it } from "vitest";
import { rgbToLab } from "../../pixels/lab.ts";
import { fitBackdrop } from "./backdrop.ts";
import { measureBackdrop } from "./measure-backdrop.ts";

const side = 400;
const beige = [176, 168, 156] as const;

/** By how much the ground's red, green and blue are multiplied at x and y, 0…1 over the photo. */
type Light = (x: number, y: number) => readonly [number, number, number];

/** A dark box on beige ground, in a soft shadow that takes more than a quarter of it: such a backdrop is not plain by its colors. */
function isAllAround(lightAt: Light): boolean {
  const random = createRandom(7);
  const rgb = new Uint8ClampedArray(3 * side * side);
  const prior = new Float32Array(side * side);
  for (let i = 0; i < prior.length; i++) {
    const x = ((i % side) + 0.5) / side;
    const y = (Math.floor(i / side) + 0.5) / side;
    const isProduct = Math.abs(x - 0.4) < 0.12 && Math.abs(y - 0.5) < 0.25;
    prior[i] = isProduct ? 1 : 0;
    const light = lightAt(x, y);
    const shade = 1 - 0.45 * Math.exp(-(((x - 0.5) / 0.3) ** 4) - ((y - 0.6) / 0.3) ** 4);
    const grain = random.between(-1.5, 1.5);
    for (let c = 0; c < 3; c++) rgb[3 * i + c] = isProduct ? 50 : beige[c]! * shade * light[c]! + grain;
  }
  const photo = new Uint8Array(rgb.buffer);
  const grid = { width: side, height: side, rgb: photo, lab: rgbToLab(photo), prior, networkPixel: 1 };
  return measureBackdrop(grid, fitBackdrop(photo, side)).isAllAround;
}

const alike = (light: number): [number, number, number] => [light, light, light];
const bell = (distance: number, width: number) => Math.exp(-((distance / width) ** 2));
/** From a point on the right border. */
const away = (x: number, y: number) => Math.hypot(x - 1, y - 0.75);
const warmer = (x: number, y: number) => 1 + 0.08 * bell(away(x, y), 0.15);

it.each<[string, Light]>([
  ["lit evenly", () => alike(1)],
  ["with a lamp's soft spot on its border", (x, y) => alike(1 + 0.15 * bell(away(x, y), 0.15))],
])("goes on all around %s", (_name, lightAt) => {
  expect(isAllAround(lightAt)).toBe(true);
});

it.each<[string, Light]>([
  ["a pale thing on its border", (x, y) => alike(away(x, y) < 0.1 ? 1.12 : 1)],
  ["a spot of another hue", (x, y) => [warmer(x, y), warmer(x, y), 2 - warmer(x, y)]],
  ["blurred things all over", (x, y) => alike(1 + 0.11 * Math.max(0, Math.sin(14 * x + 1) * Math.sin(14 * y + 2)))],
])("is not all around with %s", (_name, lightAt) => {
  expect(isAllAround(lightAt)).toBe(false);
});
