/** A version in service, tested with a fake instance, because no GPU fails on demand. */
import { parseModelConfig } from "@packshot/models/config-pbtxt.ts";
import { startTrace, type TraceSpan } from "@packshot/platform/telemetry/tracing.ts";
import { describe, expect, it, vi } from "vitest";
import { startTestTracing } from "../../../testing/tracing/test-tracing.ts";
import { executeGraph } from "./execute-batch.ts";
import { createInferenceMetrics } from "./inference-metrics.ts";
import type { Instance } from "./instance.ts";
import { serveVersion } from "./served-version.ts";

const config = parseModelConfig(
  `name: "m" max_batch_size: 4 dynamic_batching { preferred_batch_size: [ 1, 4 ] }
   input { name: "a" data_type: TYPE_UINT8 dims: 2 } output { name: "b" data_type: TYPE_UINT8 dims: 2 }`,
  "config.pbtxt",
);

const rowTensors = {
  inputs: [{ name: "a", datatype: "UINT8", dims: [2], rowBytes: 2 }],
  outputs: [{ name: "b", datatype: "UINT8", dims: [2], rowBytes: 2 }],
};

/** `runs` decides the outcome of each run in turn; the output repeats the input, unless `outputRowsOf` says otherwise. */
function serve(
  runs: ((rows: Uint8Array) => Promise<void>)[],
  outputRowsOf: (rows: Uint8Array) => readonly Uint8Array[] = (rows) => [rows.slice()],
) {
  const rows = new Uint8Array(8);
  const instance: Instance = {
    load: () => Promise.reject(new Error("not called")),
    prepare: () => Promise.reject(new Error("not called")),
    keep: () => Promise.reject(new Error("not called")),
    inputRows: () => rows,
    runDynamic: () => Promise.reject(new Error("not called")),
    async runRows() {
      await runs.shift()?.(rows);
      return { ms: 1, outputRows: outputRowsOf(rows) };
    },
    stop: () => Promise.resolve(),
  };
  const fatal: Error[] = [];
  const metrics = createInferenceMetrics();
  const served = serveVersion({
    name: "m",
    version: "1",
    config,
    instances: [instance],
    execute: executeGraph(rowTensors, true),
    canBatch: true,
    buckets: [1, 4],
    warmed: [
      { bucket: 1, ms: [1] },
      { bucket: 4, ms: [1] },
    ],
    provider: "cpu",
    metrics: metrics.forVersion("m", "1", { count: 1, provider: "cpu", precision: "original" }),
    onFatal: (error) => fatal.push(error),
  });
  const ask = (byte: number, deadlineAtMs = Number.POSITIVE_INFINITY, span?: TraceSpan) =>
    served.infer(
      {
        rows: 1,
        inputs: [{ name: "a", datatype: "UINT8", shape: [1, 2], data: new Uint8Array([byte, byte]) }],
        outputNames: ["b"],
      },
      { tenant: "t", priority: 1, deadlineAtMs, span },
    );
  return { served, ask, fatal, metrics };
}

const outcome = (pending: { outputs: Promise<readonly { data: unknown }[]> }) =>
  pending.outputs.then(
    ([output]) => [...(output!.data as Uint8Array)],
    (error: { status: string; message: string }) => `${error.status}: ${error.message}`,
  );

