/** What paints by a model's `pipeline.json`, whatever kind of pipeline it names. */
import type { PipelineFile } from "@packshot/models/pipeline-file.ts";
import type { GraphRunner } from "./graph-runner.ts";
import { type KleinRequest, paintByKlein } from "./klein-pipeline.ts";
import type { Planes } from "./latents.ts";
import { promptTokenizer } from "./prompt-tokens.ts";
import { paintByStable } from "./stable-pipeline.ts";

export type PaintBy = (graphs: GraphRunner, request: KleinRequest) => Promise<Planes>;

/** @param tokenizerJson the parsed `tokenizer.json` */
export function openPainter(file: PipelineFile, tokenizerJson: object): PaintBy {
  const tokenizer = promptTokenizer(tokenizerJson, file.padding);
  if (file.pipeline === "flux2-klein")
    return (graphs, request) => paintByKlein({ config: file, graphs, tokenizer }, request);
  const { secondPadding } = file;
  const secondTokenizer = secondPadding === undefined ? undefined : promptTokenizer(tokenizerJson, secondPadding);
  return (graphs, request) => paintByStable({ config: file, graphs, tokenizer, secondTokenizer }, request);
}
