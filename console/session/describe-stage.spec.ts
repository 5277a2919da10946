import { expect, test } from "vitest";
import { describeStage } from "./describe-stage.ts";

test("a stage is told in words, and which step of it is done where it has steps", () => {
  expect(describeStage({ kind: "stage", stage: "decode" })).toBe("Decoding the photo");
  expect(describeStage({ kind: "stage", stage: "paint", step: 2, steps: 4 })).toBe("Painting the scene, step 2 of 4");
});
