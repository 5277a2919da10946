/** The messages between the worker's main thread and an edit thread. */

import type { MessagePort } from "node:worker_threads";
import type { LossCause } from "../../decoder/decoder-process.ts";
import type { Size } from "../../imaging/pixels/geometry.ts";
import type { ModelInput, Prediction, PredictRequest } from "../../model-client/model-client.ts";
import type { PainterDescription, Painting, PaintRequest } from "../../model-client/painter.ts";
import type { EditInput, EditOutput, StepDone } from "../edit.ts";
import type { SerializedError } from "../serialized-error.ts";

/** Functions and signals cannot be sent to a thread: model calls and aborts are messages of their own. */
export interface EditTask extends Omit<EditInput, "decoder" | "models" | "painter" | "signal" | "onStage" | "onFrame"> {
  readonly hasPainter: boolean;
}

export type ModelCall =
  | { readonly method: "describe"; readonly model: string }
  | { readonly method: "predict"; readonly request: Omit<PredictRequest, "signal"> }
  | { readonly method: "describePainter" }
  | { readonly method: "paint"; readonly request: Omit<PaintRequest, "signal" | "onStep"> };

export type ModelResult = (ModelInput & { readonly version: string }) | Prediction | PainterDescription | Painting;

export type MessageToThread =
  | { readonly kind: "run"; readonly task: EditTask }
  | { readonly kind: "abort"; readonly reason: unknown }
  | { readonly kind: "call-step"; readonly callId: number; readonly done: StepDone }
  | { readonly kind: "call-completed"; readonly callId: number; readonly result: ModelResult }
  | { readonly kind: "call-failed"; readonly callId: number; readonly error: SerializedError };

/** What a thread is started with. */
export interface EditThreadData {
  /** To the main thread, which starts its decoders. undefined: the thread decodes by itself. */
  readonly decoders: MessagePort | undefined;
  /** A stage may take both together. */
  readonly decodeTimeoutMs: number;
  readonly startTimeoutMs: number;
}

export type MessageFromThread =
  /** The thread has loaded its modules and begins with the task. */
  | { readonly kind: "taken" }
  /** Whether or not an edit runs. */
  | { readonly kind: "decoder-lost"; readonly cause: LossCause; readonly how: string }
  | { readonly kind: "stage"; readonly stage: string; readonly done?: StepDone }
  | { readonly kind: "frame"; readonly frame: Size }
  | { readonly kind: "call"; readonly callId: number; readonly call: ModelCall }
  | { readonly kind: "completed"; readonly output: EditOutput }
  | { readonly kind: "failed"; readonly error: SerializedError };
