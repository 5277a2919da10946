/** The network's matte of the photo, and of the region of interest where test-time augmentation has something to add. */

import type { Backdrop } from "../../imaging/matting/evidence/backdrop.ts";
import type { Prior } from "../../imaging/matting/evidence/prior.ts";
import { prepareInput } from "../../imaging/matting/predict/model-input.ts";
import {
  cropPixels,
  flipHorizontally,
  mergePredictions,
  needsSecondPrediction,
  regionOfInterest,
} from "../../imaging/matting/predict/test-time-augmentation.ts";
import { measurePhoto } from "../../imaging/matting/refine-matte.ts";
import { measurePhotoFaults } from "../../imaging/source/measure-source.ts";
import type { Tensor } from "../../model-client/model-client.ts";
import type { CutOutInput, CutOutStart, Decoded, Predicted, Prepared } from "./cut-out-context.ts";

export async function predictMatte(context: CutOutStart & Decoded & Prepared): Promise<Predicted> {
  const { input, prepared, modelInput, photo, view, onGrid, refine, hold } = context;
  const predicting = predict(input, prepared.tensor);
  // If this thread fails before it awaits the prediction, a failed prediction must not count as an unhandled rejection.
  predicting.catch(() => undefined);
  // While the network runs elsewhere, this thread fits the backdrop, and measures the photo.
  const backdrop = await prepared.backdrop();
  const measured = refine ? hold?.(() => measurePhoto(onGrid, backdrop)) : undefined;
  const faults = measurePhotoFaults(view?.whole ?? photo);
  const { prior: whole, model } = await predicting;
  const prior = modelInput.testTimeAugmentation ? await augmentPrediction(context, whole, backdrop) : whole;
  return { backdrop, prior, model, measured, faults };
}

/** Predicts the region of interest by itself, mirrored, and merges both predictions; not where the first one is certain. */
async function augmentPrediction(
  { input, alwaysAugment, photo, flat, reduced, onGrid, modelInput }: CutOutStart & Decoded & Prepared,
  whole: Prior,
  backdrop: Backdrop,
): Promise<Prior> {
  const region = regionOfInterest(whole, onGrid);
  if (region === undefined) return whole;
  if (!alwaysAugment && !needsSecondPrediction(whole, region, onGrid, backdrop)) return whole;
  const reducedBox = regionOfInterest(whole, reduced)!;
  // The full-size photo shows more of a small product than the reduced photo does.
  const isSmall = Math.min(reducedBox.width / modelInput.width, reducedBox.height / modelInput.height) < 1;
  const box = isSmall ? regionOfInterest(whole, photo)! : reducedBox;
  const crop = isSmall ? cropPixels(flat, photo, box) : cropPixels(reduced.rgb, reduced, box);
  const { tensor } = await prepareInput(crop, box, modelInput);
  const { prior: mirrored } = await predict(input, flipHorizontally(tensor));
  const { data } = flipHorizontally({ shape: [1, mirrored.height, mirrored.width, 1], data: mirrored.alpha });
  return mergePredictions(whole, { ...mirrored, alpha: data }, region, onGrid);
}

type Asking = Pick<CutOutInput, "models" | "parameters" | "tenant" | "deadlineAtMs" | "signal">;

export async function predict(input: Asking, tensor: Tensor): Promise<Pick<Predicted, "prior" | "model">> {
  const { output, modelName, modelVersion } = await input.models.predict({
    model: input.parameters.model,
    input: tensor,
    tenant: input.tenant,
    deadlineAtMs: input.deadlineAtMs,
    signal: input.signal,
  });
  const [, height, width] = tensor.shape as [number, number, number, number];
  return { prior: { width, height, alpha: output.data, networkPixel: 1 }, model: `${modelName}@${modelVersion}` };
}
