/** The port through which a pipeline runs a model's graphs, wherever they are. */

export interface GraphTensor {
  readonly type: "float32" | "int64";
  readonly shape: readonly number[];
  readonly data: Float32Array | BigInt64Array;
}

export interface GraphRunner {
  /** The only output of the graph. Rejects with the signal's reason if it is aborted before the graph has begun. */
  run(graph: string, inputs: Readonly<Record<string, GraphTensor>>, signal: AbortSignal): Promise<GraphTensor>;
}

/** A graph has answered what is no number: another seed may do better. */
export class BrokenAnswer extends Error {}

export function floats(data: Float32Array, shape: readonly number[]): GraphTensor {
  return { type: "float32", shape, data };
}

export function integers(data: readonly number[], shape: readonly number[]): GraphTensor {
  return { type: "int64", shape, data: BigInt64Array.from(data, BigInt) };
}

/** Runs a graph whose output is of floats that are numbers, of which there must be so many. */
export async function runForFloats(
  { graphs, signal }: { readonly graphs: GraphRunner; readonly signal: AbortSignal },
  graph: string,
  inputs: Readonly<Record<string, GraphTensor>>,
  count?: number,
): Promise<Float32Array> {
  signal.throwIfAborted();
  const { data } = await graphs.run(graph, inputs, signal);
  if (!(data instanceof Float32Array)) throw new Error(`the graph ${graph} answers no floats`);
  if (count !== undefined && data.length !== count)
    throw new Error(`the graph ${graph} answers ${data.length} values, not ${count}`);
  const broken = data.findIndex((value) => !Number.isFinite(value));
  if (broken >= 0) throw new BrokenAnswer(`the graph ${graph} answers ${data[broken]}`);
  return data;
}
