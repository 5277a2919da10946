/** Fuzzes one target of the main thread's choice for a time, and tells of each input before it is tried. */
import { parentPort, workerData } from "node:worker_threads";
import { fuzz } from "./coverage-fuzzer.ts";
import { targets } from "./targets.ts";

export interface FuzzOrder {
  readonly name: string;
  readonly seed: number;
  readonly milliseconds: number;
  /** The input that is tried: how many there were, its length, then its bytes. */
  readonly tried: SharedArrayBuffer;
}

export interface FuzzReport {
  readonly runs: number;
  readonly kept: number;
  readonly functions: number;
  readonly findings: readonly { readonly input: Uint8Array; readonly text: string }[];
}

const { name, seed, milliseconds, tried } = workerData as FuzzOrder;
const numbers = new Int32Array(tried, 0, 2);
const bytes = new Uint8Array(tried, numbers.byteLength);
const endMs = performance.now() + milliseconds;
const result = await fuzz(targets.find((target) => target.name === name)!, {
  seed,
  runsMax: Number.POSITIVE_INFINITY,
  isEnough: () => performance.now() >= endMs,
  onInput(input) {
    bytes.set(input);
    numbers[1] = input.length;
    Atomics.add(numbers, 0, 1);
  },
});
const findings = result.findings.map(({ input, error }) => ({
  input: new Uint8Array(input),
  text: error instanceof Error ? (error.stack ?? error.message) : String(error),
}));
parentPort!.postMessage({ ...result, findings } satisfies FuzzReport);
