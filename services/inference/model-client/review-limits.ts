/**
 * From which expected miss on a person should review a cut-out. The limits belong to a model's weights, beside which
 * its `config.pbtxt` states them.
 */

import { PackshotError } from "@packshot/domain/errors.ts";

/**
 * The largest share of the overlap with the truth that may be expected to be missing: where the product touches no
 * side of the photo, one side, two and so on. The last holds for more sides, too.
 */
export type ReviewLimits = readonly number[];

/** For models that state none: those of the bundled weights. */
export const defaultReviewLimits: ReviewLimits = [0.0395, 0.0383, 0.0372];

export const reviewLimitsKey = "packshot.review_limits";

/** @param text limits with spaces between them */
export function parseReviewLimits(model: string, text: string | undefined): ReviewLimits | undefined {
  if (text === undefined) return undefined;
  const limits = text.trim().split(/\s+/).map(Number);
  if (text.trim() !== "" && limits.every((limit) => limit >= 0 && limit <= 1)) return limits;
  throw new PackshotError(
    "model_unavailable",
    `The model ${model} cannot be used: ${reviewLimitsKey} is not numbers from 0 to 1 with spaces between them.`,
  );
}
