import type { EditParameters, ToolId } from "@packshot/domain/tools.ts";
import type { Image } from "../imaging/pixels/image.ts";
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

export interface EncodedImage {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
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

/** The product cut out of its photo, at full resolution. */
export interface CutOut {
  readonly width: number;
  readonly height: number;
  /** Interleaved u8 RGB with the old background's color taken out of soft edges; untouched where alpha is 255. */
  readonly rgb: Uint8Array;
  /** u8, width × height. */
  readonly alpha: Uint8Array;
  /** The source's ICC profile, kept for the result. */
  readonly icc?: Buffer;
  /** The same as RGBA at a thumbnail's size, where it was made on the way. */
  readonly reduced?: Image;
}
