import { expect, it } from "vitest";
import { labelOfStage, metricOfStage, stageOfPart, stages, timingsSchema } from "./stages.ts";

it("names a part by its own name, as events announce it, and by that of timings", () => {
  expect(labelOfStage("paint")).toBe("Painting the scene");
  expect(labelOfStage("ai-bg.paint")).toBe("Painting the scene");
  expect(labelOfStage("decode")).toBe("Decoding the photo");
  expect(labelOfStage("levitate")).toBe("levitate");
});

it("gives parts of one name one label: events do not say whose part it is", () => {
  const parts = Object.keys(stages).filter((name) => stageOfPart(name) !== undefined);
  for (const part of parts) expect(labelOfStage(part.slice(part.indexOf(".") + 1)), part).toBe(labelOfStage(part));
});

it("has no part without its stage", () => {
  for (const name of Object.keys(stages)) expect(stages).toHaveProperty([stageOfPart(name) ?? name]);
});

it("measures tools together, and the long parts of a scene by themselves", () => {
  const measured = ["mask", "ai-shadows", "ai-bg", "ai-bg.scene", "ai-bg.paint", "ai-bg.plan", "fetchSource"];
  expect(measured.map(metricOfStage)).toEqual(["compose", "compose", "compose", "scene", "paint", undefined, "fetch"]);
});

it("describes each stage and the total in milliseconds", () => {
  const { properties } = timingsSchema() as { properties: Record<string, { description: string }> };
  expect(Object.keys(properties)).toEqual([...Object.keys(stages), "total"]);
  for (const { description } of Object.values(properties)) expect(description).toMatch(/; milliseconds\.$/);
});
