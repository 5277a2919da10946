/** From a model's file and manifest to the graph that the server runs: bytes in, bytes out. */
import { freeBatch } from "./free-batch.ts";
import { toHalfPrecision } from "./half-precision.ts";
import type { ModelManifest } from "./manifest.ts";
import { decodeModel, encodeModel } from "./onnx-file.ts";
import { isByteGraph, wrapForBytes } from "./wrap-for-bytes.ts";

export interface ServedFile {
  readonly bytes: Uint8Array;
  /** False: the file's own bytes. */
  readonly changed: boolean;
}

/**
 * The bytes to run. A file that already takes bytes (wrap-model-main.ts wrote it, or another tool) is left as it is; a
 * bare network is wrapped as its manifest says; `half` makes either compute in half floats. Without a manifest any graph
 * is served untouched.
 */
export function servedModel(file: Uint8Array, manifest: ModelManifest | null, { half = false } = {}): ServedFile {
  if (manifest === null) return { bytes: file, changed: false };
  const core = decodeModel(file);
  if (isByteGraph(core) && !half) return { bytes: file, changed: false };
  const wrapped = isByteGraph(core) ? core : wrapForBytes(freeBatch(core), manifest.pre, manifest.post);
  return { bytes: encodeModel(half ? toHalfPrecision(wrapped) : wrapped), changed: true };
}
