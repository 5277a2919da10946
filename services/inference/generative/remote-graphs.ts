/**
 * Graphs of an image model that another server runs, Triton or any other of the Open Inference Protocol, each as a model of its own
 * (docs/triton.md). Such a server checks no token.
 */
import { graphModelName } from "@packshot/models/pipeline-tensors.ts";
import { callUnary, openChannel, type StatusName, statusNameOf } from "../model-client/grpc-channel.ts";
import type { GraphTensor } from "./graph-runner.ts";
import type { OnnxGraphs } from "./onnx-graphs.ts";

interface Metadata {
  readonly outputs: readonly { readonly name: string; readonly datatype: string }[];
}

interface Answer {
  readonly outputs: readonly { readonly shape: readonly (string | number)[]; readonly datatype: string }[];
  readonly raw_output_contents: readonly Uint8Array[];
}

/** Its message names the server's address: it is for the log, not for those who ask for pictures. */
export class GraphServerError extends Error {
  /** The server is out of reach, or has not loaded the graph: the picture is not at fault. */
  readonly isAway: boolean;

  constructor(message: string, { isAway, cause }: { readonly isAway: boolean; readonly cause?: unknown }) {
    super(message, { cause });
    this.isAway = isAway;
  }
}

const statusesOfAway: readonly StatusName[] = ["UNAVAILABLE", "DEADLINE_EXCEEDED", "NOT_FOUND"];

const describeTimeoutMs = 10_000;
/** A graph of an image model that takes longer than this has stopped. */
const runTimeoutMs = 120_000;

/** @param model the image model's name */
export function openRemoteGraphs(address: string, model: string): OnnxGraphs {
  const { inference, health } = openChannel(address);
  const outputs = new Map<string, string>();

  async function call<A>(method: string, message: object, timeoutMs: number, signal?: AbortSignal): Promise<A> {
    const options = { deadlineAtMs: Date.now() + timeoutMs, ...(signal && { signal }) };
    return await callUnary<A>(inference, method, message, options).catch((cause: Error) => {
      signal?.throwIfAborted();
      const isAway = statusesOfAway.includes(statusNameOf(cause));
      throw new GraphServerError(`the graph server ${address}: ${cause.message}`, { isAway, cause });
    });
  }

  async function outputOf(graph: string): Promise<string> {
    const known = outputs.get(graph);
    if (known !== undefined) return known;
    const name = graphModelName(model, graph);
    const metadata = await call<Metadata>("ModelMetadata", { name }, describeTimeoutMs);
    const [first] = metadata.outputs;
    if (first?.datatype !== "FP32")
      throw new GraphServerError(`the graph server ${address}: ${name} answers ${first?.datatype}`, { isAway: false });
    outputs.set(graph, first.name);
    return first.name;
  }

  return {
    async load(graphs) {
      for (const graph of graphs) await outputOf(graph);
    },
    async run(graph, inputs, signal) {
      signal.throwIfAborted();
      const entries = Object.entries(inputs);
      const request = {
        model_name: graphModelName(model, graph),
        inputs: entries.map(([name, { type, shape }]) => ({
          name,
          datatype: type === "int64" ? "INT64" : "FP32",
          shape: [...shape],
        })),
        outputs: [{ name: await outputOf(graph) }],
        raw_input_contents: entries.map(([, { data }]) => Buffer.from(data.buffer, data.byteOffset, data.byteLength)),
      };
      const { outputs: said, raw_output_contents: raw } = await call<Answer>(
        "ModelInfer",
        request,
        runTimeoutMs,
        signal,
      );
      return toFloats(graph, said[0]?.shape ?? [], raw[0]);
    },
    async release() {
      inference.close();
      health.close();
    },
  };
}

function toFloats(graph: string, shape: readonly (string | number)[], bytes: Uint8Array | undefined): GraphTensor {
  const sizes = shape.map(Number);
  const count = sizes.reduce((product, size) => product * size, 1);
  if (bytes?.byteLength !== 4 * count)
    throw new Error(`the graph ${graph} answers ${bytes?.byteLength ?? 0} bytes for [${sizes.join(", ")}]`);
  // A copy, because the bytes of an answer begin anywhere.
  return { type: "float32", shape: sizes, data: new Float32Array(Uint8Array.from(bytes).buffer) };
}
