/** One version of a model in service: its batcher, its instances, and the requests between them. */
import type { ModelConfig } from "@packshot/models/config-pbtxt.ts";
import { type Batch, createBatcher, type Refused } from "./batcher.ts";
import { createCostModel, type CostModel } from "./cost-model.ts";
import type { Waiting } from "./fair-queue.ts";
import { InferError } from "./infer-error.ts";
import type { CheckedRequest } from "./infer-request.ts";
import type { Instance } from "./instance.ts";
import type { FreeTensor, RowTensor } from "./instance-protocol.ts";
import type { ModelMetrics } from "./metrics.ts";
import { type BatchTimes, createStatistics, type Statistics } from "./statistics.ts";

export interface InferOptions {
  readonly tenant: string;
  readonly priority: number;
  /** Milliseconds since the epoch. */
  readonly deadlineAtMs: number;
}

export interface PendingInference {
  readonly outputs: Promise<readonly FreeTensor[]>;
  /** Nobody waits any more: if it has not started it will not. */
  abandon(): void;
}

export interface ServedVersion {
  readonly name: string;
  readonly version: string;
  readonly config: ModelConfig;
  readonly statistics: Statistics;
  readonly costs: CostModel;
  readonly buckets: readonly number[];
  infer(request: CheckedRequest, options: InferOptions): PendingInference;
  /** Takes no more; resolves when what was accepted is answered and the sessions are released. */
  retire(): Promise<void>;
}

export interface ServedVersionOptions {
  readonly name: string;
  readonly version: string;
  readonly config: ModelConfig;
  /** Prepared and warm. */
  readonly instances: readonly Instance[];
  /** null: rows differ in size, so every request runs alone. */
  readonly rowTensors: { readonly inputs: readonly RowTensor[]; readonly outputs: readonly RowTensor[] } | null;
  readonly buckets: readonly number[];
  readonly warmed: readonly { readonly bucket: number; readonly ms: readonly number[] }[];
  readonly metrics: ModelMetrics;
  /** A run failed so that the process cannot be trusted any more. */
  readonly onFatal: (error: Error) => void;
}

interface Entry {
  readonly request: CheckedRequest;
  readonly waiting: Waiting;
  resolve(outputs: readonly FreeTensor[]): void;
  reject(error: InferError): void;
}

const refusalMessages = {
  full: "the queue is full",
  late: "it cannot be answered before its deadline",
  displaced: "the queue is full and others have waited for less",
} as const;

/** After these the device or the allocator is in doubt: better a fresh process than wrong mattes. */
const fatalFailure = /CUDA|CUDNN|CUBLAS|out of memory|bad_alloc|Failed to allocate|thread ended/i;