describe("a version in service", () => {
  it("gives each request of a batch its own rows", async () => {
    const { ask } = serve([]);
    expect(await Promise.all([1, 2, 3, 4, 5].map((byte) => outcome(ask(byte))))).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
      [5, 5],
    ]);
  });

  it("links the batch spans of requests that run together, each in its own trace", async () => {
    const tracing = await startTestTracing();
    const { ask } = serve([]);
    const requests = [1, 2, 3, 4, 5].map(() => startTrace("request", {})!);
    await Promise.all(requests.map((span, byte) => outcome(ask(byte, Number.POSITIVE_INFINITY, span))));
    for (const span of requests) span.end();
    const spans = await tracing.stop();
    const batches = spans.filter(({ name }) => name === "batch");
    const idOf = (request: TraceSpan) => request.spanContext().spanId;
    expect(batches.map(({ parentSpanId }) => parentSpanId)).toEqual(requests.map(idOf));
    // The first request found an idle instance; the others waited for it.
    const [alone, first, ...others] = batches;
    expect(alone!.links).toEqual([]);
    expect(first!.links).toEqual(others.map(({ spanId }) => spanId));
    for (const { links } of others) expect(links).toEqual([first!.spanId]);
    for (const { attributes } of [first!, ...others]) expect(attributes["packshot.batch.requests"]).toBe(4);
    for (const name of ["queue", "run"]) expect(spans.filter((span) => span.name === name)).toHaveLength(5);
    expect(new Set(batches.map(({ traceId }) => traceId)).size).toBe(5);
  });

  it("after an ordinary failure fails the batch's requests with INTERNAL and serves on", async () => {
    const { ask, fatal } = serve([() => Promise.reject(new Error("Non-zero status code returned"))]);
    expect(await outcome(ask(1))).toBe("INTERNAL: the run failed: Non-zero status code returned");
    expect(await outcome(ask(2))).toEqual([2, 2]);
    expect(fatal).toEqual([]);
  });

  it("keeps to one run at a time after the outputs of a batch could not be read", async () => {
    let readings = 0;
    let running = 0;
    let runningMax = 0;
    const run = async () => {
      runningMax = Math.max(runningMax, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };
    // Without a tensor of outputs, reading the first batch fails.
    const { ask } = serve([run, run, run], (rows) => (++readings === 1 ? [] : [rows.slice()]));
    expect(await outcome(ask(1))).toMatch(/^INTERNAL: the run failed/);
    expect(await Promise.all([2, 3].map((byte) => outcome(ask(byte))))).toEqual([
      [2, 2],
      [3, 3],
    ]);
    expect(runningMax).toBe(1);
  });

  it.each([
    "CUDA failure 700: an illegal memory access",
    "Failed to allocate memory for requested buffer",
    "std::bad_alloc",
  ])("after %s answers UNAVAILABLE, so that clients try another server, and reports it as fatal", async (message) => {
    const { ask, fatal } = serve([() => Promise.reject(new Error(message))]);
    expect(await outcome(ask(1))).toMatch(/^UNAVAILABLE/);
    expect(fatal.map((error) => error.message)).toEqual([message]);
  });

  it("never answers after the deadline: a run that took longer ends as DEADLINE_EXCEEDED", async () => {
    const deadlineAtMs = Date.now() + 30;
    const past = async () => {
      while (Date.now() <= deadlineAtMs) await new Promise((resolve) => setImmediate(resolve));
    };
    const { ask } = serve([past]);
    expect(await outcome(ask(1, deadlineAtMs))).toMatch(/^DEADLINE_EXCEEDED/);
  });

  it("says what each request of a batch took: its wait, the run, and its share of it", async () => {
    const gate = Promise.withResolvers<void>();
    const { ask, metrics } = serve([() => gate.promise]);
    const first = ask(1);
    const others = [ask(2), ask(3), ask(4), ask(5)];
    expect(first.times()).toBeUndefined();
    gate.resolve();
    await Promise.all([first, ...others].map(outcome));
    expect(first.times()).toMatchObject({ runMs: 1, shareMs: 1, provider: "cpu" });
    for (const other of others) expect(other.times()).toMatchObject({ runMs: 1, shareMs: 0.25 });
    const text = await metrics.registry.metrics();
    expect(text).toContain('packshot_inference_batch_size_sum{model="m",version="1"} 5');
    expect(text).toContain('packshot_inference_queue_duration_seconds_count{model="m",version="1"} 5');
    expect(text).toMatch(/packshot_inference_busy_seconds_total\{model="m",version="1"\} 0?\.\d+/);
  });

  it("rejects a request past its deadline at once, and drops one that is cancelled before it runs", async () => {
    const gate = Promise.withResolvers<void>();
    const { ask, metrics } = serve([() => gate.promise]);
    expect(await outcome(ask(1, Date.now() - 1))).toMatch(/^DEADLINE_EXCEEDED/);
    const running = ask(1);
    const waiting = ask(2);
    waiting.cancel();
    expect(await outcome(waiting)).toMatch(/^CANCELLED/);
    gate.resolve();
    expect(await outcome(running)).toEqual([1, 1]);
    const text = await metrics.registry.metrics();
    expect(text).toContain('outcome="abandoned"} 1');
    expect(text).toContain('packshot_inference_rows_total{model="m",version="1",kind="asked"} 1');
  });

  it("unloads when accepted requests are answered, and takes no more", async () => {
    const gate = Promise.withResolvers<void>();
    const { served, ask } = serve([() => gate.promise]);
    const accepted = [ask(1), ask(2), ask(3)].map(outcome);
    const retired = served.unload();
    expect(await outcome(ask(4))).toMatch(/^UNAVAILABLE/);
    gate.resolve();
    await retired;
    expect(await Promise.all(accepted)).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
  });

  it("leaves no gauge behind when it is unloaded", async () => {
    const { ask, metrics } = serve([]);
    const version = metrics.forVersion("m", "1", { count: 1, provider: "cpu", precision: "int8" });
    version.bucketsSlow(() => 1);
    version.nodesPlaced([{ provider: "CPUExecutionProvider", nodes: 3, operators: ["Conv"] }]);
    await outcome(ask(1));
    const gauges =
      /^packshot_(inference_queue_rows|inference_slow_buckets|inference_expected_duration_seconds|inference_instances|model_precision|model_provider_nodes)\{/m;
    expect(await metrics.registry.metrics()).toMatch(gauges);
    metrics.removeVersion("m", "1");
    expect(await metrics.registry.metrics()).not.toMatch(gauges);
  });
});

