/** One model version in service: its batcher, its instances and the requests between them. */
import type { ModelConfig } from "@packshot/models/config-pbtxt.ts";
import { timerMsMax } from "@packshot/platform/flow/pause.ts";
import type { TraceSpan } from "@packshot/platform/telemetry/tracing.ts";
import { type Batch, createBatcher, type RejectedRequest } from "./batcher.ts";
import { type CostModel, createCostModel } from "./cost-model.ts";
import type { Execute, ExecutedBatch } from "./execute-batch.ts";
import type { QueuedRequest } from "./fair-queue.ts";
import { InferError, type StatusName } from "./infer-error.ts";
import type { CheckedRequest, InferTimes } from "./infer-request.ts";
import type { ModelMetrics } from "./inference-metrics.ts";
import type { InferTensor } from "./instance-protocol.ts";
import { endQueueSpan, type RequestSpans, startBatchSpans, startQueueSpan } from "./request-spans.ts";

/** The outputs of one request. */
type Outputs = readonly InferTensor[];

export interface InferOptions {
  readonly tenant: string;
  readonly priority: number;
  /** Milliseconds since the epoch. */
  readonly deadlineAtMs: number;
  /** The RPC's. */
  readonly span?: TraceSpan | undefined;
  /** Called after each step of a run that has several. */
  readonly onStep?: ((done: number, steps: number) => void) | undefined;
}

export interface PendingInference {
  readonly outputs: Promise<Outputs>;
  /** undefined until `outputs` resolves. */
  times(): InferTimes | undefined;
  /** Drops the request. A run of several steps that is its own ends after the step; another run goes on. */
  cancel(): void;
}

export interface ServedVersion {
  readonly name: string;
  readonly version: string;
  readonly config: ModelConfig;
  readonly statistics: Statistics;
  readonly costs: CostModel;
  readonly buckets: readonly number[];
  /** true: what it needs elsewhere is not there now. Absent: it needs nothing. */
  isAway?(): boolean;
  infer(request: CheckedRequest, options: InferOptions): PendingInference;
  /** Takes no more requests. Resolves when every accepted one is answered and the sessions are released. */
  unload(): Promise<void>;
}

export interface ServedVersionDeps<I> {
  readonly name: string;
  readonly version: string;
  readonly config: ModelConfig;
  /** Prepared and warm. */
  readonly instances: readonly I[];
  readonly execute: Execute<I>;
  /** false: every request runs alone. */
  readonly canBatch: boolean;
  readonly buckets: readonly number[];
  /** The execution provider that the instances prefer. */
  readonly provider: string;
  readonly warmed: readonly { readonly bucket: number; readonly ms: readonly number[] }[];
  readonly metrics: ModelMetrics;
  /** Called when a run failed in a way that leaves the device or the allocator in an unknown state. */
  readonly onFatal: (error: Error) => void;
}

interface PendingRequest {
  readonly request: CheckedRequest;
  readonly onStep: InferOptions["onStep"];
  /** Set while the request runs alone. */
  run?: AbortController;
  readonly spans: RequestSpans | undefined;
  times?: InferTimes;
  resolve(outputs: Outputs): void;
  reject(error: InferError): void;
}

const rejectMessages = {
  full: "the queue is full",
  late: "it cannot be answered before its deadline",
  displaced: "the queue is full and this tenant has the most rows in it",
} as const;

/** These failures leave the device or the allocator in an unknown state: a new process is safer than wrong mattes. */
const fatalFailure = /CUDA|CUDNN|CUBLAS|out of memory|bad_alloc|Failed to allocate|thread ended/i;

