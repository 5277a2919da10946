/** Fits the doubts from which a person should review a cut-out, on cut-outs whose overlap with the truth is known. */

export interface ReviewSample {
  /** The weighted sum of what the network is not sure of (`ReviewWeights`). */
  readonly doubt: number;
  /** Number of the photo's sides that the product touches. */
  readonly sides: number;
  /** Whether another reason already asks for a review. */
  readonly isReviewedAnyway: boolean;
  readonly isWrong: boolean;
}

const sidesMax = 4;

/**
 * A logistic regression of wrongness on the logarithm of the doubt and on the sides touched gives the ratio of the
 * limits; the share of wrong cut-outs that must be found gives their height.
 *
 * @param share of the wrong samples for which a review must be asked
 * @returns limits by number of sides touched
 */
export function fitReviewLimits(samples: readonly ReviewSample[], share: number): number[] {
  const [, slope, perSide] = regress(samples);
  if (slope <= 0) throw new Error("the doubt does not tell wrong cut-outs from right ones");
  const factor = Math.max(0, perSide) / slope;
  const score = ({ doubt, sides }: ReviewSample) => logOf(doubt) + factor * sides;
  const wrong = samples.filter(({ isWrong }) => isWrong);
  const scores = wrong.map((sample) => (sample.isReviewedAnyway ? Infinity : score(sample))).sort((a, b) => b - a);
  const least = scores[Math.ceil(share * wrong.length) - 1]!;
  if (least === Infinity) throw new Error("the other reasons alone find enough wrong cut-outs");
  // A review is asked for above the limit, so the limit lies below the least score that must be found.
  return Array.from({ length: sidesMax + 1 }, (_, sides) => justBelow(Math.exp(least - factor * sides)));
}

type Weights = readonly [constant: number, slope: number, perSide: number];

const rounds = 30;
/** Keeps the weights finite where the samples can be told apart without error. */
const ridge = 1e-3;

/** Newton's method. */
function regress(samples: readonly ReviewSample[]): Weights {
  let weights: Weights = [0, 0, 0];
  for (let round = 0; round < rounds; round++) {
    const gradient = weights.map((weight) => -ridge * weight);
    const hessian = weights.map((_, row) => weights.map((__, column) => (row === column ? ridge : 0)));
    for (const { doubt, sides, isWrong } of samples) {
      const inputs = [1, logOf(doubt), sides];
      const odds = 1 / (1 + Math.exp(-inputs.reduce((sum, input, i) => sum + input * weights[i]!, 0)));
      for (const [row, input] of inputs.entries()) {
        gradient[row]! += input * ((isWrong ? 1 : 0) - odds);
        for (const [column, other] of inputs.entries()) hessian[row]![column]! += input * other * odds * (1 - odds);
      }
    }
    const step = solve(hessian, gradient);
    weights = [weights[0] + step[0]!, weights[1] + step[1]!, weights[2] + step[2]!];
  }
  return weights;
}

/** Gauss's elimination of a small positive definite system. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  for (const [pivot, pivotRow] of rows.entries()) {
    for (const [at, row] of rows.entries()) {
      if (at === pivot) continue;
      const factor = row[pivot]! / pivotRow[pivot]!;
      for (let column = pivot; column < row.length; column++) row[column]! -= factor * pivotRow[column]!;
    }
  }
  return rows.map((row, i) => row.at(-1)! / row[i]!);
}

function logOf(doubt: number): number {
  return Math.log(Math.max(doubt, 1e-4));
}

/** To four digits. */
function justBelow(value: number): number {
  return Math.max(0, Math.ceil(Math.min(1, value) * 10_000 - 1e-6) - 1) / 10_000;
}