export function serveVersion(options: ServedVersionOptions): ServedVersion {
  const { name, version, config, instances, rowTensors, buckets, metrics } = options;
  const costs = createCostModel();
  for (const { bucket, ms } of options.warmed) for (const each of ms) costs.observe(bucket, each);
  const statistics = createStatistics();
  const entries = new Map<number, Entry>();
  const idle = [...instances];
  const rowsMax = config.dynamicBatching?.queueRowsMax || 4 * Math.max(1, config.maxBatchSize) * instances.length;
  const batching = config.dynamicBatching !== null && config.maxBatchSize > 0 && rowTensors !== null;
  const batcher = createBatcher({ buckets, queueRowsMax: rowsMax, instances: instances.length, costs });
  let nextId = 0;
  let retired: Promise<void> | null = null;
  let onEmpty: (() => void) | null = null;

  function infer(request: CheckedRequest, { tenant, priority, deadlineAtMs }: InferOptions): PendingInference {
    const id = ++nextId;
    const arrivedAtMs = Date.now();
    const waiting = { id, rows: request.rows, tenant, priority, arrivedAtMs, deadlineAtMs, alone: !batching };
    const { promise, resolve, reject } = Promise.withResolvers<readonly FreeTensor[]>();
    if (retired) {
      reject(new InferError("UNAVAILABLE", `model '${name}' version ${version} is being unloaded`));
      return { outputs: promise, abandon() {} };
    }
    if (deadlineAtMs <= arrivedAtMs) {
      reject(new InferError("DEADLINE_EXCEEDED", "the deadline had passed when the request came"));
      metrics.refused("late");
      return { outputs: promise, abandon() {} };
    }
    entries.set(id, { request, waiting, resolve, reject });
    refuse(batcher.offer(waiting, arrivedAtMs));
    dispatch();
    return { outputs: promise, abandon: () => abandon(id) };
  }

  function refuse(refused: readonly Refused[]): void {
    for (const { request, reason } of refused) {
      metrics.refused(reason);
      settle(request.id)?.reject(new InferError("UNAVAILABLE", `refused: ${refusalMessages[reason]}`));
      statistics.failed(Date.now() - request.arrivedAtMs);
    }
  }

  function settle(id: number): Entry | undefined {
    const entry = entries.get(id);
    entries.delete(id);
    if (entries.size === 0) onEmpty?.();
    return entry;
  }

  function abandon(id: number): void {
    if (!entries.has(id)) return;
    metrics.abandoned();
    // One that already runs finishes for nobody; its rows cannot be taken out of the batch.
    batcher.abandon(id);
    settle(id)?.reject(new InferError("CANCELLED", "the request was abandoned"));
  }

  function dispatch(): void {
    while (idle.length > 0) {
      const { batch, refused } = batcher.take(Date.now());
      refuse(refused);
      if (!batch) break;
      void run(idle.pop()!, batch);
    }
    metrics.queued(batcher.waitingRows());
  }

  async function run(instance: Instance, batch: Batch): Promise<void> {
    const startedAtMs = Date.now();
    const startedAt = performance.now();
    batcher.started(batch, startedAtMs);
    const members = batch.requests.map((waiting) => ({ waiting, request: entries.get(waiting.id)!.request }));
    try {
      const result =
        rowTensors === null
          ? await runFree(instance, members[0]!.request, startedAt)
          : await runRows(instance, batch, members, startedAt);
      batcher.finished(batch, startedAtMs, startedAtMs + (performance.now() - startedAt));
      idle.push(instance);
      // The next batch starts before this one's answers are built: the instance never waits for the wire.
      dispatch();
      const beforeOutput = performance.now();
      const answers = result.answers();
      const times = { ...result.times, rows: batch.rows, outputMs: performance.now() - beforeOutput };
      statistics.executed(times, Date.now());
      metrics.ran(batch, times.inferMs);
      metrics.costs(costs.fit());
      for (const [at, { waiting }] of members.entries()) answer(waiting, answers[at]!, startedAtMs, times);
    } catch (error) {
      fail(error as Error, batch);
      batcher.finished(batch, startedAtMs, Date.now());
      idle.push(instance);
      dispatch();
    }
  }

  function answer(waiting: Waiting, outputs: readonly FreeTensor[], startedAtMs: number, times: BatchTimes): void {
    const nowMs = Date.now();
    const entry = settle(waiting.id);
    if (!entry) return;
    if (nowMs > waiting.deadlineAtMs) {
      metrics.refused("overran");
      statistics.failed(nowMs - waiting.arrivedAtMs);
      entry.reject(new InferError("DEADLINE_EXCEEDED", "the run took longer than the deadline allowed"));
      return;
    }
    statistics.succeeded(nowMs - waiting.arrivedAtMs, startedAtMs - waiting.arrivedAtMs, times);
    metrics.answered((nowMs - waiting.arrivedAtMs) / 1000);
    entry.resolve(outputs);
  }

  function fail(error: Error, batch: Batch): void {
    const fatal = fatalFailure.test(error.message);
    for (const waiting of batch.requests) {
      statistics.failed(Date.now() - waiting.arrivedAtMs);
      metrics.failed();
      settle(waiting.id)?.reject(
        new InferError(fatal ? "UNAVAILABLE" : "INTERNAL", `the run failed: ${error.message}`, error),
      );
    }
    if (fatal) options.onFatal(error);
  }

  interface Member {
    readonly waiting: Waiting;
    readonly request: CheckedRequest;
  }
  interface Result {
    readonly times: { readonly inputMs: number; readonly inferMs: number };
    /** Reads the instance's output memory, so it must be called before the run after the next. */
    answers(): (readonly FreeTensor[])[];
  }

  async function runRows(
    instance: Instance,
    batch: Batch,
    members: readonly Member[],
    startedAt: number,
  ): Promise<Result> {
    for (const [order, { rowBytes }] of rowTensors!.inputs.entries()) {
      const rows = instance.inputRows(order);
      let at = 0;
      for (const { request } of members) {
        rows.set(request.inputs[order]!.data as Uint8Array, at);
        at += request.rows * rowBytes;
      }
      // Padding repeats nothing: what the last run left there is as good as any.
    }
    const inputMs = performance.now() - startedAt;
    const { ms, outputRows } = await instance.runRows(batch.bucket);
    return {
      times: { inputMs, inferMs: ms },
      answers() {
        let row = 0;
        return members.map(({ request }) => {
          const first = row;
          row += request.rows;
          return rowTensors!.outputs.map(({ name: output, datatype, dims, rowBytes }, order) => ({
            name: output,
            datatype,
            shape: config.maxBatchSize > 0 ? [request.rows, ...dims] : [...dims],
            // A copy, because the memory is written again by the run after the next.
            data: Buffer.from(outputRows[order]!.subarray(first * rowBytes, row * rowBytes)),
          }));
        });
      },
    };
  }

  async function runFree(instance: Instance, request: CheckedRequest, startedAt: number): Promise<Result> {
    const inputMs = performance.now() - startedAt;
    const { ms, outputs } = await instance.runFree(request.inputs);
    return { times: { inputMs, inferMs: ms }, answers: () => [outputs!] };
  }

  return {
    name,
    version,
    config,
    statistics,
    costs,
    buckets,
    infer,
    retire() {
      retired ??= (async () => {
        if (entries.size > 0) await new Promise<void>((resolve) => (onEmpty = resolve));
        await Promise.all(instances.map((instance) => instance.stop()));
      })();
      return retired;
    },
  };
}