export function serveVersion<I extends { stop(): Promise<void> }>(deps: ServedVersionDeps<I>): ServedVersion {
  const { name, version, config, instances, buckets, metrics } = deps;
  const costs = costsOf(deps.warmed);
  const statistics = createStatistics();
  const pending = new Map<number, PendingRequest>();
  const idle = [...instances];
  const queueRowsMax = config.dynamicBatching?.queueRowsMax || 4 * Math.max(1, config.maxBatchSize) * instances.length;
  const batching = config.dynamicBatching !== null && config.maxBatchSize > 0 && deps.canBatch;
  const batcher = createBatcher({ buckets, queueRowsMax, instances: instances.length, costs });
  let nextId = 0;
  let unloading: Promise<void> | null = null;
  let onDrained: (() => void) | null = null;

  function infer(request: CheckedRequest, options: InferOptions): PendingInference {
    const { tenant, priority, deadlineAtMs, span, onStep } = options;
    const id = ++nextId;
    const arrivedAtMs = Date.now();
    const queued = { id, rows: request.rows, tenant, priority, arrivedAtMs, deadlineAtMs, unbatched: !batching };
    if (unloading) return rejectedInference("UNAVAILABLE", `model '${name}' version ${version} is being unloaded`);
    if (deadlineAtMs <= arrivedAtMs) {
      metrics.rejected("late");
      return rejectedInference("DEADLINE_EXCEEDED", "the deadline had passed when the request came");
    }
    const { promise, resolve, reject } = Promise.withResolvers<Outputs>();
    const entry: PendingRequest = { request, onStep, spans: startQueueSpan(span), resolve, reject };
    pending.set(id, entry);
    rejectAll(batcher.enqueue(queued, arrivedAtMs));
    dispatch();
    return { outputs: promise, times: () => entry.times, cancel: () => cancel(id) };
  }

  function rejectAll(rejected: readonly RejectedRequest[]): void {
    for (const { request, reason } of rejected) {
      metrics.rejected(reason);
      takePending(request.id)?.reject(new InferError("UNAVAILABLE", `refused: ${rejectMessages[reason]}`));
      statistics.failed(Date.now() - request.arrivedAtMs);
    }
  }

  function takePending(id: number): PendingRequest | undefined {
    const taken = pending.get(id);
    pending.delete(id);
    endQueueSpan(taken?.spans);
    if (pending.size === 0) onDrained?.();
    return taken;
  }

  function cancel(id: number): void {
    if (!pending.has(id)) return;
    metrics.cancelled();
    // A request that runs already cannot leave its batch; its outputs are dropped.
    batcher.cancel(id);
    pending.get(id)?.run?.abort();
    takePending(id)?.reject(new InferError("CANCELLED", "the request was cancelled"));
  }

  function dispatch(): void {
    while (idle.length > 0) {
      const { batch, rejected } = batcher.nextBatch(Date.now());
      rejectAll(rejected);
      if (!batch) break;
      void run(idle.pop()!, batch);
    }
    metrics.rowsQueued(batcher.queuedRows());
  }

  async function run(instance: I, batch: Batch): Promise<void> {
    const startedAtMs = Date.now();
    const startedAt = performance.now();
    batcher.batchStarted(batch, startedAtMs);
    const requests = batch.requests.map(({ id }) => pending.get(id)!);
    const inSpans = startBatchSpans(batch, ({ id }) => pending.get(id)?.spans);
    let executed: ExecutedBatch;
    try {
      executed = await inSpans(() => execute(deps, instance, { batch, requests }));
    } catch (error) {
      fail(error as Error, batch);
      batcher.batchFinished(batch, startedAtMs, Date.now());
      idle.push(instance);
      dispatch();
      return;
    }
    batcher.batchFinished(batch, startedAtMs, startedAtMs + (performance.now() - startedAt));
    idle.push(instance);
    // The next batch starts before this one's responses are built, so that the instance never waits for the network.
    dispatch();
    try {
      answerAll(batch, executed, startedAtMs);
    } catch (error) {
      // The instance is idle already, so only the batch's requests fail.
      fail(error as Error, batch);
    }
  }

  function answerAll(batch: Batch, executed: ExecutedBatch, startedAtMs: number): void {
    const { inputMs, inferMs } = executed;
    const beforeOutput = performance.now();
    const outputs = executed.outputs();
    const times = { rows: batch.rows, inputMs, inferMs, outputMs: performance.now() - beforeOutput };
    statistics.executed(times, Date.now());
    metrics.batchRan(batch, inferMs);
    metrics.costFitted(costs.fit());
    for (const [at, request] of batch.requests.entries()) answer(request, outputs[at]!, startedAtMs, times);
  }

  function answer(request: QueuedRequest, outputs: Outputs, startedAtMs: number, times: BatchTimes): void {
    const nowMs = Date.now();
    const taken = takePending(request.id);
    if (!taken) return;
    if (nowMs > request.deadlineAtMs) {
      statistics.failed(nowMs - request.arrivedAtMs);
      taken.reject(countFailure(metrics, true)!);
      return;
    }
    const queueMs = startedAtMs - request.arrivedAtMs;
    statistics.succeeded(nowMs - request.arrivedAtMs, queueMs, times);
    metrics.answered((nowMs - request.arrivedAtMs) / 1000, queueMs / 1000);
    taken.times = { queueMs, ...runTimes(times, request.rows), provider: deps.provider };
    taken.resolve(outputs);
  }

  function fail(error: Error, batch: Batch): void {
    const fatal = fatalFailure.test(error.message);
    for (const { id, arrivedAtMs, deadlineAtMs } of batch.requests) {
      const taken = takePending(id);
      // It was cancelled, and is counted so.
      if (taken === undefined) continue;
      statistics.failed(Date.now() - arrivedAtMs);
      taken.reject(countFailure(metrics, Date.now() >= deadlineAtMs) ?? runError(error, fatal));
    }
    if (fatal) deps.onFatal(error);
  }

  return {
    name,
    version,
    config,
    statistics,
    costs,
    buckets,
    infer,
    unload() {
      unloading ??= (async () => {
        if (pending.size > 0) await new Promise<void>((resolve) => (onDrained = resolve));
        await Promise.all(instances.map((instance) => instance.stop()));
      })();
      return unloading;
    },
  };
}

function costsOf(warmed: ServedVersionDeps<unknown>["warmed"]): CostModel {
  const costs = createCostModel();
  for (const { bucket, ms } of warmed) for (const each of ms) costs.observe(bucket, each);
  return costs;
}

