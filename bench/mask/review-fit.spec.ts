import { expect, it } from "vitest";
import { fitReviewLimits, type ReviewSample } from "./review-fit.ts";

/** The doubt of right cut-outs is .01 to .05, of wrong ones .04 to .2; at the border both have half of that. */
const samples: ReviewSample[] = Array.from({ length: 400 }, (_, i) => {
  const isWrong = i % 2 === 1;
  const sides = (i >> 1) % 2;
  const within = ((i * 37) % 100) / 100;
  const doubt = (isWrong ? 0.04 + 0.16 * within : 0.01 + 0.04 * within) * (sides === 1 ? 0.5 : 1);
  return { doubt, sides, isReviewedAnyway: false, isWrong };
});

const found = (limits: readonly number[], all: readonly ReviewSample[]) =>
  all.filter(({ doubt, sides }) => doubt > limits[sides]!).length / all.length;

it("finds the wanted share of the wrong ones, and halves the limit where the doubt is half as large", () => {
  const limits = fitReviewLimits(samples, 0.9);
  expect(limits).toHaveLength(5);
  const wrong = samples.filter(({ isWrong }) => isWrong);
  const right = samples.filter(({ isWrong }) => !isWrong);
  expect(found(limits, wrong)).toBeGreaterThanOrEqual(0.9);
  expect(found(limits, wrong)).toBeLessThan(0.95);
  expect(found(limits, right)).toBeLessThan(0.1);
  expect(limits[1]! / limits[0]!).toBeGreaterThan(0.4);
  expect(limits[1]! / limits[0]!).toBeLessThan(0.6);
});

it("counts what other reasons find, so that the limits may be higher", () => {
  const anyway = samples.map((sample) => ({ ...sample, isReviewedAnyway: sample.isWrong && sample.doubt < 0.05 }));
  expect(fitReviewLimits(anyway, 0.9)[0]).toBeGreaterThan(fitReviewLimits(samples, 0.9)[0]!);
});

it("refuses samples of which the doubt says nothing", () => {
  const turned = samples.map((sample) => ({ ...sample, isWrong: !sample.isWrong }));
  expect(() => fitReviewLimits(turned, 0.9)).toThrow(/does not tell/);
});
