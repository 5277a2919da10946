/** One edit from bytes to bytes: each tool's pipeline. It has no global state, so edits may run in worker threads. */

import type { EncodedImage } from "../imaging/codec/encode.ts";
import { encodeProof } from "../imaging/codec/proof-pictures.ts";
import { cutOutImage, matteImage } from "../imaging/output/cut-out-image.ts";
import { placeInFrame } from "../imaging/output/place-in-frame.ts";
import { editWithScene, standOf } from "./ai-bg.ts";
import { editWithShadow, poseInPhoto } from "./ai-shadows.ts";
import { cutOutProduct } from "./cut-out.ts";
import type { FinishedCutOut, Refined } from "./cut-out-context.ts";
import { type EditInput, type EditOutput, variationSeed } from "./edit.ts";
import { type Edited, type EditStart, encodeEdited } from "./encode-edited.ts";
import { runStages } from "./pipeline.ts";

const editStages = {
  mask: [
    { name: "mask", run: renderCutOut },
    { name: "encode", run: encodeEdited },
  ],
  "ai-shadows": [
    { name: "ai-shadows", run: castShadow },
    { name: "encode", run: encodeEdited },
  ],
  "ai-bg": [
    { name: "ai-bg", run: paintScene },
    { name: "encode", run: encodeEdited },
  ],
} as const;

/** @throws PackshotError with a code that a job's `error.code` may carry, or the signal's reason when aborted */
export async function runEdit(input: EditInput): Promise<EditOutput> {
  const product = await cutOutProduct(input);
  const stages = editStages[input.tool];
  const { result, layers, thumbnail, shadow, model, report, timings } = await runStages(stages, product);
  const { madeMatte, tookKeptMatte } = product;
  const { variations: count = 1, seed } = input.parameters;
  const variations: EncodedImage[] = [];
  const total: Record<string, number> = { ...timings };
  for (let after = 1; after < count; after++) {
    const parameters = { ...input.parameters, seed: variationSeed(seed, after) };
    const start = { ...product, input: { ...input, parameters } };
    const varied = await runStages(stages, start);
    variations.push(varied.result);
    for (const { name } of stages) total[name] = (total[name] ?? 0) + varied.timings[name]!;
  }
  return {
    result,
    ...(variations.length === 0 ? {} : { variations }),
    layers,
    thumbnail,
    shadow,
    proof: report.quality === "review" ? await encodeProof(product.photo, product.cut.alpha) : undefined,
    madeMatte,
    model,
    report: tookKeptMatte ? { ...report, matteOf: input.keptMatte!.jobId } : report,
    timings: total,
  };
}

async function renderCutOut({ input, cut }: EditStart & FinishedCutOut): Promise<Edited> {
  return { edited: input.parameters.alphaOnly ? matteImage(cut) : cutOutImage(cut) };
}

type WithShadow = EditStart & FinishedCutOut & Pick<Refined, "naturalShadow">;

async function castShadow({ input, cut, naturalShadow }: WithShadow): Promise<Edited> {
  return { edited: await editWithShadow(cut, input, naturalShadow) };
}

/** A scene fills its frame, so the product is placed in the frame before the scene is painted around it. */
async function paintScene({ input, cut, naturalShadow }: WithShadow): Promise<Edited> {
  // In its frame, what the border cut and what shadow it had can no longer be seen.
  const pose = poseInPhoto(cut, input.parameters, naturalShadow);
  const framed = await placeInFrame(cut, input.parameters.output, standOf(pose, input.parameters));
  if (framed === undefined) return { edited: await editWithScene(cut, input, pose) };
  return { edited: await editWithScene(framed.cut, input, pose), placed: framed.layout };
}
