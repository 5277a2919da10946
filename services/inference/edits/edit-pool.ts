/**
 * Runs edits in worker threads. Composing and encoding hold a core for a second and more; meanwhile the main thread
 * must extend its claims and serve its connections. A thread runs one edit at a time; a thread that dies fails its edit
 * and is replaced.
 */
import { Worker } from "node:worker_threads";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { EditInput, EditOutput } from "./edit.ts";
import type { MessageFromThread, MessageToThread, ModelCall } from "./edit-thread-messages.ts";
import { deserializeError, serializeError } from "./serialized-error.ts";

export interface EditPool extends Component {
  runEdit(input: EditInput): Promise<EditOutput>;
}

/** @param threads how many edits run at once; further edits are queued for a free thread */
export function createEditPool({ threads, logger }: { threads: number; logger: Logger }): EditPool {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const queue: ((thread: Worker) => void)[] = [];
  let stopped = false;

  function startThread(): Worker {
    const thread = new Worker(new URL("./edit-thread.ts", import.meta.url));
    all.add(thread);
    thread.on("error", (error) => logger.error({ err: error }, "an edit thread died"));
    thread.once("exit", () => {
      all.delete(thread);
      const index = idle.indexOf(thread);
      if (index >= 0) idle.splice(index, 1);
      if (!stopped) release(startThread());
    });
    return thread;
  }

  function release(thread: Worker): void {
    const next = queue.shift();
    if (next === undefined) idle.push(thread);
    else next(thread);
  }

  function acquire(): Promise<Worker> {
    const thread = idle.pop();
    return thread === undefined ? new Promise((resolve) => queue.push(resolve)) : Promise.resolve(thread);
  }

  return {
    name: "edit threads",
    async start() {
      for (let n = 0; n < threads; n++) release(startThread());
    },
    async stop() {
      stopped = true;
      await Promise.all([...all].map((thread) => thread.terminate()));
    },
    async runEdit(input) {
      const thread = await acquire();
      const { output, usable } = await runOn(thread, input);
      if (usable) release(thread);
      return await output;
    },
  };
}

interface ThreadRun {
  readonly output: Promise<EditOutput>;
  /** Whether the thread lives and can run another edit; it can after a failed edit, too. */
  readonly usable: boolean;
}

function runOn(thread: Worker, input: EditInput): Promise<ThreadRun> {
  const { models, signal, onStage, ...task } = input;
  const post = (message: MessageToThread) => thread.postMessage(message);

  return new Promise((resolve) => {
    const onAbort = () =>
      post({ kind: "abort", reason: typeof signal.reason === "string" ? signal.reason : "aborted" });
    const finish = (output: Promise<EditOutput>, usable: boolean) => {
      thread.off("message", onMessage).off("exit", onExit);
      signal.removeEventListener("abort", onAbort);
      resolve({ output, usable });
    };
    const onExit = () => finish(Promise.reject(new Error("the edit's thread died")), false);
    const onMessage = (message: MessageFromThread) => {
      if (message.kind === "stage") onStage(message.stage);
      else if (message.kind === "call") void callModel(message.callId, message.call);
      else if (message.kind === "completed") finish(Promise.resolve(withBuffers(message.output)), true);
      else finish(Promise.reject(signal.aborted ? signal.reason : deserializeError(message.error)), true);
    };

    async function callModel(callId: number, call: ModelCall): Promise<void> {
      try {
        const result =
          call.method === "describe"
            ? await models.describe(call.model)
            : await models.predict({ ...call.request, signal });
        post({ kind: "call-completed", callId, result });
      } catch (error) {
        post({ kind: "call-failed", callId, error: serializeError(error) });
      }
    }

    thread.on("message", onMessage).once("exit", onExit);
    signal.addEventListener("abort", onAbort, { once: true });
    post({ kind: "run", task });
    if (signal.aborted) onAbort();
  });
}

/** Restores Buffers, which arrive from a thread as plain Uint8Arrays. */
function withBuffers(output: EditOutput): EditOutput {
  const restore = ({ bytes, ...image }: EditOutput["result"]) => ({
    ...image,
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  });
  return { ...output, result: restore(output.result), thumbnail: restore(output.thumbnail) };
}
