/**
 * The thread that owns an image model's graphs and paints pictures, several at once where the graphs take a batch. The latents stay in
 * it from the first step to the last. Between two steps the thread turns to its messages, so that a picture can be given up.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parentPort } from "node:worker_threads";
import { type PipelineFile, pipelineGraphs, readPipelineFile } from "@packshot/models/pipeline-file.ts";
import { BrokenAnswer } from "../generative/graph-runner.ts";
import { createGraphTurns, type GraphTurns } from "../generative/graph-turns.ts";
import { withKeptTexts } from "../generative/kept-texts.ts";
import type { ReferencePicture } from "../generative/klein-pipeline.ts";
import { type OnnxGraphs, openOnnxGraphs } from "../generative/onnx-graphs.ts";
import { openPainter, type PaintBy } from "../generative/open-painter.ts";
import { GraphServerError, openRemoteGraphs } from "../generative/remote-graphs.ts";
import { type SessionPlace, sessionOptions } from "./session-options.ts";

export interface LoadPipeline extends SessionPlace {
  readonly kind: "load";
  /** The path of its `pipeline.json`. */
  readonly file: string;
  /** The server that runs the graphs, and the model's name there; undefined: they run here. */
  readonly remote: { readonly address: string; readonly model: string } | undefined;
}

export interface PaintPicture {
  readonly kind: "paint";
  /** Tells the pictures that are painted apart. */
  readonly id: number;
  readonly prompt: string;
  readonly seed: number;
  /** RGB, 0 to 255. */
  readonly reference: Uint8Array;
  /** Above 127 where the picture is painted. */
  readonly fill: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly strength: number;
  /** Another picture, in whose look it is painted. */
  readonly style?: ReferencePicture;
}

export type MessageToPipeline =
  | LoadPipeline
  | PaintPicture
  | { readonly kind: "abort"; readonly id: number }
  | { readonly kind: "stop" };

/** `no_number`: the graphs have answered what is none. `server_away` and `server_failed`: of the server that runs the graphs. */
export type PipelineFault = "no_number" | "server_away" | "server_failed" | "other";

/** `id` is that of the picture; an answer without one is of the thread itself. */
export type AnswerFromPipeline =
  | { readonly kind: "loaded"; readonly id?: undefined }
  | { readonly kind: "painted"; readonly id: number; readonly ms: number; readonly picture: Uint8Array }
  | {
      readonly kind: "failed";
      readonly id?: number | undefined;
      readonly message: string;
      readonly fault: PipelineFault;
    }
  | { readonly kind: "stopped"; readonly id?: undefined };

export type MessageFromPipeline =
  | AnswerFromPipeline
  | { readonly kind: "step"; readonly id: number; readonly done: number; readonly steps: number }
  /** The denoiser has run for so many pictures together. */
  | { readonly kind: "stepRan"; readonly pictures: number }
  /** It failed for so many, and did not for each of them: `batchMax` may share the next steps. */
  | { readonly kind: "batchFailed"; readonly message: string; readonly pictures: number; readonly batchMax: number };

/** A text of 512 tokens takes 15 MB in the published model. */
const keptTextsMax = 16;

let paintBy: PaintBy | null = null;
let file: PipelineFile | null = null;
let graphs: OnnxGraphs | null = null;
let turns: GraphTurns | null = null;
const painting = new Map<number, AbortController>();

function post(message: MessageFromPipeline): void {
  parentPort!.postMessage(message);
}

async function load(message: LoadPipeline): Promise<void> {
  const folder = dirname(message.file);
  file = readPipelineFile(message.file);
  const { remote } = message;
  graphs = remote ? openRemoteGraphs(remote.address, remote.model) : openOnnxGraphs(folder, sessionOptions(message));
  await graphs.load(pipelineGraphs[file.pipeline]);
  paintBy = openPainter(file, JSON.parse(readFileSync(join(folder, "tokenizer.json"), "utf8")));
  turns = createGraphTurns({
    graphs: withKeptTexts(graphs, keptTextsMax),
    batchMax: file.batchMax,
    onStepRan: (pictures) => post({ kind: "stepRan", pictures }),
    onBatchFailed: ({ cause, ...failed }) => post({ kind: "batchFailed", message: cause.message, ...failed }),
  });
  post({ kind: "loaded" });
}

async function paint({ kind: _, id, reference, style, ...request }: PaintPicture): Promise<void> {
  const controller = new AbortController();
  painting.set(id, controller);
  const { signal } = controller;
  const startedAt = performance.now();
  const { data } = await paintBy!(turns!.forPicture(), {
    ...request,
    references: [{ ...request, rgb: reference }, ...(style === undefined ? [] : [style])],
    steps: file!.steps,
    signal,
    onStep: (done, steps) => post({ kind: "step", id, done, steps }),
  });
  const picture = toPixels(data, request.width * request.height);
  post({ kind: "painted", id, ms: performance.now() - startedAt, picture });
}

/** Planes of −1 to 1 as RGB. */
function toPixels(planes: Float32Array, count: number): Uint8Array {
  const pixels = new Uint8ClampedArray(3 * count);
  for (let channel = 0; channel < 3; channel++)
    for (let at = 0; at < count; at++) pixels[at * 3 + channel] = (planes[channel * count + at]! / 2 + 0.5) * 255;
  return new Uint8Array(pixels.buffer);
}

async function handle(message: MessageToPipeline): Promise<void> {
  switch (message.kind) {
    case "load":
      return await load(message);
    case "paint":
      return await paint(message).finally(() => painting.delete(message.id));
    case "abort":
      painting.get(message.id)?.abort();
      return;
    case "stop":
      await graphs?.release();
      post({ kind: "stopped" });
      parentPort!.close();
  }
}

parentPort!.on("message", (message: MessageToPipeline) => {
  handle(message).catch((error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    const id = message.kind === "paint" ? message.id : undefined;
    post({ kind: "failed", id, message: text, fault: faultOf(error) });
  });
});

function faultOf(error: unknown): PipelineFault {
  if (error instanceof BrokenAnswer) return "no_number";
  if (error instanceof GraphServerError) return error.isAway ? "server_away" : "server_failed";
  return "other";
}
