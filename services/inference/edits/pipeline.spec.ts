import { expect, it } from "vitest";
import { runStages } from "./pipeline.ts";

const double = { name: "double", run: async ({ input: { value } }: Start) => ({ doubled: 2 * value }) };
const describeIt = { name: "describe", run: async ({ doubled }: { doubled: number }) => ({ text: `${doubled}` }) };

interface Start {
  readonly input: { readonly value: number; readonly signal: AbortSignal; readonly onStage: (stage: string) => void };
}

function start(onStage: (stage: string) => void = () => {}, signal = new AbortController().signal): Start {
  return { input: { value: 21, signal, onStage } };
}

it("gives each stage what the stages before it have added, and times every stage", async () => {
  const stages: string[] = [];
  const { doubled, text, timings } = await runStages(
    [double, describeIt],
    start((stage) => stages.push(stage)),
  );
  expect({ doubled, text }).toEqual({ doubled: 42, text: "42" });
  expect(stages).toEqual(["double", "describe"]);
  expect(Object.keys(timings)).toEqual(stages);
});

it("tells the stages of a pipeline that a stage runs as parts of that stage", async () => {
  const both = { name: "both", run: async ({ input }: Start) => await runStages([double, describeIt], { input }) };
  const { text, timings } = await runStages([both, describeIt], start());
  expect(text).toBe("42");
  expect(Object.keys(timings)).toEqual(["both", "both.double", "both.describe", "describe"]);
});

it("stops before the next stage when the edit is cancelled", async () => {
  const cancel = new AbortController();
  const stages: string[] = [];
  const onStage = (stage: string) => {
    stages.push(stage);
    cancel.abort(new Error("cancelled"));
  };
  await expect(runStages([double, describeIt], start(onStage, cancel.signal))).rejects.toThrow("cancelled");
  expect(stages).toEqual(["double"]);
});

it("does not compile where a stage reads what no stage before it adds", async () => {
  const context: never = await runStages([describeIt], start());
  expect(context).toMatchObject({ text: "undefined" });
});
