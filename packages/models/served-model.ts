/** From a model's file and manifest to the graph that the server runs: bytes in, bytes out. */
import { decodeModel, encodeModel } from "./onnx-file.ts";
import type { ModelManifest } from "./manifest.ts";
import { isByteGraph, wrapForBytes } from "./wrap-for-bytes.ts";

/**
 * The bytes to run. A file that already takes bytes (`packshot models wrap` wrote it, or another tool) is returned as
 * it is; a bare network is wrapped as its manifest says. Without a manifest any graph is served untouched.
 */
export function servedModel(file: Uint8Array, manifest: ModelManifest | null): { bytes: Uint8Array; wrapped: boolean } {
  if (manifest === null) return { bytes: file, wrapped: false };
  const core = decodeModel(file);
  if (isByteGraph(core)) return { bytes: file, wrapped: false };
  return { bytes: encodeModel(wrapForBytes(core, manifest.pre, manifest.post)), wrapped: true };
}
