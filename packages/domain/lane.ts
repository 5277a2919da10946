/**
 * Lanes of the ready queue. A live job's lane depends on how many unfinished jobs its account had when it entered, so a
 * small customer never waits behind a bulk upload. The live lanes are served by weight, so bulk uploads never starve.
 * Sandbox jobs have a lane apart.
 */

export const liveLanes = [0, 1, 2, 3] as const;
/** Workers serve it with a slot of its own, so that a sandbox job never stands before a live one. */
export const sandboxLane = 4;
export const lanes = [...liveLanes, sandboxLane] as const;
export type LiveLane = (typeof liveLanes)[number];
export type Lane = (typeof lanes)[number];

/** `unfinished` counts the account's live jobs that were running or waiting when this one entered. */
export function laneForDepth(unfinished: number): LiveLane {
  if (unfinished < 2) return 0;
  if (unfinished < 16) return 1;
  if (unfinished < 128) return 2;
  return 3;
}

/** Fifteen turns with weights 8:4:2:1; every second turn is lane 0's. */
const turns: readonly LiveLane[] = [0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0];

/** The order in which to try the live lanes for the `turn`-th free slot: the lane whose turn it is, then 0 to 3. */
export function laneOrder(turn: number): readonly LiveLane[] {
  const first = turns[turn % turns.length]!;
  return [first, ...liveLanes.filter((lane) => lane !== first)];
}
