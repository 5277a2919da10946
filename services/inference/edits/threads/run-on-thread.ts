/** Runs one edit on a thread, and watches the time that its stages hold the thread. */
import type { Worker } from "node:worker_threads";
import type { ModelClient } from "../../model-client/model-client.ts";
import type { Painter } from "../../model-client/painter.ts";
import type { EditInput, EditOutput } from "../edit.ts";
import { deserializeError, type SerializedError, serializeError } from "../serialized-error.ts";
import type { MessageFromThread, MessageToThread, ModelCall, ModelResult } from "./edit-thread-messages.ts";

export interface ThreadLimits {
  /**
   * How long a stage may hold its thread. Waiting for the model does not count, because model calls have the job's
   * deadline; the time counts anew when the model has answered.
   */
  readonly stageTimeoutMs: number;
  /** How long a thread that has taken an edit may need to end it when it is aborted. */
  readonly abortGraceMs: number;
}

export interface ThreadLoss {
  readonly reason: "died" | "stage_timeout" | "abort_timeout";
  readonly stage: string;
}

/** The edit's thread died or was ended. The photo may be the reason, so the attempt counts. */
export class EditThreadLost extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = "EditThreadLost";
  }
}

export interface ThreadRun {
  readonly output: Promise<EditOutput>;
  /** undefined: the thread lives and can run another edit; it can after a failed edit, too. */
  readonly loss: ThreadLoss | undefined;
}

/**
 * The dearest stage of 67 MP, a WebP without loss, takes 15 s of processor time, which was 91 s of a machine with eight times as much
 * to do as it has cores: its edit was lost in each attempt. A stage of 100 MP has five minutes now, which the job's deadline ends.
 */
const pixelsOfStageTimeout = 20_000_000;

/** By how much the limits of an edit's stages are longer than those of a usual photo. */
export function patienceFor({ largestPixels = 0 }: Pick<EditInput, "largestPixels">): number {
  return Math.max(1, largestPixels / pixelsOfStageTimeout);
}

/** A thread that has just replaced another loads its modules first, which is no stage of its edit. */
const threadStartTimeoutMs = 60_000;

/** The time that a stage holds its thread, and the time that an abort is not answered. */
function createTimers(
  { stageTimeoutMs, abortGraceMs }: ThreadLimits,
  onOver: { stage(timeoutMs: number): void; abort(): void },
) {
  let modelCalls = 0;
  let isTaken = false;
  let isAborted = false;
  let stageTimer: NodeJS.Timeout | undefined;
  let abortTimer: NodeJS.Timeout | undefined;

  function watchStage(timeoutMs = stageTimeoutMs): void {
    clearTimeout(stageTimer);
    // One that waits for the model holds nothing.
    if (modelCalls === 0) stageTimer = setTimeout(onOver.stage, timeoutMs, timeoutMs);
  }

  function watchAbort(): void {
    // A thread that still loads its modules answers once it has.
    if (isTaken && isAborted) abortTimer = setTimeout(onOver.abort, abortGraceMs);
  }

  return {
    watchStage,
    onTaken() {
      isTaken = true;
      watchStage();
      watchAbort();
    },
    onAborted() {
      isAborted = true;
      watchAbort();
    },
    async pauseFor<T>(modelCall: Promise<T>): Promise<T> {
      modelCalls += 1;
      clearTimeout(stageTimer);
      return await modelCall.finally(() => {
        modelCalls -= 1;
      });
    },
    end() {
      clearTimeout(stageTimer);
      clearTimeout(abortTimer);
    },
  };
}

