/** A thread that runs one edit at a time; models are called through the main thread, which has the connection. */
import { parentPort } from "node:worker_threads";
import type { ModelClient } from "../model-client/model-client.ts";
import type { EditTask, MessageFromThread, ModelResult, ModelCall, MessageToThread } from "./edit-thread-messages.ts";
import { deserializeError, serializeError } from "./serialized-error.ts";
import { runEdit } from "./run-edit.ts";

const port = parentPort!;
const calls = new Map<number, { resolve: (answer: ModelResult) => void; reject: (error: unknown) => void }>();
let callCount = 0;
let abort = new AbortController();

function say(message: MessageFromThread, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

function call<A extends ModelResult>(what: ModelCall): Promise<A> {
  callCount += 1;
  const number = callCount;
  return new Promise<A>((resolve, reject) => {
    calls.set(number, { resolve: resolve as (answer: ModelResult) => void, reject });
    say({ kind: "call", call: number, what });
  });
}

const models: ModelClient = {
  describe: (model) => call({ method: "describe", model }),
  predict: ({ signal: _, ...request }) => call({ method: "predict", request }),
};

async function run(order: EditTask): Promise<void> {
  abort = new AbortController();
  const { signal } = abort;
  try {
    const output = await runEdit({ ...order, models, signal, onStage: (stage) => say({ kind: "stage", stage }) });
    say({ kind: "done", output });
  } catch (error) {
    say({ kind: "failed", fault: serializeError(error) });
  }
}

port.on("message", (message: MessageToThread) => {
  if (message.kind === "run") return void run(message.order);
  if (message.kind === "abort") {
    abort.abort(message.reason);
    // Nobody waits for the model any more, whether or not it still answers.
    for (const { reject } of calls.values()) reject(message.reason);
    calls.clear();
    return;
  }
  const waiting = calls.get(message.call);
  calls.delete(message.call);
  if (message.kind === "answer") waiting?.resolve(message.answer);
  else waiting?.reject(deserializeError(message.fault));
});
