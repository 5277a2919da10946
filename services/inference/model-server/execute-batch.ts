/** Runs one batch on an instance: copies the requests' rows in, runs the session and slices its outputs by request. */
import type { CheckedRequest } from "./infer-request.ts";
import type { Instance } from "./instance.ts";
import type { InferTensor, RowTensor } from "./instance-protocol.ts";

/** The tensors of a model whose rows all have the same size. */
export interface RowTensors {
  readonly inputs: readonly RowTensor[];
  readonly outputs: readonly RowTensor[];
}

export interface ExecutedBatch {
  readonly inputMs: number;
  readonly inferMs: number;
  /** Each request's outputs. Reads the instance's output memory, so it must be called before the run after the next. */
  outputs(): (readonly InferTensor[])[];
}

/**
 * Requests share the bucket's memory, one behind the other. `hasBatch`: the model's shapes begin with the batch size.
 */
async function executeRows(
  instance: Instance,
  bucket: number,
  requests: readonly CheckedRequest[],
  { rowTensors, hasBatch }: { rowTensors: RowTensors; hasBatch: boolean },
): Promise<ExecutedBatch> {
  const startedAt = performance.now();
  for (const [index, { rowBytes }] of rowTensors.inputs.entries()) {
    const rows = instance.inputRows(index);
    let at = 0;
    for (const { rows: count, inputs } of requests) {
      rows.set(inputs[index]!.data as Uint8Array, at);
      at += count * rowBytes;
    }
    // The padding keeps the bytes of earlier runs, because its outputs are never read.
  }
  const inputMs = performance.now() - startedAt;
  const { ms, outputRows } = await instance.runRows(bucket);
  return {
    inputMs,
    inferMs: ms,
    outputs() {
      let row = 0;
      return requests.map(({ rows }) => {
        const first = row;
        row += rows;
        return rowTensors.outputs.map(({ name, datatype, dims, rowBytes }, index) => ({
          name,
          datatype,
          shape: hasBatch ? [rows, ...dims] : [...dims],
          // A copy, because the memory is written again by the run after the next.
          data: Buffer.from(outputRows[index]!.subarray(first * rowBytes, row * rowBytes)),
        }));
      });
    },
  };
}

/** What a run of several steps heeds and reports; a run of one graph cannot be interrupted. */
export interface RunControl {
  /** Aborted when the run's only request is cancelled or past its deadline. */
  readonly signal: AbortSignal;
  readonly onStep: (done: number, steps: number) => void;
}

export interface BatchRun {
  readonly bucket: number;
  readonly requests: readonly CheckedRequest[];
  readonly control: RunControl;
}

export type Execute<I> = (instance: I, run: BatchRun) => Promise<ExecutedBatch>;

/** @param rowTensors null: the shapes are dynamic, so a request runs alone */
export function executeGraph(rowTensors: RowTensors | null, hasBatch: boolean): Execute<Instance> {
  return async (instance, { bucket, requests }) => {
    if (rowTensors !== null) return await executeRows(instance, bucket, requests, { rowTensors, hasBatch });
    const { ms, outputs } = await instance.runDynamic(requests[0]!.inputs);
    return { inputMs: 0, inferMs: ms, outputs: () => [outputs!] };
  };
}
