/** An edit thread whose edits fail as their theme says, in ways that no photo should and some day one will. */
import { execFileSync } from "node:child_process";
import { parentPort } from "node:worker_threads";
import type { EditInput, EditOutput } from "../../services/inference/edits/edit.ts";
import { serveEdits } from "../../services/inference/edits/threads/serve-edits.ts";
import { runEdit } from "../../services/inference/edits/tools/run-edit.ts";

export type ThreadFailure =
  | "spins"
  | "hangs"
  | "hangs after predicting"
  | "exits"
  | "fills its heap"
  | "blocks in native code";

const nativeBlockSeconds = 8;

const failures: Readonly<Record<ThreadFailure, (input: EditInput) => Promise<unknown> | unknown>> = {
  spins,
  hangs,
  async "hangs after predicting"(input) {
    await input.models.describe("any");
    hangs();
  },
  exits: () => process.exit(1),
  "fills its heap"() {
    const held: number[][] = [];
    for (;;) held.push(Array.from({ length: 100_000 }, (_, n) => n + held.length));
  },
  // `terminate` cannot interrupt the wait for a child.
  "blocks in native code": () => execFileSync("sleep", [String(nativeBlockSeconds)]),
};

function spins(): never {
  for (;;);
}

/** Blocks the thread as a loop does, and leaves the processor to others. */
function hangs(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0);
}

async function fail(input: EditInput): Promise<EditOutput> {
  const failure = failures[input.parameters.theme as ThreadFailure];
  if (failure === undefined) return await runEdit(input);
  input.onStage("refine");
  await failure(input);
  throw new Error("the failure did not happen");
}

serveEdits(parentPort!, fail);
