/** The main thread's side of one instance: a thread with a session, its shared memory, one run at a time. */
import { Worker } from "node:worker_threads";
import type {
  FreeTensor,
  FromInstance,
  LoadInstance,
  PrepareInstance,
  RowSlab,
  RowTensor,
  ToInstance,
} from "./instance-protocol.ts";

type Loaded = Extract<FromInstance, { kind: "loaded" }>;
type Prepared = Extract<FromInstance, { kind: "prepared" }>;
export interface Ran {
  readonly ms: number;
  readonly outputs?: readonly FreeTensor[];
}

export interface Instance {
  load(options: Omit<LoadInstance, "kind">): Promise<Loaded>;
  /** Lays out the shared memory and warms the buckets. */
  prepare(options: PrepareOptions): Promise<Prepared>;
  /** Where the rows of an input go, from the first row on. */
  inputRows(at: number): Uint8Array;
  /** Runs what lies in the input rows. */
  runRows(bucket: number): Promise<Ran & { readonly outputRows: readonly Uint8Array[] }>;
  runFree(inputs: readonly FreeTensor[]): Promise<Ran>;
  stop(): Promise<void>;
}

export interface PrepareOptions extends Omit<PrepareInstance, "kind" | "inputs" | "outputs"> {
  readonly inputs: readonly RowTensor[];
  readonly outputs: readonly RowTensor[];
}

/** `onDeath`: the thread ended by itself; whatever it held is gone. */
export function startInstance(onDeath: (error: Error) => void): Instance {
  const thread = new Worker(new URL("./instance-thread.ts", import.meta.url), { name: "packshot-instance" });
  let onIdle: (() => void) | null = null;
  let waiting: { resolve(message: FromInstance): void; reject(error: Error): void } | null = null;
  let dead: Error | null = null;
  let stopping = false;
  let inputs: readonly Uint8Array[] = [];
  let outputs: readonly (readonly [Uint8Array, Uint8Array])[] = [];
  let runs = 0;

  thread.on("message", (message: FromInstance) => {
    const asked = waiting;
    waiting = null;
    if (message.kind === "failed") asked?.reject(new Error(message.message));
    else asked?.resolve(message);
    onIdle?.();
  });
  thread.on("error", (error) => die(error instanceof Error ? error : new Error(String(error))));
  thread.on("exit", (code) => die(new Error(`the instance's thread ended with code ${code}`)));

  function die(error: Error): void {
    if (dead) return;
    dead = error;
    waiting?.reject(error);
    waiting = null;
    onIdle?.();
    if (!stopping) onDeath(error);
  }

  function ask<K extends FromInstance["kind"]>(message: ToInstance): Promise<Extract<FromInstance, { kind: K }>> {
    return new Promise((resolve, reject) => {
      if (dead) return reject(dead);
      if (waiting) return reject(new Error("the instance is busy"));
      waiting = { resolve: resolve as (message: FromInstance) => void, reject };
      thread.postMessage(message);
    });
  }

  return {
    load: (options) => ask({ kind: "load", ...options }),
    async prepare(options) {
      const largest = options.buckets.at(-1)!;
      const slab = (tensor: RowTensor, count: number): RowSlab => ({
        ...tensor,
        memory: Array.from({ length: count }, () => new SharedArrayBuffer(tensor.rowBytes * largest)),
      });
      const inputSlabs = options.inputs.map((tensor) => slab(tensor, 1));
      const outputSlabs = options.outputs.map((tensor) => slab(tensor, 2));
      inputs = inputSlabs.map(({ memory }) => new Uint8Array(memory[0]!));
      outputs = outputSlabs.map(({ memory }) => [new Uint8Array(memory[0]!), new Uint8Array(memory[1]!)] as const);
      return await ask<"prepared">({ kind: "prepare", ...options, inputs: inputSlabs, outputs: outputSlabs });
    },
    inputRows: (at) => inputs[at]!,
    async runRows(bucket) {
      runs += 1;
      const side = (runs % 2) as 0 | 1;
      const { ms } = await ask<"ran">({ kind: "run", run: runs, bucket, side });
      return { ms, outputRows: outputs.map((sides) => sides[side]!) };
    },
    async runFree(free) {
      runs += 1;
      return await ask<"ran">({ kind: "run-free", run: runs, inputs: free });
    },
    async stop() {
      if (stopping) return;
      stopping = true;
      // A run cannot be broken off, and a thread that ends in the middle of one may take the process with it.
      if (waiting && !dead) await new Promise<void>((resolve) => (onIdle = resolve));
      if (!dead) await ask({ kind: "stop" }).catch(() => {});
      await thread.terminate();
    },
  };
}
