import { expect, test } from "vitest";
import { lookParameters, type PhotoReport, verdictOf } from "./photo-look.ts";

const report = (quality: "ok" | "review", passed: boolean): { report: PhotoReport } => ({
  report: {
    quality,
    reasons: [],
    source: {
      sharpness: 0.1,
      exposure: { lightness: 0.5, highlight: 0.9, clippedWhite: 0, clippedBlack: 0 },
      blocking: 1,
      productPixels: 500,
      things: 1,
      otherThings: 0,
      border: 0,
      overlay: 0,
      checks: [{ name: "sharpness", value: 0.1, limit: 0.3, passed }],
    },
  },
});
const fault = { code: "source_unreachable", message: "It answered 404." } as const;

test.each([
  ["a good photo", report("ok", true), "refuse", "edit"],
  ["a doubtful cut-out", report("review", true), "refuse", "review"],
  ["a poor photo, where that is all the same", report("ok", false), undefined, "edit"],
  ["a poor photo, where a review is asked for", report("ok", false), "review", "review"],
  ["a poor photo, where it is refused", report("review", false), "refuse", "refuse"],
  ["one that cannot be fetched", { error: fault }, "refuse", "fail"],
  ["one that was not looked at", { unseen: fault }, "refuse", "unknown"],
] as const)("the verdict of %s", (_what, answer, onPoorSource, verdict) => {
  expect(verdictOf(answer, onPoorSource)).toBe(verdict);
});

test("a look takes of a row's parameters what says which its product is", () => {
  const point = { x: "10%", y: "20%" };
  const row = { point, existingAlpha: "keep", model: "m", theme: "beach", output: { width: 8_000 }, seed: 3 } as const;
  expect(lookParameters(row)).toEqual({ point, existingAlpha: "keep", model: "m" });
});
