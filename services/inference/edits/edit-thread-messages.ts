/** What the worker's main thread and an edit thread say to one another. */
import type { ErrorCode } from "@packshot/domain/errors.ts";
import type { ModelInput, Prediction, PredictRequest } from "../model-client/model-client.ts";
import type { EditInput, EditOutput } from "./edit.ts";

/** Functions and signals do not cross a thread's border: calls and aborts go as messages. */
export type EditTask = Omit<EditInput, "models" | "signal" | "onStage">;

export type ModelCall =
  | { readonly method: "describe"; readonly model: string }
  | { readonly method: "predict"; readonly request: Omit<PredictRequest, "signal"> };

export type ModelResult = (ModelInput & { readonly version: string }) | Prediction;

/** An error as it crosses: a PackshotError keeps its code and details, any other its words and stack. */
export interface SerializedError {
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly details?: Record<string, unknown>;
  readonly stack?: string;
}

export type MessageToThread =
  | { readonly kind: "run"; readonly order: EditTask }
  | { readonly kind: "abort"; readonly reason: unknown }
  | { readonly kind: "answer"; readonly call: number; readonly answer: ModelResult }
  | { readonly kind: "refusal"; readonly call: number; readonly fault: SerializedError };

export type MessageFromThread =
  | { readonly kind: "stage"; readonly stage: string }
  | { readonly kind: "call"; readonly call: number; readonly what: ModelCall }
  | { readonly kind: "done"; readonly output: EditOutput }
  | { readonly kind: "failed"; readonly fault: SerializedError };
