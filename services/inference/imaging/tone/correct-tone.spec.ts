import { expect, test } from "vitest";
import { correctTone, fieldMax, type ToneCorrection } from "./correct-tone.ts";

const size = { width: 256, height: 1 };
/** Every gray once. */
const ramp = Uint8Array.from({ length: 3 * 256 }, (_, at) => Math.floor(at / 3));
const even = Float64Array.of(80, 0, 0, 0, 0, 0);
const luminance = ((80 + 16) / 116) ** 3;
const brighter = (gain: number): ToneCorrection => ({ gains: [gain, gain, gain], lightness: even, luminance });

const greens = (rgb: Uint8Array) => Array.from({ length: rgb.length / 3 }, (_, i) => rgb[3 * i + 1]!);

test("highlights roll off: what was brighter stays brighter, up to white, and nothing below them differs", () => {
  const values = greens(correctTone(ramp, size, brighter(2)));
  expect(values[255]).toBe(255);
  expect(values[239]).toBeLessThan(255);
  for (let i = 1; i < 256; i++) expect(values[i]!).toBeGreaterThanOrEqual(values[i - 1]!);
  // Steps of 16 stay apart, and below the shoulder twice the light is twice the light.
  for (let i = 16; i < 256; i += 16) expect(values[i]!).toBeGreaterThan(values[i - 16]!);
  expect(values[100]).toBe(138);
});

test("where nothing exceeds white, nothing rolls off", () => {
  const dark = Uint8Array.from(ramp, (value) => value / 2);
  const [same, twice] = [brighter(1), brighter(2)].map((correction) => greens(correctTone(dark, size, correction)));
  expect(same).toEqual(greens(dark));
  expect(twice![254]).toBe(174);
});

test("a falloff is evened, by no more than its limit, and hidden pixels stay as they are", () => {
  const gray = new Uint8Array(3 * 256).fill(100);
  const falling = Float64Array.of(90, -80, 0, 0, 0, 0);
  const alpha = new Uint8Array(256).fill(255);
  alpha[255] = 0;
  const middle = ((50 + 16) / 116) ** 3;
  const correction = { gains: [1, 1, 1], lightness: falling, luminance: middle } as const;
  const values = greens(correctTone(gray, size, correction, alpha));
  const linear = (value: number) => ((value / 255 + 0.055) / 1.055) ** 2.4;
  expect(values[128]).toBe(100);
  expect(linear(values[0]!) / linear(100)).toBeCloseTo(1 / fieldMax, 1);
  expect(linear(values[254]!) / linear(100)).toBeCloseTo(fieldMax, 1);
  expect(values[140]).toBeGreaterThan(100);
  expect(values[140]).toBeLessThan(values[200]!);
  expect(values[255]).toBe(100);
});
