import { expect, it } from "vitest";
import { rgbToLab } from "../../pixels/lab.ts";
import { addColorEvidence } from "./color-evidence.ts";

const size = { width: 60, height: 40 };

/** The left half has one color, the right half another; `priors` gives the network's prior. */
function halves(left: number[], right: number[], priors: (x: number, y: number) => number) {
  const at = (i: number): [number, number] => [i % size.width, Math.floor(i / size.width)];
  const rgb = Uint8Array.from({ length: size.width * size.height * 3 }, (_, i) => {
    const [x] = at(Math.floor(i / 3));
    return (x < 30 ? left : right)[i % 3]!;
  });
  const prior = Float32Array.from({ length: size.width * size.height }, (_, i) => priors(...at(i)));
  return { ...size, rgb, lab: rgbToLab(rgb), prior, networkPixel: 1 };
}

const red = [200, 30, 30];
const gray = [120, 120, 120];

it("raises an unsure prior where only the product has the color", () => {
  const grid = halves(red, gray, (x, y) => (x >= 30 ? 0.01 : y < 20 ? 0.99 : 0.3));
  const { prior } = addColorEvidence(grid);
  expect(prior[30 * 60 + 10]).toBeGreaterThan(0.7);
  expect(prior[10 * 60 + 10]).toBe(grid.prior[10 * 60 + 10]);
  expect(prior[10 * 60 + 50]).toBe(grid.prior[10 * 60 + 50]);
});

it("lowers no prior, because glass has the background's colors", () => {
  const grid = halves(red, gray, (x, y) => (x < 30 ? 0.99 : y < 20 ? 0.01 : 0.6));
  expect(addColorEvidence(grid).prior).toEqual(grid.prior);
});

it("adds nothing where both sides have the color", () => {
  const grid = halves(gray, gray, (x, y) => (y < 20 ? 0.5 : x < 30 ? 0.99 : 0.01));
  const { prior } = addColorEvidence(grid);
  for (let i = 0; i < prior.length; i++) expect(prior[i]).toBeCloseTo(grid.prior[i]!, 1);
});

it("leaves a matte without a product, or with nothing else, as it is", () => {
  for (const p of [0, 0.4, 1]) {
    const grid = halves(red, gray, () => p);
    expect(addColorEvidence(grid)).toBe(grid);
  }
});
