import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { createMetrics } from "@packshot/platform/telemetry/metrics.ts";
import { expect, it } from "vitest";
import { createWorkerPause, type Probes } from "./worker-pause.ts";

const full = { part: "storage", isCertain: true } as const;
const unreadable = { part: "storage", isCertain: false } as const;
const error = new Error("raised");

function pauseWith(storage: Probes["storage"]) {
  const works = async () => {};
  return createWorkerPause({
    probes: { storage, log: works, memory: works, decoder: works },
    metrics: createMetrics("test"),
    logger: createLogger({ name: "test", level: "silent" }),
    firstPauseMs: 1,
    pauseMsMax: 5,
  });
}

it("lasts until the probe succeeds", async () => {
  let probesLeft = 4;
  const pause = pauseWith(async () => {
    probesLeft -= 1;
    if (probesLeft > 0) throw error;
  });
  expect(await pause.report(full, error)).toBe(true);
  expect(pause.isPaused).toBe(true);
  await pause.wait(new AbortController().signal);
  expect([pause.isPaused, probesLeft]).toEqual([false, 0]);
});

it("blames the job for a fault of one file when storage works without the job, and only then", async () => {
  let works = true;
  const pause = pauseWith(async () => {
    if (!works) throw error;
  });
  expect(await pause.report(unreadable, error)).toBe(false);
  expect(pause.isPaused).toBe(false);
  works = false;
  expect(await pause.report(unreadable, error)).toBe(true);
  expect(pause.isPaused).toBe(true);
  await pause.stop();
});

it("keeps no one waiting who stops", async () => {
  const pause = pauseWith(async () => {
    throw error;
  });
  void pause.report(full, error);
  const stopping = new AbortController();
  const waiting = pause.wait(stopping.signal);
  stopping.abort();
  await waiting;
  await pause.stop();
});
