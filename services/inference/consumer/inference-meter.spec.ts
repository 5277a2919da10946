import { expect, it } from "vitest";
import type { PredictionTimes, PredictRequest } from "../model-client/model-client.ts";
import type { PaintRequest } from "../model-client/painter.ts";
import { type Inference, meterInference } from "./worker-metrics.ts";

const request = {} as PredictRequest;

async function meter(all: readonly (PredictionTimes | undefined)[]) {
  const seen: Inference[] = [];
  let next = 0;
  const metered = meterInference(
    {
      describe: () => Promise.reject(new Error("not called")),
      async predict() {
        const times = all[next++];
        const output = { shape: [1], data: new Uint8Array(1) };
        return { output, modelName: "m", modelVersion: "1", ...(times && { times }) };
      },
    },
    (inference) => seen.push(inference),
  );
  for (const _ of all) await metered.models.predict(request);
  return { seen, computedMs: metered.computedMs };
}

it("adds up a job's shares of the batches that its photos were in", async () => {
  const times = { queueMs: 5, runMs: 40, shareMs: 10, provider: "cpu" };
  const { seen, computedMs } = await meter([times, { ...times, shareMs: 30 }]);
  expect(computedMs).toBe(40);
  expect(seen[0]).toMatchObject({ modelName: "m", provider: "cpu", runMs: 40, shareMs: 10 });
});

it("counts the whole answer as computing where the server says nothing", async () => {
  const { seen, computedMs } = await meter([undefined]);
  expect(seen[0]).toMatchObject({ provider: "unknown", shareMs: seen[0]!.totalMs });
  expect(computedMs).toBe(seen[0]!.totalMs);
});

it("counts what an image model computed, and all of an answer that does not say it", async () => {
  const seen: Inference[] = [];
  const runs = [1_500, undefined];
  const painter = {
    describe: () => Promise.reject(new Error("not called")),
    async paint() {
      return { picture: null, runMs: runs.shift(), provider: "cuda", modelName: "klein" };
    },
  };
  const models = { describe: painter.describe, predict: painter.describe };
  const metered = meterInference(models, (inference) => seen.push(inference), painter);
  for (const _ of [1, 2]) await metered.painter!.paint({} as PaintRequest);
  expect(seen[0]).toMatchObject({ modelName: "klein", provider: "cuda", runMs: 1_500, shareMs: 1_500 });
  expect(seen[1]!.shareMs).toBe(seen[1]!.totalMs);
  expect(metered.computedMs).toBe(1_500 + seen[1]!.totalMs);
});
