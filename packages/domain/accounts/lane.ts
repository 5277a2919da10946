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

/**
 * `unfinished` counts the account's live jobs that were running or waiting when this one entered. Of a row of a batch it is
 * at least the other rows of the batch that have not ended: how quickly the batch is served must not bring its rows before newcomers.
 */
export function laneForDepth(unfinished: number): LiveLane {
  if (unfinished < 2) return 0;
  if (unfinished < 16) return 1;
  if (unfinished < 128) return 2;
  return 3;
}

/** Shares of the free slots while all live lanes have jobs. */
const weights: Readonly<Record<LiveLane, number>> = { 0: 8, 1: 4, 2: 2, 3: 1 };

/**
 * Whose turn it is among the live lanes, by start-time fair queueing: one number for each lane, and the lowest goes first.
 * Each job that a lane gives raises its number by the inverse of its weight. A lane without jobs is taken along by the
 * others: it saves nothing up, but its next job goes before those of lanes that had their share meanwhile. After an hour without
 * jobs lane 0 is ahead by one job, not by an hour of turns.
 *
 * Turns in a fixed order would have a newcomer wait whenever the turn of lane 0 was just over, though it had no jobs then: a
 * slot of a CPU worker is free only some times a second. Lane 0 before all others would be simpler, but newcomers that keep
 * coming would starve bulk uploads.
 */
export type LaneTurns = readonly number[];

/**
 * Bulk lanes begin in random order, so that workers that start together do not draw the same ones in step. Lane 0 is
 * first: a newcomer does not wait behind bulk jobs because a worker has just started.
 */
export function firstLaneTurns(random: () => number): LaneTurns {
  return liveLanes.map((lane) => (lane === 0 ? 0 : random() / weights[lane]));
}

/** The order in which a free slot tries the lanes. */
export function laneOrder(turns: LaneTurns): readonly LiveLane[] {
  return liveLanes.toSorted((a, b) => turns[a]! - turns[b]!);
}

/** After the lane has given a job. */
export function turnsAfter(turns: LaneTurns, lane: LiveLane): LaneTurns {
  const now = turns[lane]!;
  return liveLanes.map((each) => (each === lane ? now + 1 / weights[each] : Math.max(now, turns[each]!)));
}
