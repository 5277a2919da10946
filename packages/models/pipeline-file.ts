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
} as const;

/** What the pipeline computes by. */
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

export interface PipelineFile extends KleinConfig {
  readonly pipeline: keyof typeof pipelineGraphs;
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
  const channels = field("channels", isCount(4_096), "1 to 4096");
  const perChannel = (value: unknown): value is number[] =>
    Array.isArray(value) && value.length === channels && value.every((each) => Number.isFinite(each));
  const steps = field("steps", isCount(100), "1 to 100");
  const scheduler = field("scheduler", (v): v is Record<string, unknown> => isObject(v), "an object");
  try {
    // Throws for a schedule that no sampler here has.
    samplerOf(scheduler, { steps, tokens: 1 });
  } catch (cause) {
    throw new Error(`${where}: scheduler: ${(cause as Error).message}`, { cause });
  }
  return {
    pipeline: field("pipeline", isPipeline, `one of ${Object.keys(pipelineGraphs).join(", ")}`),
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
    mean: field("mean", perChannel, `${channels} numbers`),
    deviation: field("deviation", perChannel, `${channels} numbers`),
  };
}

function isPipeline(value: unknown): value is keyof typeof pipelineGraphs {
  return isText(value) && Object.hasOwn(pipelineGraphs, value);
}

function isCount(max: number) {
  return (value: unknown): value is number =>
    Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max;
}
