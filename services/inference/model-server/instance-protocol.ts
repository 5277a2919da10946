/**
 * The messages between the main thread and an instance's thread. Tensors are in shared memory, so messages stay small.
 */

import type { ModelManifest } from "@packshot/models/manifest.ts";
import type { WarmedBuckets } from "./bucket-sessions.ts";
import type { SessionPlace } from "./session-options.ts";

/** One tensor of a model whose rows all have the same size. */
export interface RowTensor {
  readonly name: string;
  readonly datatype: string;
  /** Without the batch. */
  readonly dims: readonly number[];
  readonly rowBytes: number;
}

export interface SharedRowTensor extends RowTensor {
  /**
   * Buffers for the largest bucket. Outputs have two that alternate, so that one is read while the other is written.
   */
  readonly memory: readonly SharedArrayBuffer[];
}

export interface LoadInstance extends SessionPlace {
  readonly kind: "load";
  readonly file: string;
  /** Says how the file is wrapped for bytes unless it is already; null: the file is served as it is. */
  readonly manifest: ModelManifest | null;
  readonly halfPrecision: boolean;
  readonly reportPlacements: boolean;
}

export interface PrepareInstance {
  readonly kind: "prepare";
  readonly inputs: readonly SharedRowTensor[];
  readonly outputs: readonly SharedRowTensor[];
  readonly buckets: readonly number[];
  readonly hasBatch: boolean;
  readonly warmupRounds: number;
}

/** Another instance of the version has no room for the other buckets, so none of them is served. */
export interface KeepBuckets {
  readonly kind: "keep";
  readonly buckets: readonly number[];
}

export interface RunRows {
  readonly kind: "run";
  readonly run: number;
  readonly bucket: number;
  /** Which of the outputs' two buffers. */
  readonly outputBuffer: 0 | 1;
}

export interface InferTensor {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly data: Uint8Array | readonly string[];
}

/** One request with dynamic shapes. */
export interface RunDynamic {
  readonly kind: "run-dynamic";
  readonly run: number;
  readonly inputs: readonly InferTensor[];
}

export type MessageToInstance =
  | LoadInstance
  | PrepareInstance
  | KeepBuckets
  | RunRows
  | RunDynamic
  | { readonly kind: "stop" };

export interface GraphTensor {
  readonly name: string;
  readonly datatype: string | null;
  /** -1: any size. */
  readonly shape: readonly number[];
}

export interface NodePlacement {
  readonly provider: string;
  readonly nodes: number;
  /** Operator types of those nodes. */
  readonly operators: readonly string[];
}

export type MessageFromInstance =
  | {
      readonly kind: "loaded";
      readonly inputs: readonly GraphTensor[];
      readonly outputs: readonly GraphTensor[];
      readonly placements: readonly NodePlacement[];
    }
  | ({ readonly kind: "prepared" } & WarmedBuckets)
  | { readonly kind: "kept" }
  | { readonly kind: "ran"; readonly run: number; readonly ms: number; readonly outputs?: readonly InferTensor[] }
  | { readonly kind: "failed"; readonly run: number | null; readonly message: string }
  | { readonly kind: "stopped" };
