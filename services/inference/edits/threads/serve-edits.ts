/** Serves edits in a thread, one at a time. Models are called through the main thread, which holds the connection. */
import type { MessagePort } from "node:worker_threads";
import type { ModelClient } from "../../model-client/model-client.ts";
import type { Painter, PaintRequest } from "../../model-client/painter.ts";
import type { EditInput, EditOutput } from "../edit.ts";
import { deserializeError, serializeError } from "../serialized-error.ts";
import type { EditTask, MessageFromThread, MessageToThread, ModelCall, ModelResult } from "./edit-thread-messages.ts";

interface PendingCall {
  readonly resolve: (result: ModelResult) => void;
  readonly reject: (error: unknown) => void;
  readonly onStep: OnStep | undefined;
}

type OnStep = PaintRequest["onStep"];

export function serveEdits(port: MessagePort, runEdit: (input: EditInput) => Promise<EditOutput>): void {
  const pendingCalls = new Map<number, PendingCall>();
  let callCount = 0;
  let abort = new AbortController();

  function post(message: MessageFromThread): void {
    port.postMessage(message);
  }

  function callModel<Result extends ModelResult>(call: ModelCall, onStep?: OnStep): Promise<Result> {
    callCount += 1;
    const callId = callCount;
    return new Promise<Result>((resolve, reject) => {
      pendingCalls.set(callId, { resolve: resolve as (result: ModelResult) => void, reject, onStep });
      post({ kind: "call", callId, call });
    });
  }

  const models: ModelClient = {
    describe: (model) => callModel({ method: "describe", model }),
    predict: ({ signal: _, ...request }) => callModel({ method: "predict", request }),
  };

  const painter: Painter = {
    describe: () => callModel({ method: "describePainter" }),
    paint: ({ signal: _, onStep, ...request }) => callModel({ method: "paint", request }, onStep),
  };

  async function run({ hasPainter, ...task }: EditTask): Promise<void> {
    post({ kind: "taken" });
    abort = new AbortController();
    const { signal } = abort;
    try {
      const onStage: EditInput["onStage"] = (stage, done) => post({ kind: "stage", stage, done });
      const onFrame: EditInput["onFrame"] = (frame) => post({ kind: "frame", frame });
      const output = await runEdit({ ...task, models, ...(hasPainter && { painter }), signal, onStage, onFrame });
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
    if (message.kind === "call-step") return pending?.onStep?.(message.done.step, message.done.steps);
    pendingCalls.delete(message.callId);
    if (message.kind === "call-completed") pending?.resolve(message.result);
    else pending?.reject(deserializeError(message.error));
  });
}