interface BatchToRun {
  readonly batch: Batch;
  readonly requests: readonly PendingRequest[];
}

/** The cancellation and the deadline of a request that runs alone end its run. */
async function execute<I>(
  deps: ServedVersionDeps<I>,
  instance: I,
  { batch, requests }: BatchToRun,
): Promise<ExecutedBatch> {
  const alone = requests.length === 1 ? requests[0] : undefined;
  const run = new AbortController();
  if (alone !== undefined) alone.run = run;
  const deadlineAtMs = alone === undefined ? Number.POSITIVE_INFINITY : batch.requests[0]!.deadlineAtMs;
  let timer: NodeJS.Timeout | undefined;
  const endWhenDue = () => {
    const leftMs = deadlineAtMs - Date.now();
    // A timer may fire before the clock shows its time: the run would not be late then, but have failed.
    const onTime = () => (Date.now() < deadlineAtMs ? endWhenDue() : run.abort());
    if (leftMs < timerMsMax) timer = setTimeout(onTime, Math.max(0, leftMs));
  };
  endWhenDue();
  const control = { signal: run.signal, onStep: (done: number, steps: number) => alone?.onStep?.(done, steps) };
  const endRun = deps.metrics.runStarted();
  try {
    const checked = requests.map(({ request }) => request);
    return await deps.execute(instance, { bucket: batch.bucket, requests: checked, control });
  } finally {
    endRun();
    clearTimeout(timer);
  }
}

/** Returns the error of a run that ended too late; undefined: it failed for another reason. */
function countFailure(metrics: ModelMetrics, isLate: boolean): InferError | undefined {
  if (!isLate) return void metrics.failed();
  metrics.overran();
  return new InferError("DEADLINE_EXCEEDED", "the run took longer than the deadline allowed");
}

/** What the run itself says of its failure goes to the caller as it is. */
function runError(error: Error, isFatal: boolean): InferError {
  if (error instanceof InferError) return error;
  return new InferError(isFatal ? "UNAVAILABLE" : "INTERNAL", `the run failed: ${error.message}`, error);
}

function runTimes({ inferMs, rows }: BatchTimes, own: number): Pick<InferTimes, "runMs" | "shareMs"> {
  return { runMs: inferMs, shareMs: (inferMs * own) / rows };
}

function rejectedInference(status: StatusName, message: string): PendingInference {
  return { outputs: Promise.reject(new InferError(status, message)), times: () => undefined, cancel() {} };
}

/** The content of ModelStatistics: counts and nanoseconds by stage, per version. */

interface Duration {
  count: number;
  ns: number;
}

export interface BatchTimes {
  readonly rows: number;
  readonly inputMs: number;
  readonly inferMs: number;
  readonly outputMs: number;
}

export interface Statistics {
  /** One request of a batch, answered. */
  succeeded(totalMs: number, queueMs: number, times: BatchTimes): void;
  failed(totalMs: number): void;
  executed(times: BatchTimes, nowMs: number): void;
  message(name: string, version: string): Record<string, unknown>;
}

function createStatistics(): Statistics {
  const stages = [
    "success",
    "fail",
    "queue",
    "compute_input",
    "compute_infer",
    "compute_output",
    "cache_hit",
    "cache_miss",
  ] as const;
  const totals = Object.fromEntries(stages.map((stage) => [stage, { count: 0, ns: 0 }])) as Record<
    (typeof stages)[number],
    Duration
  >;
  const batches = new Map<number, { input: Duration; infer: Duration; output: Duration }>();
  let lastInferenceMs = 0;
  let inferences = 0;
  let executions = 0;

  const add = (duration: Duration, ms: number): void => {
    duration.count += 1;
    duration.ns += Math.max(0, Math.round(ms * 1e6));
  };

  return {
    succeeded(totalMs, queueMs, times) {
      add(totals.success, totalMs);
      add(totals.queue, queueMs);
      add(totals.compute_input, times.inputMs);
      add(totals.compute_infer, times.inferMs);
      add(totals.compute_output, times.outputMs);
    },
    failed(totalMs) {
      add(totals.fail, totalMs);
    },
    executed(times, nowMs) {
      executions += 1;
      inferences += times.rows;
      lastInferenceMs = nowMs;
      const zero = (): Duration => ({ count: 0, ns: 0 });
      const batch = batches.get(times.rows) ?? { input: zero(), infer: zero(), output: zero() };
      batches.set(times.rows, batch);
      add(batch.input, times.inputMs);
      add(batch.infer, times.inferMs);
      add(batch.output, times.outputMs);
    },
    message: (name, version) => ({
      name,
      version,
      last_inference: Math.round(lastInferenceMs),
      inference_count: inferences,
      execution_count: executions,
      inference_stats: totals,
      batch_stats: [...batches]
        .sort(([a], [b]) => a - b)
        .map(([size, { input, infer, output }]) => ({
          batch_size: size,
          compute_input: input,
          compute_infer: infer,
          compute_output: output,
        })),
    }),
  };
}
