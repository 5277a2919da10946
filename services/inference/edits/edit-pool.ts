/**
 * Edits in threads of their own: composing and encoding hold a core for a second and more, and meanwhile the main
 * thread must keep its claims alive and its connections answered. One edit per thread; a thread that dies fails its edit
 * and is replaced.
 */
import { Worker } from "node:worker_threads";
import type { Component } from "@packshot/platform/lifecycle/run.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { EditInput, EditOutput } from "./edit.ts";
import type { MessageFromThread, ModelCall, MessageToThread } from "./edit-thread-messages.ts";
import { deserializeError, serializeError } from "./serialized-error.ts";

export interface EditPool extends Component {
  runEdit(input: EditInput): Promise<EditOutput>;
}

/** `threads`: how many edits run at once; more wait for a free thread. */
export function createEditPool({ threads, logger }: { threads: number; logger: Logger }): EditPool {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const waiting: ((thread: Worker) => void)[] = [];
  let stopped = false;

  function startThread(): Worker {
    const thread = new Worker(new URL("./edit-thread.ts", import.meta.url));
    all.add(thread);
    thread.on("error", (error) => logger.error({ err: error }, "an edit thread died"));
    thread.once("exit", () => {
      all.delete(thread);
      const place = idle.indexOf(thread);
      if (place >= 0) idle.splice(place, 1);
      if (!stopped) release(startThread());
    });
    return thread;
  }

  function release(thread: Worker): void {
    const next = waiting.shift();
    if (next === undefined) idle.push(thread);
    else next(thread);
  }

  function acquire(): Promise<Worker> {
    const thread = idle.pop();
    return thread === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(thread);
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

/** `usable`: the thread lives and is free again, whatever became of the edit. */
function runOn(thread: Worker, input: EditInput): Promise<{ output: Promise<EditOutput>; usable: boolean }> {
  const { models, signal, onStage, ...order } = input;
  const post = (message: MessageToThread) => thread.postMessage(message);

  return new Promise((resolve) => {
    const onAbort = () =>
      post({ kind: "abort", reason: typeof signal.reason === "string" ? signal.reason : "aborted" });
    const settle = (output: Promise<EditOutput>, usable: boolean) => {
      thread.off("message", onMessage).off("exit", onExit);
      signal.removeEventListener("abort", onAbort);
      resolve({ output, usable });
    };
    const onExit = () => settle(Promise.reject(new Error("the edit's thread died")), false);
    const onMessage = (message: MessageFromThread) => {
      if (message.kind === "stage") onStage(message.stage);
      else if (message.kind === "call") void answer(message.call, message.what);
      else if (message.kind === "done") settle(Promise.resolve(withBuffers(message.output)), true);
      else settle(Promise.reject(signal.aborted ? signal.reason : deserializeError(message.fault)), true);
    };

    async function answer(call: number, what: ModelCall): Promise<void> {
      try {
        const answer =
          what.method === "describe"
            ? await models.describe(what.model)
            : await models.predict({ ...what.request, signal });
        post({ kind: "answer", call, answer });
      } catch (error) {
        post({ kind: "refusal", call, fault: serializeError(error) });
      }
    }

    thread.on("message", onMessage).once("exit", onExit);
    signal.addEventListener("abort", onAbort, { once: true });
    post({ kind: "run", order });
    if (signal.aborted) onAbort();
  });
}

/** A Buffer crosses as a plain Uint8Array. */
function withBuffers(output: EditOutput): EditOutput {
  const asBuffer = ({ bytes, ...picture }: EditOutput["result"]) => ({
    ...picture,
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  });
  return { ...output, result: asBuffer(output.result), thumbnail: asBuffer(output.thumbnail) };
}
