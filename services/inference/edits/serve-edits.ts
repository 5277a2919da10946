/** Serves edits in a thread, one at a time. Models are called through the main thread, which holds the connection. */
import type { MessagePort } from "node:worker_threads";
import type { ModelClient } from "../model-client/model-client.ts";
import type { EditInput, EditOutput } from "./edit.ts";
import type { EditTask, MessageFromThread, MessageToThread, ModelCall, ModelResult } from "./edit-thread-messages.ts";
import { deserializeError, serializeError } from "./serialized-error.ts";

interface PendingCall {
  readonly resolve: (result: ModelResult) => void;
  readonly reject: (error: unknown) => void;
}

export function serveEdits(port: MessagePort, runEdit: (input: EditInput) => Promise<EditOutput>): void {
  const pendingCalls = new Map<number, PendingCall>();
  let callCount = 0;
  let abort = new AbortController();

  function post(message: MessageFromThread): void {
    port.postMessage(message);
  }

  function callModel<Result extends ModelResult>(call: ModelCall): Promise<Result> {
    callCount += 1;
    const callId = callCount;
    return new Promise<Result>((resolve, reject) => {
      pendingCalls.set(callId, { resolve: resolve as (result: ModelResult) => void, reject });
      post({ kind: "call", callId, call });
    });
  }

  const models: ModelClient = {
    describe: (model) => callModel({ method: "describe", model }),
    predict: ({ signal: _, ...request }) => callModel({ method: "predict", request }),
  };

  async function run(task: EditTask): Promise<void> {
    post({ kind: "taken" });
    abort = new AbortController();
    const { signal } = abort;
    try {
      const output = await runEdit({ ...task, models, signal, onStage: (stage) => post({ kind: "stage", stage }) });
      post({ kind: "completed", output });
    } catch (error) {
      post({ kind: "failed", error: serializeError(error) });
    }
  }

  port.on("message", (message: MessageToThread) => {
    if (message.kind === "run") return void run(message.task);
    if (message.kind === "abort") {
      abort.abort(message.reason);
      // The edit ends now, whether or not the model still completes the calls.
      for (const { reject } of pendingCalls.values()) reject(message.reason);
      pendingCalls.clear();
      return;
    }
    const pending = pendingCalls.get(message.callId);
    pendingCalls.delete(message.callId);
    if (message.kind === "call-completed") pending?.resolve(message.result);
    else pending?.reject(deserializeError(message.error));
  });
}
