/** One thread that paints pictures by an image model, as the main thread sees it. */
import { Worker } from "node:worker_threads";
import type { RunControl } from "./execute-batch.ts";
import { InferError } from "./infer-error.ts";
import type {
  LoadPipeline,
  MessageFromPipeline,
  MessageToPipeline,
  PaintPicture,
  PipelineFault,
} from "./pipeline-thread.ts";

export interface PaintedPicture {
  readonly ms: number;
  /** RGB, 0 to 255, of the reference's size. */
  readonly picture: Uint8Array;
}

export interface PipelineInstance {
  /** Rejects with UNAVAILABLE, as `paint` does, where the graphs' server is away. */
  load(options: Omit<LoadPipeline, "kind">): Promise<void>;
  /**
   * Rejects with an InferError: DATA_LOSS where the graphs answer no numbers, CANCELLED once the signal is heeded, UNAVAILABLE or INTERNAL
   * where the graphs' server is away or fails. The cause alone names that server.
   */
  paint(request: Omit<PaintPicture, "kind">, control: RunControl): Promise<PaintedPicture>;
  /** Ends after the step that runs. */
  stop(): Promise<void>;
}

/** `onExit` is called when the thread ends by itself. */
export function startPipelineInstance(onExit: (error: Error) => void): PipelineInstance {
  const thread = new Worker(new URL("./pipeline-thread.ts", import.meta.url), { name: "packshot-pipeline" });
  let pending: PromiseWithResolvers<MessageFromPipeline> | null = null;
  let onStep: RunControl["onStep"] = () => {};
  let failure: Error | null = null;
  let stopping: Promise<void> | null = null;

  const post = (message: MessageToPipeline) => thread.postMessage(message);

  thread.on("message", (message: MessageFromPipeline) => {
    if (message.kind === "step") return onStep(message.done, message.steps);
    const request = pending;
    pending = null;
    request?.resolve(message);
  });
  thread.on("error", (error) => fail(error instanceof Error ? error : new Error(String(error))));
  thread.on("exit", (code) => fail(new Error(`the pipeline's thread ended with code ${code}`)));

  function fail(error: Error): void {
    if (failure) return;
    failure = error;
    pending?.reject(error);
    pending = null;
    if (!stopping) onExit(error);
  }

  async function request(message: MessageToPipeline): Promise<MessageFromPipeline> {
    if (failure) throw failure;
    if (pending) throw new Error("the pipeline is busy");
    pending = Promise.withResolvers();
    const answer = pending.promise;
    post(message);
    const answered = await answer;
    if (answered.kind !== "failed") return answered;
    throw errorOf(answered.fault, answered.message);
  }

  return {
    async load(options) {
      await request({ kind: "load", ...options });
    },
    async paint(picture, control) {
      onStep = control.onStep;
      const abort = () => post({ kind: "abort" });
      control.signal.addEventListener("abort", abort, { once: true });
      try {
        const answer = request({ kind: "paint", ...picture });
        if (control.signal.aborted) abort();
        return (await answer) as Extract<MessageFromPipeline, { kind: "painted" }>;
      } catch (error) {
        throw control.signal.aborted ? new InferError("CANCELLED", "the picture was given up", error) : error;
      } finally {
        control.signal.removeEventListener("abort", abort);
      }
    },
    stop() {
      stopping ??= (async () => {
        // Terminating a thread during a run may crash the process.
        if (pending) await pending.promise.catch(() => {});
        if (!failure) await request({ kind: "stop" }).catch(() => {});
        await thread.terminate();
      })();
      return stopping;
    },
  };
}

function errorOf(fault: PipelineFault, message: string): Error {
  const cause = new Error(message);
  switch (fault) {
    case "no_number":
      return new InferError("DATA_LOSS", message);
    case "server_away":
      return new InferError("UNAVAILABLE", "the graph server is away", cause);
    case "server_failed":
      return new InferError("INTERNAL", "the graph server has failed", cause);
    case "other":
      return cause;
  }
}
