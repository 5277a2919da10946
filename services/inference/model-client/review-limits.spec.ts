import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseModelConfig } from "@packshot/models/config-pbtxt.ts";
import { expect, it } from "vitest";
import { parseReviewLimits, parseReviewWeights, reviewLimitsKey, reviewWeightsKey } from "./review-limits.ts";

it("reads limits with spaces between them", () => {
  expect(parseReviewLimits("tiny", "0.07 0.05  0")).toEqual([0.07, 0.05, 0]);
});

it("leaves them open where the model states none", () => {
  expect(parseReviewLimits("tiny", undefined)).toBeUndefined();
});

it.each(["", "0.1,0.2", "0.1 two", "1.5", "-0.1"])("refuses a model with other limits: %j", (text) => {
  const refusal = {
    code: "model_unavailable",
    message: expect.stringContaining(`tiny cannot be used: ${reviewLimitsKey}`),
  };
  expect(() => parseReviewLimits("tiny", text)).toThrow(expect.objectContaining(refusal));
});

it("reads the weights of what a doubt is made of", () => {
  expect(parseReviewWeights("tiny", "1 0.5 2")).toEqual({ missing: 1, uncertainty: 0.5, filledGaps: 2 });
  expect(parseReviewWeights("tiny", undefined)).toBeUndefined();
});

it.each(["", "1 1", "1 1 1 1", "1 one 1", "1 -1 1", "1 Infinity 1"])(
  "refuses a model with other weights: %j",
  (text) => {
    const refusal = {
      code: "model_unavailable",
      message: expect.stringContaining(`tiny cannot be used: ${reviewWeightsKey}`),
    };
    expect(() => parseReviewWeights("tiny", text)).toThrow(expect.objectContaining(refusal));
  },
);

it("finds limits and weights beside the bundled weights, the limits no higher the more sides the product touches", () => {
  const file = fileURLToPath(new URL("../../../models/packshot-mask/config.pbtxt", import.meta.url));
  const { parameters } = parseModelConfig(readFileSync(file, "utf8"), file);
  const limits = parseReviewLimits("packshot-mask", parameters[reviewLimitsKey])!;
  expect(limits).toHaveLength(5);
  expect(limits).toEqual(limits.toSorted((a, b) => b - a));
  const weights = parseReviewWeights("packshot-mask", parameters[reviewWeightsKey])!;
  expect(Object.values(weights).every((weight) => weight > 0)).toBe(true);
});
