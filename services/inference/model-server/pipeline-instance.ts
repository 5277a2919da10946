/** The thread that paints pictures by an image model, as the main thread sees it. Several may be painted at once. */
import { Worker } from "node:worker_threads";
import { silenceRuntime } from "@packshot/platform/config/silence-runtime.ts";
import type { RunControl } from "./execute-batch.ts";
import { InferError } from "./infer-error.ts";
import type {
  AnswerFromPipeline,
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
  paint(request: Omit<PaintPicture, "kind" | "id">, control: RunControl): Promise<PaintedPicture>;
  /** Waits for the pictures that are painted, and leaves a thread that hangs to the process's end; may be called again. */
  stop(): Promise<void>;
}

export interface PipelineInstanceDeps {
  /** Called when the thread ends by itself. */
  readonly onExit: (error: Error) => void;
  /** A step of so many pictures has run. */
  readonly onStepRan: (pictures: number) => void;
  readonly onBatchFailed: (failed: Omit<Extract<MessageFromPipeline, { kind: "batchFailed" }>, "kind">) => void;
  /** A graph that still runs so long after its picture was given up has stopped. */
  readonly hungAfterMs: number;
}

/**
 * A graph runs in native code, which nothing interrupts, and memory of a device is given back by the end of its process alone: the
 * thread is not replaced. Whoever waits for the thread, as `process.exit` does, waits with it.
 */
export class PipelineHung extends InferError {
  constructor(ms: number) {
    super("UNAVAILABLE", `a graph still runs ${ms} ms after its picture was given up`);
  }
}

/**
 * Ends this process at once. `process.exit` waits for all threads, and one that hangs never ends. In a container the process is often
 * the first of its namespace, which a SIGKILL of its own does not end: that one aborts.
 */
export function endHungProcess(): void {
  process.kill(process.pid, "SIGKILL");
  process.abort();
}

/** The thread's own requests, to load and to stop, are none of a picture. */
const ownId = 0;

interface Pending {
  readonly answer: PromiseWithResolvers<AnswerFromPipeline>;
  readonly onStep: RunControl["onStep"] | undefined;
}

export function startPipelineInstance(deps: PipelineInstanceDeps): PipelineInstance {
  const { onExit, onStepRan, onBatchFailed, hungAfterMs } = deps;
  silenceRuntime();
  const thread = new Worker(new URL("./pipeline-thread.ts", import.meta.url), { name: "packshot-pipeline" });
  const pending = new Map<number, Pending>();
  let newestId = ownId;
  let failure: Error | null = null;
  let stopping: Promise<void> | null = null;

  const post = (message: MessageToPipeline) => thread.postMessage(message);

  thread.on("message", (message: MessageFromPipeline) => {
    if (message.kind === "step") return pending.get(message.id)?.onStep?.(message.done, message.steps);
    if (message.kind === "stepRan") return onStepRan(message.pictures);
    if (message.kind === "batchFailed") return onBatchFailed(message);
    const { id = ownId } = message;
    const request = pending.get(id);
    pending.delete(id);
    request?.answer.resolve(message);
  });
  thread.on("error", (error) => fail(error instanceof Error ? error : new Error(String(error))));
  thread.on("exit", (code) => fail(new Error(`the pipeline's thread ended with code ${code}`)));

  function fail(error: Error): void {
    if (failure) return;
    failure = error;
    for (const { answer } of pending.values()) answer.reject(error);
    pending.clear();
    if (!stopping) onExit(error);
  }

  async function request(
    message: Exclude<MessageToPipeline, { kind: "abort" }>,
    onStep?: RunControl["onStep"],
  ): Promise<AnswerFromPipeline> {
    if (failure) throw failure;
    const id = message.kind === "paint" ? message.id : ownId;
    const answer = Promise.withResolvers<AnswerFromPipeline>();
    pending.set(id, { answer, onStep });
    post(message);
    const answered = await answer.promise;
    if (answered.kind !== "failed") return answered;
    throw errorOf(answered.fault, answered.message);
  }

  return {
    async load(options) {
      await request({ kind: "load", ...options });
    },
    async paint(picture, control) {
      const id = ++newestId;
      let hung: NodeJS.Timeout | undefined;
      const abort = () => {
        post({ kind: "abort", id });
        hung = setTimeout(() => fail(new PipelineHung(hungAfterMs)), hungAfterMs);
      };
      control.signal.addEventListener("abort", abort, { once: true });
      try {
        const answer = request({ kind: "paint", id, ...picture }, control.onStep);
        if (control.signal.aborted) abort();
        return (await answer) as Extract<AnswerFromPipeline, { kind: "painted" }>;
      } catch (error) {
        throw control.signal.aborted ? new InferError("CANCELLED", "the picture was given up", error) : error;
      } finally {
        clearTimeout(hung);
        control.signal.removeEventListener("abort", abort);
      }
    },
    stop() {
      stopping ??= (async () => {
        // Terminating a thread during a run may crash the process.
        await Promise.allSettled([...pending.values()].map(({ answer }) => answer.promise));
        if (failure instanceof PipelineHung) return;
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
