import type { ToneGains } from "@packshot/domain/edits/tone.ts";
import { type EditParameters, type LayerName, seedMax, type ToolId } from "@packshot/domain/edits/tools.ts";
import type { ImageDecoder } from "../decoder/image-decoder.ts";
import type { EncodedImage } from "../imaging/codec/encode.ts";
import type { ProofPictures } from "../imaging/codec/proof-pictures.ts";
import type { Size } from "../imaging/pixels/geometry.ts";
import type { ModelClient } from "../model-client/model-client.ts";
import type { Painter } from "../model-client/painter.ts";
import type { SerializedError } from "./serialized-error.ts";

/** One edit, from bytes to bytes. It knows no job, no storage and no log. */
export interface EditInput {
  readonly tool: ToolId;
  readonly source: Uint8Array;
  /** The file of the picture behind the product. */
  readonly background?: Uint8Array;
  /** The file of the picture over a corner. */
  readonly logo?: Uint8Array;
  /** The file of the caller's own matte. */
  readonly mask?: Uint8Array;
  /** What an earlier edit of the same photo returned as `madeMatte`, with the same parameters of matting and weights. */
  readonly keptMatte?: { readonly bytes: Uint8Array; readonly jobId: string };
  /** true: the matte that this edit makes is returned, for later ones. */
  readonly keepsMatte?: boolean;
  /** The file of the picture from which a scene takes its colors. */
  readonly palette?: Uint8Array;
  /** The file of the picture whose light the photo gets. */
  readonly tone?: Uint8Array;
  /** What is to be matched is that light times these. */
  readonly toneGains?: ToneGains | undefined;
  /** The file is one after the first: it has no thumbnail, and what is measured of the cut-out is measured already. */
  readonly isFurther?: true;
  /** As they take effect: defaults filled in, with a seed and a model. */
  readonly parameters: EditParameters & { readonly seed: number; readonly model: string };
  readonly tenant: string;
  readonly deadlineAtMs: number;
  readonly maxPixels: number;
  /** Pixels of the photo or of the largest file that is drawn, whichever are more. Stages of a large edit may take longer. */
  readonly largestPixels?: number;
  /** Decodes what the client has sent; absent: it is decoded where the edit runs. */
  readonly decoder?: ImageDecoder | undefined;
  readonly models: ModelClient;
  /** undefined: there is no image model, and no edit asks for one. */
  readonly painter?: Painter | undefined;
  /** How long the image model may take for all scenes of the edit, with its queue and redraws; absent: until the deadline. */
  readonly paintTimeoutMs?: number | undefined;
  /** The renderer's scene is the result where the image model is not there or too slow. */
  readonly mayRender?: true | undefined;
  readonly signal: AbortSignal;
  readonly onStage: OnStage;
  /** Called with the frame of the first file, in pixels, before that is drawn. */
  readonly onFrame?: (frame: Size) => void;
}

/** What the stages of every tool begin with. */
export interface EditStart {
  readonly input: EditInput;
}

/** Called with each stage's name before the stage runs, and after each step of a stage that has several. */
export type OnStage = (stage: string, done?: StepDone) => void;

export interface StepDone {
  readonly step: number;
  readonly steps: number;
}

/** A layer's file. */
export interface EncodedLayer {
  readonly name: LayerName;
  readonly image: EncodedImage;
}

/** A result after the first one, with the seed that follows. */
export interface Variation {
  readonly image: EncodedImage;
  /** What differs from the first result's. */
  readonly report: Readonly<Record<string, unknown>>;
}

/** A file of an edit with `outputs` after the first. */
export interface EncodedOutput extends Variation {
  readonly name: string;
}

/** One that could not be drawn. */
export interface UndrawnOutput {
  readonly name: string;
  /** In the order of the request, from 0. */
  readonly position: number;
  readonly cause: SerializedError;
}

export interface EditOutput {
  readonly result: EncodedImage;
  /** With the seeds that follow the first result's, where several were asked for. */
  readonly variations?: readonly Variation[];
  /** What became of each file after the first, where the edit has `outputs`. */
  readonly outputs?: readonly (EncodedOutput | UndrawnOutput)[];
  /** The layers of the result, the lowest first, where they were asked for. */
  readonly layers?: readonly EncodedLayer[];
  readonly thumbnail: EncodedImage;
  /** The product's own shadow, where it was asked for and found. */
  readonly shadow?: EncodedImage;
  /** Only for a doubtful cut-out: what a person looks at, and mends. */
  readonly proof?: ProofPictures;
  /** Where `keepsMatte` asked for it, and this edit has made one. */
  readonly madeMatte?: Buffer;
  /** `model@version` that made the matte; null: the source brought it. */
  readonly model: string | null;
  readonly report: Readonly<Record<string, unknown>>;
  /** Milliseconds by stage. */
  readonly timings: Readonly<Record<string, number>>;
}

/** The seed of the result that comes so many after the first; after the largest one comes 0. */
export function variationSeed(seed: number, after: number): number {
  return (seed + after) % (seedMax + 1);
}
