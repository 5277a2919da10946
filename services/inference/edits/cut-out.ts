/** Cutting the product out of its photo: what all three tools begin with. */

import { PackshotError } from "@packshot/domain/errors.ts";
import { decodePhoto } from "../imaging/codec/decode.ts";
import { estimateForeground } from "../imaging/matting/estimate-foreground.ts";
import { prepareInput } from "../imaging/matting/model-input.ts";
import { matteUncertainty } from "../imaging/matting/matte-uncertainty.ts";
import { type MatteReport, reportMatte } from "../imaging/matting/matte-report.ts";
import { refineMatte } from "../imaging/matting/refine-matte.ts";
import { resamplePlane } from "../imaging/pixels/resample.ts";
import {
  regionOfInterest,
  cropPixels,
  mergePredictions,
  flipHorizontally,
} from "../imaging/matting/test-time-augmentation.ts";
import { nextVisiblePixel, viewAsWords } from "../imaging/pixels/alpha-scan.ts";
import { type LabPhoto, reducePhoto, withLab } from "../imaging/matting/work-grid.ts";
import type { ModelInput, Tensor } from "../model-client/model-client.ts";
import type { EditInput } from "./edit.ts";
import { timedStages } from "./pipeline.ts";
import { flattenForMatting } from "../imaging/matting/flatten.ts";
import type { Photo } from "../imaging/pixels/photo.ts";
import type { Prior } from "../imaging/matting/prior.ts";
import type { CutOut } from "../imaging/pixels/cut-out.ts";

export interface CutOutResult extends CutOut {
  /** The decoded source. */
  readonly photo: Photo;
  /** `model@version` that made the matte. */
  readonly model: string;
  readonly report: MatteReport;
  /** Milliseconds by stage. */
  readonly timings: Readonly<Record<string, number>>;
}

type CutOutInput = Pick<
  EditInput,
  "source" | "parameters" | "tenant" | "deadlineAtMs" | "maxPixels" | "models" | "signal" | "onStage"
>;

export interface CutOutOptions {
  /** false: the network's matte as it is, only enlarged. For measuring what refinement adds. */
  readonly refine?: boolean;
}

/**
 * Decode → prepare → predict → refine → foreground.
 *
 * @throws PackshotError what `decodePhoto` and the model client throw, and `no_product_found`
 */
export async function cutOut(input: CutOutInput, { refine = true }: CutOutOptions = {}): Promise<CutOutResult> {
  const { timings, stage } = timedStages(input);
  const photo = await stage("decode", () => decodePhoto(input.source, input));
  const seen = flattenForMatting(photo);
  const [name, version] = input.parameters.model.split("@") as [string, string | undefined];
  const wanted = await input.models.describe(name);
  const { reduced, prepared } = await stage("prepare", async () => {
    const reduced = await reducePhoto(seen, photo);
    // Twelve megapixels are reduced once; only a network that wants more than the grid holds sees the photo itself.
    const isEnough = reduced.width >= wanted.width && reduced.height >= wanted.height;
    const prepared = isEnough
      ? await prepareInput(reduced.rgb, reduced, wanted)
      : await prepareInput(seen, photo, wanted);
    return { reduced, prepared };
  });
  const ask = (picture: Tensor) => predict(input, name, version, picture);
  const { view, backdrop, prior, model } = await stage("predict", async () => {
    const answering = ask(prepared.tensor);
    // Where this thread fails first, nobody asks for the answer any more.
    answering.catch(() => undefined);
    // While the network is at work elsewhere, this thread looks at the photo.
    const view = withLab(reduced);
    const backdrop = await prepared.backdrop();
    const first = await answering;
    const prior = wanted.testTimeAugmentation
      ? await lookAgain(first.prior, seen, photo, view, wanted, ask)
      : first.prior;
    return { view, backdrop, prior, model: first.model };
  });
  const matte = await stage("refine", async () => {
    if (refine) return refineMatte(seen, photo, view, prior, backdrop);
    return resamplePlane(prior.alpha, prior, photo);
  });
  const alpha = withSourceAlpha(matte, photo);
  if (!showsProduct(alpha)) {
    throw new PackshotError("no_product_found", "No product stands out in the picture.");
  }
  const { foreground, report } = await stage("foreground", async () => {
    const purifying = estimateForeground(photo, seen, view, alpha);
    // It begins by reducing pictures on other threads: this one looks at the matte meanwhile.
    const report = reportMatte(alpha, photo, matteUncertainty(prior));
    return { foreground: await purifying, report };
  });
  return {
    width: photo.width,
    height: photo.height,
    alpha,
    ...foreground,
    ...(photo.icc === undefined ? {} : { icc: photo.icc }),
    photo,
    model,
    report,
    timings,
  };
}

/** Less than this share of the picture is a speck, not a product. */
const productShareMin = 0.0005;

function showsProduct(alpha: Uint8Array): boolean {
  const matte = viewAsWords(alpha);
  const least = productShareMin * 255 * alpha.length;
  let sum = 0;
  for (let i = 0; i < alpha.length && sum < least; i++) {
    i = nextVisiblePixel(matte, i, alpha.length);
    if (i < alpha.length) sum += alpha[i]!;
  }
  return sum >= least;
}

interface Answered {
  readonly prior: Prior;
  readonly model: string;
}

async function predict(
  input: CutOutInput,
  model: string,
  version: string | undefined,
  picture: Tensor,
): Promise<Answered> {
  const { output, modelName, modelVersion } = await input.models.predict({
    model,
    ...(version === undefined ? {} : { version }),
    input: picture,
    tenant: input.tenant,
    deadlineAtMs: input.deadlineAtMs,
    signal: input.signal,
  });
  const [, height, width] = picture.shape as [number, number, number, number];
  return { prior: { width, height, alpha: output.data, networkPixel: 1 }, model: `${modelName}@${modelVersion}` };
}

/** The product's box by itself, mirrored, and what both looks say together. */
async function lookAgain(
  first: Prior,
  seen: Uint8Array,
  photo: Photo,
  view: LabPhoto,
  wanted: ModelInput,
  ask: (picture: Tensor) => Promise<Answered>,
): Promise<Prior> {
  const box = regionOfInterest(first, view);
  if (box === undefined) return first;
  // A small product has more to show in the photo than in the reduced view of it.
  const isSmall = Math.min(box.width / wanted.width, box.height / wanted.height) < 1;
  const near = isSmall ? regionOfInterest(first, photo)! : box;
  const crop = isSmall ? cropPixels(seen, photo, near) : cropPixels(view.rgb, view, near);
  const { tensor } = await prepareInput(crop, near, wanted);
  const { prior: answer } = await ask(flipHorizontally(tensor));
  const { data } = flipHorizontally({ shape: [1, answer.height, answer.width, 1], data: answer.alpha });
  return mergePredictions(first, { ...answer, alpha: data }, box, view);
}

/** What the source already shows through stays seen through. */
function withSourceAlpha(matte: Uint8Array, photo: Photo): Uint8Array {
  if (photo.alpha === undefined) return matte;
  return matte.map((a, i) => Math.round((a * photo.alpha![i]!) / 255));
}
