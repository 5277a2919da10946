/** A stand-in for an image model, in a model repository: an analytic pipeline that a model server serves as any other. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PipelineFile } from "../../packages/models/pipeline-file.ts";
import { type AnalyticKlein, analyticKleinConfig, writeAnalyticKlein } from "./analytic-klein.ts";
import { readReferences } from "./references.ts";

const standInFile: PipelineFile = {
  pipeline: "flux2-klein",
  description: "A stand-in: the reference in the color of the prompt.",
  license: "Apache-2.0",
  steps: 4,
  pixelsMax: 262_144,
  batchMax: 1,
  padding: "<|endoftext|>",
  ...analyticKleinConfig,
};

export function writeImageModel(
  repository: string,
  name: string,
  { file = {}, ...graphs }: AnalyticKlein & { readonly file?: Partial<PipelineFile> },
): void {
  const folder = join(repository, name, "1");
  mkdirSync(folder, { recursive: true });
  writeAnalyticKlein(folder, graphs);
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(readReferences("qwen-tokenizer.json")));
  writeFileSync(join(folder, "pipeline.json"), JSON.stringify({ ...standInFile, ...file }));
}
