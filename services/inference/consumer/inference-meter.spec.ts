import { expect, it } from "vitest";
import type { PredictionTimes, PredictRequest } from "../model-client/model-client.ts";
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
