import type { EditParameters, ToolId } from "@packshot/domain/tools.ts";
import type { EncodedImage } from "../imaging/codec/encode.ts";
import type { ModelClient } from "../model-client/model-client.ts";

/** One edit as the worker hands it over: bytes in, bytes out. No job, no storage, no log. */
export interface EditInput {
  readonly tool: ToolId;
  readonly source: Uint8Array;
  /** As they took effect: seed set, model set. */
  readonly parameters: EditParameters & { readonly seed: number; readonly model: string };
  readonly tenant: string;
  readonly deadlineAtMs: number;
  readonly maxPixels: number;
  readonly models: ModelClient;
  readonly signal: AbortSignal;
  /** Told before each stage, for progress and timings. */
  readonly onStage: (stage: string) => void;
}

export interface EditOutput {
  readonly result: EncodedImage;
  readonly thumbnail: EncodedImage;
  /** `model@version` that made the matte. */
  readonly model: string;
  readonly report: Readonly<Record<string, unknown>>;
  /** Milliseconds by stage. */
  readonly timings: Readonly<Record<string, number>>;
}
