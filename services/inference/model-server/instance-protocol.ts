/** What the main thread and an instance's thread say to each other. Tensors lie in shared memory; messages stay small. */

import type { ModelManifest } from "@packshot/models/manifest.ts";

/** One tensor of a model whose rows all have the same size. */
export interface RowTensor {
  readonly name: string;
  readonly datatype: string;
  /** Without the batch. */
  readonly dims: readonly number[];
  readonly rowBytes: number;
}

export interface RowSlab extends RowTensor {
  /** Room for the largest bucket; outputs have two, used in turn, so that one is read while the next is written. */
  readonly memory: readonly SharedArrayBuffer[];
}

export interface LoadInstance {
  readonly kind: "load";
  readonly file: string;
  /** How the file is wrapped for bytes, if it is not yet; null: it is served as it is. */
  readonly manifest: ModelManifest | null;
  readonly half: boolean;
  readonly providers: readonly ("cpu" | "cuda")[];
  readonly deviceId: number;
  /** Threads inside one operator. */
  readonly threads: number;
  readonly proveProviders: boolean;
}

export interface PrepareInstance {
  readonly kind: "prepare";
  readonly inputs: readonly RowSlab[];
  readonly outputs: readonly RowSlab[];
  readonly buckets: readonly number[];
  readonly hasBatch: boolean;
  readonly warmupRounds: number;
  /** Without a GPU no shape needs a search of its own: warm only while larger buckets earn something. */
  readonly warmAll: boolean;
}

export interface RunRows {
  readonly kind: "run";
  readonly run: number;
  readonly bucket: number;
  /** Which of the outputs' two memories. */
  readonly side: 0 | 1;
}

export interface FreeTensor {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly data: Uint8Array | readonly string[];
}

/** A request whose shapes are its own. */
export interface RunFree {
  readonly kind: "run-free";
  readonly run: number;
  readonly inputs: readonly FreeTensor[];
}

export type ToInstance = LoadInstance | PrepareInstance | RunRows | RunFree | { readonly kind: "stop" };

export interface GraphTensor {
  readonly name: string;
  readonly datatype: string | null;
  /** -1 is free. */
  readonly shape: readonly number[];
}

export interface ProviderProof {
  readonly provider: string;
  readonly nodes: number;
  /** Kinds of operators it took. */
  readonly operators: readonly string[];
}

export type FromInstance =
  | {
      readonly kind: "loaded";
      readonly inputs: readonly GraphTensor[];
      readonly outputs: readonly GraphTensor[];
      readonly proof: readonly ProviderProof[];
    }
  | {
      readonly kind: "prepared";
      readonly warmed: readonly { readonly bucket: number; readonly ms: readonly number[] }[];
      readonly dropped: readonly { readonly bucket: number; readonly reason: string }[];
    }
  | { readonly kind: "ran"; readonly run: number; readonly ms: number; readonly outputs?: readonly FreeTensor[] }
  | { readonly kind: "failed"; readonly run: number | null; readonly message: string }
  | { readonly kind: "stopped" };
