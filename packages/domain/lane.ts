/**
 * Lanes of the ready queue. A job's lane depends on how many unfinished jobs its account had when it entered, so a small
 * customer never waits behind a bulk upload. The lanes are served by weight, so bulk uploads never starve.
 */

export const lanes = [0, 1, 2, 3] as const;
export type Lane = (typeof lanes)[number];

/** `unfinished` counts the account's jobs that were running or waiting when this one entered. */
export function laneForDepth(unfinished: number): Lane {
  if (unfinished < 2) return 0;
  if (unfinished < 16) return 1;
  if (unfinished < 128) return 2;
  return 3;
}

/** Fifteen turns with weights 8:4:2:1; every second turn is lane 0's. */
const turns: readonly Lane[] = [0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0];

/** The order in which to try the lanes for the `turn`-th free slot: first the lane whose turn it is, then 0 to 3. */
export function laneOrder(turn: number): readonly Lane[] {
  const first = turns[turn % turns.length]!;
  return [first, ...lanes.filter((lane) => lane !== first)];
}
