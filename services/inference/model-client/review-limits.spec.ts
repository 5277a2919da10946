import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseModelConfig } from "@packshot/models/config-pbtxt.ts";
import { expect, it } from "vitest";
import { missingLimitsKey, readReview, reviewLimitsKey, reviewWeightsKey } from "./review-limits.ts";

const read = (parameters: Readonly<Record<string, string>>) => readReview("tiny", (key) => parameters[key]);

it("reads limits and weights with spaces between them", () => {
  const parameters = { [reviewLimitsKey]: "0.07 0.05  0", [reviewWeightsKey]: "1 0.5 2" };
  expect(read(parameters)).toEqual({
    reviewLimits: [0.07, 0.05, 0],
    reviewWeights: { missing: 1, uncertainty: 0.5, filledGaps: 2 },
  });
});

it("leaves them open where the model states none", () => {
  expect(read({})).toEqual({ reviewLimits: undefined, reviewWeights: undefined });
});

it("takes limits on what is missing as that, and prefers those of doubts", () => {
  const old = { [missingLimitsKey]: "0.035" };
  expect(read({ ...old, [reviewWeightsKey]: "1 1 1" })).toEqual({ reviewLimits: [0.035], reviewWeights: undefined });
  expect(read({ ...old, [reviewLimitsKey]: "0.07" }).reviewLimits).toEqual([0.07]);
});

it.each([reviewLimitsKey, missingLimitsKey])("refuses a model with other limits as %s", (key) => {
  for (const text of ["", "0.1,0.2", "0.1 two", "1.5", "-0.1"]) {
    const message = expect.stringContaining(`tiny cannot be used: ${key}`);
    expect(() => read({ [key]: text })).toThrow(expect.objectContaining({ code: "model_unavailable", message }));
  }
});

it.each(["", "1 1", "1 1 1 1", "1 one 1", "1 -1 1", "1 Infinity 1"])(
  "refuses a model with other weights: %j",
  (text) => {
    const message = expect.stringContaining(`tiny cannot be used: ${reviewWeightsKey}`);
    const parameters = { [reviewLimitsKey]: "0.07", [reviewWeightsKey]: text };
    expect(() => read(parameters)).toThrow(expect.objectContaining({ code: "model_unavailable", message }));
  },
);

it("finds limits and weights beside the bundled weights, and limits that workers of 0.2.0 understand", () => {
  const file = fileURLToPath(new URL("../../../models/packshot-mask/config.pbtxt", import.meta.url));
  const { parameters } = parseModelConfig(readFileSync(file, "utf8"), file);
  const { reviewLimits, reviewWeights } = readReview("packshot-mask", (key) => parameters[key]);
  expect(reviewLimits).toHaveLength(5);
  expect(reviewLimits).toEqual(reviewLimits!.toSorted((a, b) => b - a));
  expect(Object.values(reviewWeights!).every((weight) => weight > 0)).toBe(true);
  expect(parameters[missingLimitsKey]).toBe("0.035 0.035 0.035 0.035 0.035");
});
