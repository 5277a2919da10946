/**
 * Lanes of the ready queue: the depth at which a job entered decides its lane, so a newcomer never stands behind a
 * bulk upload, and the weights see to it that bulk never starves.
 */

export const lanes = [0, 1, 2, 3] as const;
export type Lane = (typeof lanes)[number];

export const laneWeights: Readonly<Record<Lane, number>> = { 0: 8, 1: 4, 2: 2, 3: 1 };

/** `unfinished`: how many jobs of the account were running or waiting when this one entered. */
export function laneAt(unfinished: number): Lane {
  if (unfinished < 2) return 0;
  if (unfinished < 16) return 1;
  if (unfinished < 128) return 2;
  return 3;
}

/** The order in which to try the lanes for one free slot: the first drawn by weight, the others in their own order. */
export function drawLanes(random01: number): readonly Lane[] {
  const total = lanes.reduce<number>((sum, lane) => sum + laneWeights[lane], 0);
  let point = random01 * total;
  let first: Lane = 3;
  for (const lane of lanes) {
    point -= laneWeights[lane];
    if (point < 0) {
      first = lane;
      break;
    }
  }
  return [first, ...lanes.filter((lane) => lane !== first)];
}
