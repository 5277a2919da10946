import { expect, test } from "vitest";
import type { Image } from "../pixels/image.ts";
import { overshootMax, sharpen } from "./sharpen.ts";

const size = { width: 40, height: 12 };
const whole = { left: 0, top: 0, ...size };

/** Dark at the left, light at the right, with three pixels between. @param alphaAt of a column */
function softEdge(alphaAt?: (x: number) => number): Image {
  const channels = alphaAt === undefined ? 3 : 4;
  const grayAt = (x: number) => 60 + 120 * Math.min(1, Math.max(0, (x - 18) / 4));
  const pixels = Uint8Array.from({ length: size.width * size.height * channels }, (_, at) => {
    const x = Math.floor(at / channels) % size.width;
    return at % channels === 3 ? alphaAt!(x) : grayAt(x);
  });
  return { ...size, channels, pixels };
}

const line = ({ channels, pixels }: Image, y = 5) =>
  Array.from({ length: size.width }, (_, x) => pixels[(y * size.width + x) * channels]!);

test("an edge becomes steeper, and exceeds both of its sides by at most a tenth of its contrast", () => {
  const before = line(softEdge());
  for (const strength of [0.25, 0.5, 1]) {
    const image = softEdge();
    sharpen(image, whole, strength);
    const after = line(image);
    const steepest = (values: number[]) => Math.max(...values.slice(1).map((value, i) => value - values[i]!));
    expect(steepest(after)).toBeGreaterThanOrEqual(steepest(before));
    expect(after).not.toEqual(before);
    expect(Math.max(...after)).toBeGreaterThan(180);
    expect(Math.max(...after)).toBeLessThanOrEqual(180 + overshootMax * 120);
    expect(Math.min(...after)).toBeGreaterThanOrEqual(60 - overshootMax * 120);
    // Two pixels from the edge nothing differs.
    expect([...after.slice(0, 17), ...after.slice(24)]).toEqual([...before.slice(0, 17), ...before.slice(24)]);
  }
});

test("more strength sharpens more, up to the limit, and none changes nothing", () => {
  const peaks = [0, 0.1, 0.3].map((strength) => {
    const image = softEdge();
    sharpen(image, whole, strength);
    return Math.max(...line(image));
  });
  expect(peaks[0]).toBe(180);
  expect(peaks[1]!).toBeGreaterThan(peaks[0]!);
  expect(peaks[2]!).toBeGreaterThan(peaks[1]!);
});

test("what is behind a cut-out does not count: neither its alpha changes nor a color that only alpha ends", () => {
  const image = softEdge((x) => (x < 10 ? 255 : x < 12 ? 128 : 0));
  const before = image.pixels.slice();
  sharpen(image, whole, 1);
  expect(image.pixels).toEqual(before);
  const ending = softEdge((x) => (x < 21 ? 255 : 0));
  const alphas = ending.pixels.filter((_, at) => at % 4 === 3);
  sharpen(ending, whole, 1);
  expect(ending.pixels.filter((_, at) => at % 4 === 3)).toEqual(alphas);
  // The light side is not to be seen, so the last visible column exceeds only the columns beside it.
  expect(line(ending)[20]!).toBeLessThanOrEqual(120 + overshootMax * 30);
});

test("nothing outside of the box is read or changed", () => {
  const box = { left: 21, top: 3, width: 10, height: 4 };
  const image = softEdge();
  const before = line(image);
  sharpen(image, box, 1);
  expect(line(image, 1)).toEqual(before);
  expect(line(image).slice(0, 21)).toEqual(before.slice(0, 21));
  expect(line(image).slice(24)).toEqual(before.slice(24));
});
