/**
 * Raw onnxruntime-node in a process of its own: the same graph, batch and threads as the server's, and nothing else.
 */
import { InferenceSession, Tensor } from "../../testing/models/silent-runtime.ts";

/** To the runner. */
export type RawCommand = { readonly runs: number } | { readonly windowMs: number };
/** From it: milliseconds of each run. */
export interface RawResult {
  readonly ms: readonly number[];
  /** The whole process, over all runs. */
  readonly cpuMs: number;
}

const [file, side, channels, batch, threads, provider = "cpu"] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string?,
];
const shape = [Number(batch), Number(side), Number(side), Number(channels)];
const session = await InferenceSession.create(file, {
  executionProviders: provider === "cuda" ? ["cuda", "cpu"] : ["cpu"],
  intraOpNumThreads: Number(threads),
  interOpNumThreads: 1,
  executionMode: "sequential",
  graphOptimizationLevel: "all",
  logSeverityLevel: 3,
});
const input = new Tensor("uint8", new Uint8Array(shape.reduce((a, b) => a * b, 1)).fill(120), shape);
await session.run({ image: input });

process.on("message", async (command: RawCommand) => {
  const ms: number[] = [];
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  while ("runs" in command ? ms.length < command.runs : performance.now() - startedAt < command.windowMs) {
    const at = performance.now();
    await session.run({ image: input });
    ms.push(performance.now() - at);
  }
  const { user, system } = process.cpuUsage(cpu);
  process.send!({ ms, cpuMs: (user + system) / 1_000 } satisfies RawResult);
});
process.send!({ ms: [], cpuMs: 0 } satisfies RawResult);
