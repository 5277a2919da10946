/** The main thread's side of one model instance: a thread with its sessions, their shared memory and one run at a time. */
import { Worker } from "node:worker_threads";
import { silenceRuntime } from "@packshot/platform/config/silence-runtime.ts";
import type {
  InferTensor,
  LoadInstance,
  MessageFromInstance,
  MessageToInstance,
  PrepareInstance,
  RowTensor,
  SharedRowTensor,
} from "./instance-protocol.ts";

type Loaded = Extract<MessageFromInstance, { kind: "loaded" }>;
type Prepared = Extract<MessageFromInstance, { kind: "prepared" }>;
export interface Ran {
  readonly ms: number;
  readonly outputs?: readonly InferTensor[];
}

export interface Instance {
  load(options: Omit<LoadInstance, "kind">): Promise<Loaded>;
  /** Allocates the shared memory and warms the buckets. */
  prepare(options: PrepareOptions): Promise<Prepared>;
  /** Gives up all other buckets. */
  keep(buckets: readonly number[]): Promise<void>;
  /** The buffer for an input's rows. */
  inputRows(index: number): Uint8Array;
  /** Runs the rows that the input buffers hold. */
  runRows(bucket: number): Promise<Ran & { readonly outputRows: readonly Uint8Array[] }>;
  runDynamic(inputs: readonly InferTensor[]): Promise<Ran>;
  stop(): Promise<void>;
}

export interface PrepareOptions extends Omit<PrepareInstance, "kind" | "inputs" | "outputs"> {
  readonly inputs: readonly RowTensor[];
  readonly outputs: readonly RowTensor[];
}

/** `onExit` is called when the thread ends by itself; its session is lost then. */
export function startInstance(onExit: (error: Error) => void): Instance {
  silenceRuntime();
  const thread = new Worker(new URL("./instance-thread.ts", import.meta.url), { name: "packshot-instance" });
  let onIdle: (() => void) | null = null;
  let pending: { resolve(message: MessageFromInstance): void; reject(error: Error): void } | null = null;
  let failure: Error | null = null;
  let stopping = false;
  let inputs: readonly Uint8Array[] = [];
  let outputs: readonly (readonly [Uint8Array, Uint8Array])[] = [];
  let runs = 0;

  thread.on("message", (message: MessageFromInstance) => {
    const request = pending;
    pending = null;
    if (message.kind === "failed") request?.reject(new Error(message.message));
    else request?.resolve(message);
    onIdle?.();
  });
  thread.on("error", (error) => fail(error instanceof Error ? error : new Error(String(error))));
  thread.on("exit", (code) => fail(new Error(`the instance's thread ended with code ${code}`)));

  function fail(error: Error): void {
    if (failure) return;
    failure = error;
    pending?.reject(error);
    pending = null;
    onIdle?.();
    if (!stopping) onExit(error);
  }

  function request<K extends MessageFromInstance["kind"]>(
    message: MessageToInstance,
  ): Promise<Extract<MessageFromInstance, { kind: K }>> {
    return new Promise((resolve, reject) => {
      if (failure) return reject(failure);
      if (pending) return reject(new Error("the instance is busy"));
      pending = { resolve: resolve as (message: MessageFromInstance) => void, reject };
      thread.postMessage(message);
    });
  }

  return {
    load: (options) => request({ kind: "load", ...options }),
    async prepare(options) {
      const largest = options.buckets.at(-1)!;
      const share = (tensor: RowTensor, count: number): SharedRowTensor => ({
        ...tensor,
        memory: Array.from({ length: count }, () => new SharedArrayBuffer(tensor.rowBytes * largest)),
      });
      const sharedInputs = options.inputs.map((tensor) => share(tensor, 1));
      const sharedOutputs = options.outputs.map((tensor) => share(tensor, 2));
      inputs = sharedInputs.map(({ memory }) => new Uint8Array(memory[0]!));
      outputs = sharedOutputs.map(({ memory }) => [new Uint8Array(memory[0]!), new Uint8Array(memory[1]!)] as const);
      return await request<"prepared">({ kind: "prepare", ...options, inputs: sharedInputs, outputs: sharedOutputs });
    },
    async keep(buckets) {
      await request<"kept">({ kind: "keep", buckets });
    },
    inputRows: (index) => inputs[index]!,
    async runRows(bucket) {
      runs += 1;
      const outputBuffer = (runs % 2) as 0 | 1;
      const { ms } = await request<"ran">({ kind: "run", run: runs, bucket, outputBuffer });
      return { ms, outputRows: outputs.map((buffers) => buffers[outputBuffer]!) };
    },
    async runDynamic(inputs) {
      runs += 1;
      return await request<"ran">({ kind: "run-dynamic", run: runs, inputs });
    },
    async stop() {
      if (stopping) return;
      stopping = true;
      // A run cannot be interrupted, and terminating a thread during a run may crash the process.
      if (pending && !failure) await new Promise<void>((resolve) => (onIdle = resolve));
      if (!failure) await request({ kind: "stop" }).catch(() => {});
      await thread.terminate();
    },
  };
}
