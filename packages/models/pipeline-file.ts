/**
 * `pipeline.json` of an image model's folder, beside its graphs and its `tokenizer.json`: what a model server reads to paint
 * pictures by it. A manifest has the same fields, so that a pull refuses what a server would.
 */
import { readFileSync } from "node:fs";
import { fieldsOf, isObject, isText } from "./manifest.ts";
import { samplerOf } from "./samplers/scheduler-config.ts";

export const pipelineFileName = "pipeline.json";

/** The graphs that each kind of pipeline runs, NAME.onnx each. */
export const pipelineGraphs = {
  "flux2-klein": ["text_encoder", "vae_encoder", "transformer", "vae_decoder"],
  "stable-diffusion": ["text_encoder", "vae_encoder", "unet", "vae_decoder"],
} as const;

/** What the pipeline of FLUX.2 [klein] computes by. */
export interface KleinConfig {
  /** The model's `scheduler_config.json`. */
  readonly scheduler: Readonly<Record<string, unknown>>;
  /** Longer prompts are cut off, shorter ones filled up: 512 in the published model. */
  readonly textTokensMax: number;
  /** The side of the square that one token stands for: 16 in the published model. */
  readonly patchPixels: number;
  /** Values of a token: 128 in the published model. */
  readonly channels: number;
  /** The running statistics of the VAE's normalization. */
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
}

/** What the pipeline of Stable Diffusion 1.5 and SDXL computes by. */
export interface StableConfig {
  /** The model's `scheduler_config.json`. */
  readonly scheduler: Readonly<Record<string, unknown>>;
  /** 77 in the published models. */
  readonly textTokensMax: number;
  /** Pictures' sides are multiples of it: 64 in the published models. */
  readonly patchPixels: number;
  /** The side of the square that one latent stands for: 8 in the published models. */
  readonly latentPixels: number;
  /** Channels of the latents: 4 in the published models. */
  readonly channels: number;
  /** As many, or with the mask and the latents around it: 9 in those that fill. */
  readonly unetChannels: number;
  /** The VAE's `scaling_factor`. */
  readonly scale: number;
  /** How far each step leads away from a picture of no prompt; 1: not at all, as distilled models are made for. Each step above 1 runs twice. */
  readonly guidance: number;
  /** SDXL's values of the whole prompt, in the row below its tokens: 1,280; 0: the model has none. */
  readonly pooledValues: number;
  /** The token that fills prompts up for SDXL's second encoder. */
  readonly secondPadding?: string | undefined;
}

export type PipelineFile = PipelineAbout &
  ((KleinConfig & { readonly pipeline: "flux2-klein" }) | (StableConfig & { readonly pipeline: "stable-diffusion" }));

interface PipelineAbout {
  readonly description: string;
  /** SPDX identifier of the weights' license. */
  readonly license: string;
  readonly steps: number;
  /** Pixels of the largest picture. */
  readonly pixelsMax: number;
  /** Pictures of equal size whose steps run together; above 1 only where the denoiser's graph has a batch dimension. 1 where the file has none. */
  readonly batchMax: number;
  /** The token that fills prompts up. */
  readonly padding: string;
}

/** Throws an error that names the file and the field. */
export function readPipelineFile(file: string): PipelineFile {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new Error(`${file}: not JSON: ${(cause as Error).message}`, { cause });
  }
  return parsePipeline(json, file);
}

/** Throws an error that begins with `where` and names the field. */
export function parsePipeline(json: unknown, where: string): PipelineFile {
  const field = fieldsOf(json, where);
  const pipeline = field("pipeline", isPipeline, `one of ${Object.keys(pipelineGraphs).join(", ")}`);
  const steps = field("steps", isCount(100), "1 to 100");
  const scheduler = field("scheduler", (v): v is Record<string, unknown> => isObject(v), "an object");
  try {
    // Throws for a schedule that no sampler here has.
    samplerOf(scheduler, { steps, tokens: 1 });
  } catch (cause) {
    throw new Error(`${where}: scheduler: ${(cause as Error).message}`, { cause });
  }
  const channels = field("channels", isCount(4_096), "1 to 4096");
  const about = {
    description: field("description", isText, "a text"),
    license: field("license", isText, "an SPDX identifier"),
    steps,
    pixelsMax: field("pixelsMax", isCount(16_777_216), "1 to 16777216"),
    batchMax: (json as Partial<PipelineFile>).batchMax === undefined ? 1 : field("batchMax", isCount(64), "1 to 64"),
    padding: field("padding", isText, "a token"),
    scheduler,
    textTokensMax: field("textTokensMax", isCount(8_192), "1 to 8192"),
    patchPixels: field("patchPixels", isCount(64), "1 to 64"),
    channels,
  };
  if (pipeline === "stable-diffusion") return { ...about, pipeline, ...stableFields(json, where) };
  const perChannel = (value: unknown): value is number[] =>
    Array.isArray(value) && value.length === channels && value.every((each) => Number.isFinite(each));
  return {
    ...about,
    pipeline,
    mean: field("mean", perChannel, `${channels} numbers`),
    deviation: field("deviation", perChannel, `${channels} numbers`),
  };
}

function stableFields(json: unknown, where: string) {
  const field = fieldsOf(json, where);
  const isOptionalText = (v: unknown): v is string | undefined => v === undefined || isText(v);
  const isNumber = (v: unknown): v is number => typeof v === "number" && v > 0 && v <= 100;
  const isCountOrNone = (v: unknown): v is number => v === 0 || isCount(8_192)(v);
  const fields = {
    latentPixels: field("latentPixels", isCount(64), "1 to 64"),
    unetChannels: field("unetChannels", isCount(64), "1 to 64"),
    scale: field("scale", isNumber, "above 0 and at most 100"),
    guidance: field("guidance", isNumber, "above 0 and at most 100"),
    pooledValues: field("pooledValues", isCountOrNone, "0 to 8192"),
    secondPadding: field("secondPadding", isOptionalText, "a token, or absent"),
  };
  if (fields.guidance > 1 && fields.pooledValues > 0)
    throw new Error(
      `${where}: guidance must be 1 for a model with pooledValues: what it takes for no prompt is not known here`,
    );
  return fields;
}

function isPipeline(value: unknown): value is keyof typeof pipelineGraphs {
  return isText(value) && Object.hasOwn(pipelineGraphs, value);
}

function isCount(max: number) {
  return (value: unknown): value is number =>
    Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max;
}