/** Resolves when the edit has ended or is lost; the caller ends a thread that is lost. */
export function runOnThread(
  thread: Worker,
  { models, painter, signal, onStage, onFrame, ...task }: EditInput,
  limits: ThreadLimits,
): Promise<ThreadRun> {
  const post = (message: MessageToThread) => thread.postMessage(message);
  const finished = Promise.withResolvers<ThreadRun>();
  const modelCalls = new AbortController();
  const heeded = AbortSignal.any([signal, modelCalls.signal]);
  let stage = "start";
  const timers = createTimers(limits, {
    stage: (timeoutMs) => lose(`the stage ${stage} did not end in ${timeoutMs} ms`, "stage_timeout"),
    abort: () => finish(Promise.reject(signal.reason), "abort_timeout"),
  });

  function finish(output: Promise<EditOutput>, reason?: ThreadLoss["reason"]): void {
    // Callers await `output` only after the thread was released or replaced.
    output.catch(() => {});
    timers.end();
    thread.off("message", onMessage).off("exit", onExit);
    signal.removeEventListener("abort", onAbort);
    modelCalls.abort();
    finished.resolve({ output, loss: reason && { reason, stage } });
  }

  const lose = (problem: string, reason: ThreadLoss["reason"]): void =>
    finish(Promise.reject(signal.aborted ? signal.reason : new EditThreadLost(problem)), reason);

  function onAbort(): void {
    post({ kind: "abort", reason: typeof signal.reason === "string" ? signal.reason : "aborted" });
    timers.onAborted();
  }
  const onExit = () => lose(`the edit's thread died in the stage ${stage}`, "died");

  function onMessage(message: MessageFromThread): void {
    if (message.kind === "taken") timers.onTaken();
    else if (message.kind === "stage") {
      stage = message.stage;
      timers.watchStage();
      onStage(stage, message.done);
    } else if (message.kind === "frame") onFrame?.(message.frame);
    else if (message.kind === "call") void callModel(message.callId, message.call);
    else if (message.kind === "completed") finish(Promise.resolve(withBuffers(message.output)));
    else if (message.kind === "failed") finish(failure(signal, message.error));
  }

  async function callModel(callId: number, call: ModelCall): Promise<void> {
    const asked = { models, painter: painter!, signal: heeded, post };
    const answer = await timers.pauseFor(answerCall(asked, callId, call));
    if (modelCalls.signal.aborted) return;
    timers.watchStage();
    post(answer);
  }

  thread.on("message", onMessage).once("exit", onExit);
  signal.addEventListener("abort", onAbort, { once: true });
  post({ kind: "run", task: { ...task, hasPainter: painter !== undefined } });
  timers.watchStage(Math.max(limits.stageTimeoutMs, threadStartTimeoutMs));
  if (signal.aborted) onAbort();
  return finished.promise;
}

function failure(signal: AbortSignal, error: SerializedError): Promise<never> {
  return Promise.reject(signal.aborted ? signal.reason : deserializeError(error));
}

interface AskedModels {
  readonly models: ModelClient;
  /** A thread that has none asks for nothing of it. */
  readonly painter: Painter;
  readonly signal: AbortSignal;
  readonly post: (message: MessageToThread) => void;
}

async function answerCall(asked: AskedModels, callId: number, call: ModelCall): Promise<MessageToThread> {
  try {
    return { kind: "call-completed", callId, result: await resultOf(asked, callId, call) };
  } catch (error) {
    return { kind: "call-failed", callId, error: serializeError(error) };
  }
}

async function resultOf(asked: AskedModels, callId: number, call: ModelCall): Promise<ModelResult> {
  const { models, painter, signal, post } = asked;
  const onStep = (step: number, steps: number) => post({ kind: "call-step", callId, done: { step, steps } });
  switch (call.method) {
    case "describe":
      return await models.describe(call.model);
    case "predict":
      return await models.predict({ ...call.request, signal });
    case "describePainter":
      return await painter.describe();
    case "paint":
      return await painter.paint({ ...call.request, signal, onStep });
  }
}

/** Restores Buffers, which arrive from a thread as plain Uint8Arrays. */
function withBuffers(output: EditOutput): EditOutput {
  const asBuffer = ({ buffer, byteOffset, byteLength }: Buffer) => Buffer.from(buffer, byteOffset, byteLength);
  const restore = ({ bytes, ...image }: EditOutput["result"]) => ({ ...image, bytes: asBuffer(bytes) });
  const { result, thumbnail, variations, outputs, layers, shadow, proof, madeMatte } = output;
  const files = { result: restore(result), thumbnail: restore(thumbnail) };
  const further = {
    variations: variations?.map((each) => ({ ...each, image: restore(each.image) })),
    outputs: outputs?.map((file) => ("image" in file ? { ...file, image: restore(file.image) } : file)),
    layers: layers?.map(({ name, image }) => ({ name, image: restore(image) })),
  };
  return {
    ...output,
    ...files,
    ...further,
    shadow: shadow === undefined ? undefined : restore(shadow),
    proof: proof === undefined ? undefined : { photo: restore(proof.photo), matte: restore(proof.matte) },
    madeMatte: madeMatte === undefined ? undefined : asBuffer(madeMatte),
  };
}
