/**
 * Lanes of the ready queue: the depth at which a job entered decides its lane, so a newcomer never stands behind a
 * bulk upload, and the weights of the draw see to it that bulk never starves.
 */

export const lanes = [0, 1, 2, 3] as const;
export type Lane = (typeof lanes)[number];

/** `unfinished`: how many jobs of the account were running or waiting when this one entered. */
export function laneForDepth(unfinished: number): Lane {
  if (unfinished < 2) return 0;
  if (unfinished < 16) return 1;
  if (unfinished < 128) return 2;
  return 3;
}

/** Fifteen turns, weights 8:4:2:1, lane 0 at least every second turn. */
const turns: readonly Lane[] = [0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0];

/** The order in which to try the lanes for the `turn`-th free slot: whose turn it is first, the others in their own order. */
export function laneOrder(turn: number): readonly Lane[] {
  const first = turns[turn % turns.length]!;
  return [first, ...lanes.filter((lane) => lane !== first)];
}
