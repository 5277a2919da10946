/**
 * From which doubt on a person should review a cut-out. Limits and weights belong to a model's weights, beside which
 * its `config.pbtxt` states them.
 */

import { PackshotError } from "@packshot/domain/errors.ts";

/**
 * The largest doubt that nobody has to look at: where the product touches no side of the photo, one side, two and so on. The
 * last holds for more sides, too.
 */
export type ReviewLimits = readonly number[];

/** What a doubt is made of: each number of the network is multiplied by its weight, and their sum is the doubt. */
export interface ReviewWeights {
  /** The share of the overlap with the truth that the network expects to be missing. */
  readonly missing: number;
  /** The share of the product of which it is not sure. */
  readonly uncertainty: number;
  /** The share of the cut-out that either prediction takes for gaps and that is filled. */
  readonly filledGaps: number;
}

/** For models that state none: those of former bundled weights. */
export const defaultReviewLimits: ReviewLimits = [0.0395, 0.0383, 0.0372];
/** For models that state none: what is missing is the doubt. */
export const defaultReviewWeights: ReviewWeights = { missing: 1, uncertainty: 0, filledGaps: 0 };

export const reviewLimitsKey = "packshot.doubt_limits";
export const reviewWeightsKey = "packshot.doubt_weights";
/** The limits on what is missing alone. Workers of 0.2.0 read no others, and may run beside newer ones. */
export const missingLimitsKey = "packshot.review_limits";

/** What a model's configuration says of reviews; each is undefined where it says nothing. */
export function readReview(
  model: string,
  parameterOf: (key: string) => string | undefined,
): { readonly reviewLimits: ReviewLimits | undefined; readonly reviewWeights: ReviewWeights | undefined } {
  const reviewLimits = parseReviewLimits(model, parameterOf(reviewLimitsKey), reviewLimitsKey);
  if (reviewLimits === undefined) {
    const missingLimits = parseReviewLimits(model, parameterOf(missingLimitsKey), missingLimitsKey);
    return { reviewLimits: missingLimits, reviewWeights: undefined };
  }
  return { reviewLimits, reviewWeights: parseReviewWeights(model, parameterOf(reviewWeightsKey)) };
}

/** @param text limits with spaces between them */
function parseReviewLimits(model: string, text: string | undefined, key: string): ReviewLimits | undefined {
  if (text === undefined) return undefined;
  const limits = parseNumbers(text);
  if (limits.length > 0 && limits.every((limit) => limit >= 0 && limit <= 1)) return limits;
  throw unusable(model, `${key} is not numbers from 0 to 1 with spaces between them`);
}

/** @param text the weights of what is missing, of the uncertainty and of filled gaps, with spaces between them */
function parseReviewWeights(model: string, text: string | undefined): ReviewWeights | undefined {
  if (text === undefined) return undefined;
  const weights = parseNumbers(text);
  const [missing, uncertainty, filledGaps] = weights;
  if (weights.length === 3 && weights.every((weight) => weight >= 0 && weight < Infinity)) {
    return { missing: missing!, uncertainty: uncertainty!, filledGaps: filledGaps! };
  }
  throw unusable(model, `${reviewWeightsKey} is not three numbers, none below 0, with spaces between them`);
}

function parseNumbers(text: string): number[] {
  return text.trim() === "" ? [] : text.trim().split(/\s+/).map(Number);
}

function unusable(model: string, why: string): PackshotError {
  return new PackshotError("model_unavailable", `The model ${model} cannot be used: ${why}.`);
}
