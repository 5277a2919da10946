import { Counter, Histogram, type Registry } from "prom-client";

export interface ApiMetrics {
  onAnswer(operation: string, status: number, durationMs: number): void;
  onBatch(accepts: number): void;
  onForward(): void;
}

export function createApiMetrics(registry: Registry): ApiMetrics {
  const registers = [registry];
  const answers = new Counter({
    name: "packshot_api_answers_total",
    help: "Answers by operation and status.",
    labelNames: ["operation", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "packshot_api_answer_seconds",
    help: "Time from the request's head to the answer.",
    labelNames: ["operation"],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5, 30, 60],
    registers,
  });
  const batches = new Histogram({
    name: "packshot_api_accepts_per_batch",
    help: "Edits accepted by one write to the log.",
    buckets: [1, 2, 5, 10, 20, 50, 100, 200],
    registers,
  });
  const forwards = new Counter({
    name: "packshot_api_accepts_forwarded_total",
    help: "Edits handed to the process that owns their busy account.",
    registers,
  });
  return {
    onAnswer(operation, status, durationMs) {
      answers.inc({ operation, status });
      durations.observe({ operation }, durationMs / 1000);
    },
    onForward: () => forwards.inc(),
    onBatch: (accepts) => batches.observe(accepts),
  };
}
