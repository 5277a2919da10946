/** Graphs of a folder, NAME.onnx each, run by ONNX Runtime in this process. Each is loaded when it is first run. */
import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import type { GraphRunner, GraphTensor } from "./graph-runner.ts";

export interface OnnxGraphs extends GraphRunner {
  /** Before they run. Rejects with why one of them cannot be loaded. */
  load(graphs: readonly string[]): Promise<void>;
  /** Waits for what runs. A graph that runs again is loaded again. */
  release(): Promise<void>;
}

export function openOnnxGraphs(folder: string, options: InferenceSession.SessionOptions = {}): OnnxGraphs {
  const sessions = new Map<string, Promise<InferenceSession>>();
  const runs = new Set<Promise<unknown>>();

  function sessionOf(graph: string): Promise<InferenceSession> {
    const known = sessions.get(graph);
    if (known) return known;
    const opened = InferenceSession.create(join(folder, `${graph}.onnx`), options);
    sessions.set(graph, opened);
    // A file that was missing may be there the next time.
    opened.catch(() => sessions.delete(graph));
    return opened;
  }

  async function run(graph: string, inputs: Readonly<Record<string, GraphTensor>>, signal: AbortSignal) {
    const session = await sessionOf(graph);
    signal.throwIfAborted();
    const feeds = Object.fromEntries(Object.entries(inputs).map(([name, tensor]) => [name, toTensor(tensor)]));
    const outputs = await session.run(feeds);
    const { type, dims, data } = outputs[session.outputNames[0]!]!;
    if (type !== "float32") throw new Error(`the graph ${graph} answers ${type}`);
    return { type, shape: dims, data: data as Float32Array } as const;
  }

  return {
    async load(names) {
      for (const name of names) await sessionOf(name);
    },
    run(graph, inputs, signal) {
      const running = run(graph, inputs, signal).finally(() => runs.delete(running));
      runs.add(running);
      return running;
    },
    async release() {
      await Promise.allSettled(runs);
      const opened = await Promise.allSettled(sessions.values());
      sessions.clear();
      for (const session of opened) if (session.status === "fulfilled") await session.value.release();
    },
  };
}

function toTensor({ type, shape, data }: GraphTensor): Tensor {
  return type === "int64"
    ? new Tensor("int64", data as BigInt64Array, [...shape])
    : new Tensor("float32", data as Float32Array, [...shape]);
}
