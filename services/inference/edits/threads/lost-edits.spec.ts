/**
 * Edits that block or end their thread. Each takes its slot only for a while, and the next edit runs.
 * @module-tag long
 */
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { createMetrics, type Metrics } from "@packshot/platform/telemetry/metrics.ts";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ThreadFailure } from "../../../../testing/worker/failing-edit-thread.ts";
import { sandboxPhoto } from "../../consumer/fetch-job-source.ts";
import { sandboxModelClient } from "../../model-client/model-client.ts";
import type { EditInput } from "../edit.ts";
import { createEditPool, type EditPool, type EditPoolDeps } from "./edit-pool.ts";

let pool: EditPool;
let metrics: Metrics;
const never = new AbortController().signal;

function startPool(change: Partial<EditPoolDeps> = {}): Promise<void> {
  pool = createEditPool({
    threads: 1,
    stageTimeoutMs: 120_000,
    abortGraceMs: 120_000,
    threadHeapMbMax: 64,
    metrics,
    logger: createLogger({ name: "test", level: "silent" }),
    threadModule: new URL("../../../../testing/worker/failing-edit-thread.ts", import.meta.url),
    ...change,
  });
  return pool.start();
}

beforeEach(() => {
  metrics = createMetrics("test");
});
afterEach(() => pool.stop());

async function edit(failure: ThreadFailure | "none", change: Partial<EditInput> = {}) {
  return await pool.runEdit({
    tool: "mask",
    source: change.source ?? (await sandboxPhoto()),
    parameters: { seed: 1, model: "packshot-test", theme: failure },
    tenant: "t",
    deadlineAtMs: Date.now() + 60_000,
    maxPixels: 1_000_000,
    models: sandboxModelClient,
    signal: never,
    onStage: () => {},
    ...change,
  });
}

async function threadsLost(reason: string): Promise<number | undefined> {
  const { values } = await metrics.registry.getSingleMetric("packshot_worker_edit_threads_lost_total")!.get();
  return values.find(({ labels }) => labels.reason === reason)?.value;
}

it("ends a stage that takes too long, and runs the next edit in a new thread", async () => {
  await startPool({ stageTimeoutMs: 8_000 });
  const next = Promise.allSettled([edit("hangs"), edit("none")]);
  const [stuck, other] = await next;
  expect(stuck).toMatchObject({
    status: "rejected",
    reason: { name: "EditThreadLost", message: expect.stringContaining("refine") },
  });
  expect(other).toMatchObject({ status: "fulfilled" });
  expect(await threadsLost("stage_timeout")).toBe(1);
});

it("gives the stages of a large image more time, in proportion to its pixels", async () => {
  await startPool({ stageTimeoutMs: 1_000 });
  // A photo of 60 MP, and one of usual size.
  await expect(edit("hangs", { largestPixels: 60_000_000 })).rejects.toThrow("did not end in 3000 ms");
  await expect(edit("hangs", { largestPixels: 12_000_000 })).rejects.toThrow("did not end in 1000 ms");
});

it("does not count the time that a stage waits for the model, and counts again when the model has answered", async () => {
  await startPool({ threads: 2, stageTimeoutMs: 8_000 });
  const mayAnswer = Promise.withResolvers<void>();
  const isAsked = Promise.withResolvers<void>();
  const slow = {
    ...sandboxModelClient,
    async describe(model: string) {
      isAsked.resolve();
      await mayAnswer.promise;
      return await sandboxModelClient.describe(model);
    },
  };
  const waiting = edit("none", { models: slow });
  await isAsked.promise;
  // An edit that begins later exceeds the time limit: by then, the first has waited for longer than that.
  await expect(edit("hangs")).rejects.toMatchObject({ name: "EditThreadLost" });
  mayAnswer.resolve();
  await expect(waiting).resolves.toBeDefined();
  await expect(edit("hangs after predicting")).rejects.toMatchObject({ name: "EditThreadLost" });
});

it("ends the thread of a cancelled edit that does not answer the abort", async () => {
  await startPool({ abortGraceMs: 200 });
  const abort = new AbortController();
  const onStage = (stage: string) => stage === "refine" && abort.abort("cancelled");
  await expect(edit("spins", { signal: abort.signal, onStage })).rejects.toBe("cancelled");
  await expect(edit("none")).resolves.toBeDefined();
  expect(await threadsLost("abort_timeout")).toBe(1);
});

it("keeps a thread whose edit is cancelled while it starts", async () => {
  await startPool({
    abortGraceMs: 2_000,
    threadModule: new URL("../../../../testing/worker/slow-edit-thread.ts", import.meta.url),
  });
  const abort = new AbortController();
  const source = await sandboxPhoto();
  const cancelled = edit("none", { source, signal: abort.signal });
  // It has its thread by then, which takes twice the grace to start.
  await new Promise((resolve) => setImmediate(resolve));
  abort.abort("cancelled");
  await expect(cancelled).rejects.toBe("cancelled");
  await expect(edit("none")).resolves.toBeDefined();
  expect(await threadsLost("abort_timeout")).toBeUndefined();
});

it.each(["exits", "fills its heap"] as const)(
  "replaces a thread that %s, and says that the edit is lost",
  async (failure) => {
    await startPool();
    await expect(edit(failure)).rejects.toMatchObject({ name: "EditThreadLost" });
    await expect(edit("none")).resolves.toBeDefined();
    expect(await threadsLost("died")).toBe(1);
  },
);

it("reports a thread that native code holds, waits for it no longer, and knows when it has exited", async () => {
  const stuck = Promise.withResolvers<void>();
  await startPool({ stageTimeoutMs: 5_000, exitTimeoutMs: 100, onStuckThread: stuck.resolve });
  await expect(edit("blocks in native code")).rejects.toMatchObject({ name: "EditThreadLost" });
  await stuck.promise;
  expect(pool.hasStuckThreads).toBe(true);
  await expect(edit("none")).resolves.toBeDefined();
  await expect.poll(() => pool.hasStuckThreads).toBe(false);
});

it("an edit that was cancelled while it waited for a thread leaves the queue", async () => {
  await startPool({ abortGraceMs: 200 });
  const first = new AbortController();
  const second = new AbortController();
  const running = edit("spins", {
    signal: first.signal,
    onStage: (stage) => stage === "refine" && second.abort("cancelled"),
  });
  await expect(edit("none", { signal: second.signal })).rejects.toBe("cancelled");
  first.abort("cancelled");
  await expect(running).rejects.toBe("cancelled");
});
