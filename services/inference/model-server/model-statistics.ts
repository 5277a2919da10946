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

export function createStatistics(): Statistics {
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
