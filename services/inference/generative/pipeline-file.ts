/**
 * `pipeline.json` of an image model's folder, beside its graphs and its `tokenizer.json`: what a model server reads to paint
 * pictures by it.
 */
import { readFileSync } from "node:fs";
import type { KleinConfig } from "./klein-pipeline.ts";
import { samplerOf } from "./scheduler-config.ts";

export const pipelineFileName = "pipeline.json";

export interface PipelineFile extends KleinConfig {
  readonly pipeline: "flux2-klein";
  readonly description: string;
  /** SPDX identifier of the weights' license. */
  readonly license: string;
  readonly steps: number;
  /** Pixels of the largest picture. */
  readonly pixelsMax: number;
  /** The token that fills prompts up. */
  readonly padding: string;
}

/** Throws an error that names the file and the field. */
export function readPipelineFile(file: string): PipelineFile {
  let json: Record<string, unknown>;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new Error(`${file}: not JSON: ${(cause as Error).message}`, { cause });
  }
  const field = <T>(name: keyof PipelineFile, accepts: (value: unknown) => value is T, wanted: string): T => {
    const value = json[name];
    if (!accepts(value)) throw new Error(`${file}: ${name} must be ${wanted}, not ${JSON.stringify(value)}`);
    return value;
  };
  const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
  const count =
    (max: number) =>
    (value: unknown): value is number =>
      Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max;
  const channels = field("channels", count(4_096), "1 to 4096");
  const perChannel = (value: unknown): value is number[] =>
    Array.isArray(value) && value.length === channels && value.every((each) => Number.isFinite(each));
  const steps = field("steps", count(100), "1 to 100");
  const scheduler = field("scheduler", isObject, "an object");
  // Throws for a schedule that no sampler here has.
  samplerOf(scheduler, { steps, tokens: 1 });
  return {
    pipeline: field("pipeline", (value): value is "flux2-klein" => value === "flux2-klein", '"flux2-klein"'),
    description: field("description", isText, "a text"),
    license: field("license", isText, "an SPDX identifier"),
    steps,
    pixelsMax: field("pixelsMax", count(16_777_216), "1 to 16777216"),
    padding: field("padding", isText, "a token"),
    scheduler,
    textTokensMax: field("textTokensMax", count(8_192), "1 to 8192"),
    patchPixels: field("patchPixels", count(64), "1 to 64"),
    channels,
    mean: field("mean", perChannel, `${channels} numbers`),
    deviation: field("deviation", perChannel, `${channels} numbers`),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