describe("a run of several steps", () => {
  /** Ends once its signal is aborted, as a pipeline does after a step. */
  function serveSteps() {
    const registry = createInferenceMetrics();
    const reasons: string[] = [];
    const served = serveVersion({
      name: "steps",
      version: "1",
      config,
      instances: [{ stop: () => Promise.resolve() }],
      async execute(_instance, { control: { signal, onStep } }) {
        onStep(1, 4);
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        reasons.push("aborted");
        throw new Error("ended after a step");
      },
      canBatch: false,
      buckets: [1],
      warmed: [],
      provider: "cpu",
      metrics: registry.forVersion("steps", "1", { count: 1, provider: "cpu", precision: "original" }),
      onFatal() {},
    });
    const steps: string[] = [];
    const ask = (deadlineAtMs: number) =>
      served.infer(
        { rows: 1, inputs: [], outputNames: [] },
        { tenant: "t", priority: 1, deadlineAtMs, onStep: (done, of) => steps.push(`${done}/${of}`) },
      );
    return { served, ask, steps, reasons, registry: registry.registry };
  }

  it("is ended at its deadline", async () => {
    const { ask, steps, reasons } = serveSteps();
    expect(await outcome(ask(Date.now() + 20))).toMatch(/^DEADLINE_EXCEEDED/);
    expect([steps, reasons]).toEqual([["1/4"], ["aborted"]]);
  });

  it("is late, and not failed, where a timer fires before the clock shows the deadline", async () => {
    const { ask } = serveSteps();
    const startedAtMs = Date.now();
    const beganMs = performance.now();
    const clock = vi.spyOn(Date, "now").mockImplementation(() => startedAtMs + (performance.now() - beganMs) / 2);
    try {
      expect(await outcome(ask(startedAtMs + 20))).toMatch(/^DEADLINE_EXCEEDED/);
    } finally {
      clock.mockRestore();
    }
  });

  it("is ended when it is cancelled, which counts once", async () => {
    const { served, ask, reasons, registry } = serveSteps();
    const asked = ask(Number.POSITIVE_INFINITY);
    asked.cancel();
    expect(await outcome(asked)).toMatch(/^CANCELLED/);
    await served.unload();
    expect(reasons).toEqual(["aborted"]);
    const text = await registry.metrics();
    expect(text).toMatch(/outcome="abandoned"\} 1/);
    expect(text).not.toMatch(/outcome="failed"\} [1-9]/);
  });
});
