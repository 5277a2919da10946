import { createRandom } from "@packshot/domain/random.ts";
import { expect, it } from "vitest";
import { createCanvas, fillBox } from "../canvas/canvas.ts";
import { fromHex, luminance } from "../canvas/color.ts";
import { createLighting } from "../plan/lighting.ts";
import { brushedMirror, isShiningMetal, mirrorTint, onMetal } from "./metal-mirror.ts";

it("leaves steel gray by candle light, which colors wood", () => {
  const lighting = createLighting("candle", "interior", createRandom(3));
  const { key } = onMetal(lighting);
  expect(luminance(key)).toBeCloseTo(luminance(lighting.key), 5);
  expect(key[0] / key[2]).toBeLessThan((0.6 * lighting.key[0]) / lighting.key[2]);
});

it("colors what copper mirrors, and hardly what steel does", () => {
  const [, , blueOfCopper] = mirrorTint(fromHex("#b06a45"));
  const [, , blueOfSteel] = mirrorTint(fromHex("#a7abb0"));
  expect(blueOfCopper).toBeLessThan(0.5);
  expect(blueOfSteel).toBeGreaterThan(0.95);
});

it("stretches a lamp up and down, and not to its sides", () => {
  const canvas = createCanvas(40, 40);
  fillBox(canvas, 0.5, 0.5, 0.525, 0.525, [1, 1, 1]);
  const [plane] = brushedMirror(canvas).planes;
  const lit = Array.from(plane, (value, i) => (value > 0 ? i : -1)).filter((i) => i >= 0);
  expect(new Set(lit.map((i) => i % 40))).toEqual(new Set([20]));
  expect(lit.length).toBe(9);
});

it("mirrors in metal, and not in its rust", () => {
  expect(isShiningMetal("metal", { pattern: null })).toBe(true);
  expect(isShiningMetal("metal", { pattern: "rust" })).toBe(false);
  expect(isShiningMetal("wood", { pattern: null })).toBe(false);
});
