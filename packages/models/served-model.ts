/** Makes the graph that the server runs, with bytes in and bytes out, from a model's file and manifest. */
import { makeBatchDynamic } from "./dynamic-batch.ts";
import { toHalfPrecision } from "./half-precision.ts";
import type { ModelManifest } from "./manifest.ts";
import { decodeModel, encodeModel } from "./onnx-file.ts";
import { isByteGraph, wrapForBytes } from "./wrap-for-bytes.ts";

export interface ServedFile {
  readonly bytes: Uint8Array;
  /** False: `bytes` is the file itself. */
  readonly changed: boolean;
}

/**
 * The model to run. A file that takes bytes already (written by wrap-model-main.ts or another tool) is not changed. A
 * bare network is wrapped as its manifest says. `halfPrecision` makes either one compute in half floats. Without a
 * manifest any graph is served unchanged.
 */
export function servedModel(
  file: Uint8Array,
  manifest: ModelManifest | null,
  { halfPrecision = false } = {},
): ServedFile {
  if (manifest === null) return { bytes: file, changed: false };
  const core = decodeModel(file);
  if (isByteGraph(core) && !halfPrecision) return { bytes: file, changed: false };
  const wrapped = isByteGraph(core) ? core : wrapForBytes(makeBatchDynamic(core), manifest.pre, manifest.post);
  return { bytes: encodeModel(halfPrecision ? toHalfPrecision(wrapped) : wrapped), changed: true };
}
