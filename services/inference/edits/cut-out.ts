/** Cutting the product out of its photo: what all three tools begin with. */

import { PackshotError } from "@packshot/domain/errors.ts";
import { decodePhoto, flattened, type Photo } from "../imaging/decode.ts";
import { purifyForeground } from "../imaging/foreground.ts";
import { matteDoubt } from "../imaging/matte-doubt.ts";
import { type MatteReport, reportMatte } from "../imaging/matte-report.ts";
import { type PreparedInput, prepareInput } from "../imaging/model-input.ts";
import { refineMatte } from "../imaging/refine-matte.ts";
import { resamplePlane } from "../imaging/resample.ts";
import { viewPhoto } from "../imaging/work-grid.ts";
import type { CutOut, EditInput } from "./edit.ts";
import { timedStages } from "./stages.ts";

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
  const seen = flattened(photo);
  const [name, version] = input.parameters.model.split("@") as [string, string | undefined];
  const wanted = await input.models.describe(name);
  const prepared = await stage("prepare", () => prepareInput(seen, photo, wanted));
  // While the network is at work elsewhere, this thread looks at the photo.
  const [predicted, view] = await stage("predict", () =>
    Promise.all([predict(input, name, version, prepared), viewPhoto(seen, photo)]),
  );
  const prior = { width: wanted.width, height: wanted.height, alpha: predicted.matte };
  const matte = await stage("refine", async () => {
    if (refine) return refineMatte(seen, photo, view, prior, prepared.backdrop);
    return resamplePlane(prior.alpha, prior, photo);
  });
  const alpha = withSourceAlpha(matte, photo);
  const report = reportMatte(alpha, photo, matteDoubt(prior));
  if (report.coverage < productShareMin) {
    throw new PackshotError("no_product_found", "No product stands out in the picture.");
  }
  const rgb = await stage("foreground", async () => purifyForeground(photo, seen, view, alpha));
  return {
    width: photo.width,
    height: photo.height,
    rgb,
    alpha,
    ...(photo.icc === undefined ? {} : { icc: photo.icc }),
    photo,
    model: predicted.model,
    report,
    timings,
  };
}

/** Less than this share of the picture is a speck, not a product. */
const productShareMin = 0.0005;

async function predict(input: CutOutInput, model: string, version: string | undefined, prepared: PreparedInput) {
  const { output, modelName, modelVersion } = await input.models.predict({
    model,
    ...(version === undefined ? {} : { version }),
    input: prepared.tensor,
    tenant: input.tenant,
    deadlineAtMs: input.deadlineAtMs,
    signal: input.signal,
  });
  return { matte: output.data, model: `${modelName}@${modelVersion}` };
}

/** What the source already shows through stays seen through. */
function withSourceAlpha(matte: Uint8Array, photo: Photo): Uint8Array {
  if (photo.alpha === undefined) return matte;
  return matte.map((a, i) => Math.round((a * photo.alpha![i]!) / 255));
}
