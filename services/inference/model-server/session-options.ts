/** How onnxruntime runs a graph, alone or in a pipeline. */
import type { InferenceSession } from "onnxruntime-node";

export interface SessionPlace {
  readonly providers: readonly ("cpu" | "cuda")[];
  readonly deviceId: number;
  /** Threads inside one operator. */
  readonly threads: number;
}

export function sessionOptions({ providers, deviceId, threads }: SessionPlace): InferenceSession.SessionOptions {
  return {
    executionProviders: providers.map((name) => (name === "cuda" ? { name, deviceId } : name)),
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: "sequential",
    graphOptimizationLevel: "all",
    logSeverityLevel: 3,
    // A pattern of the first run's memory is one more block beside what that run has left in the arena: on a CPU u2netp takes
    // 338 MB without it and 555 with it, and a run is no slower.
    enableMemPattern: providers.includes("cuda"),
    // By default onnxruntime's threads spin while they wait for each other, on cores that the worker or another session
    // needs: measured on two busy cores, a prediction of the bundled network took 74 ms of processor time and 286 ms to
    // its end; sleeping, 37 and 240. On idle cores sleeping is 10 % slower (u2netp: 235 ms instead of 214).
    extra: { session: { intra_op: { allow_spinning: "0" } } },
  };
}
