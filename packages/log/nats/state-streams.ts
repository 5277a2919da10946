/**
 * The state streams hold all records of the log. A log has one of them or four, fixed when its streams are made, and each
 * holds an equal part of the shards. To the one that is cut into four nothing is promised: sequences count within a
 * stream, and accounts, cursors and events refer to them.
 */
import { shards, streams } from "@packshot/domain/subjects.ts";

export type StateStreamCount = 1 | 4;
export const stateStreamCounts: readonly StateStreamCount[] = [1, 4];

/** A state stream with the copy of its events. Each has its own keeper, fan-out, janitor and repair. */
export interface StateStream {
  readonly index: number;
  readonly state: string;
  readonly events: string;
  /** Subjects that it stores. */
  readonly subjects: readonly string[];
}

export function listStateStreams(count: StateStreamCount): StateStream[] {
  return Array.from({ length: count }, (_, index) => ({
    index,
    state: nameOf(streams.state, index),
    events: nameOf(streams.events, index),
    subjects: count === 1 ? ["ps.>"] : subjectsOf(index, count),
  }));
}

function nameOf(first: string, index: number): string {
  return index === 0 ? first : `${first}_${index}`;
}

function subjectsOf(index: number, count: number): string[] {
  const own = shards.filter((shard) => indexOf(shard, count) === index).map((shard) => `ps.${shard}.>`);
  return [...(index === 0 ? ["ps.schema"] : []), `ps.log${index}.>`, ...own];
}

/** Index, among `count`, of the stream that stores `subject`. Throws when the subject names none, as with a wildcard. */
export function stateStreamIndex(subject: string, count: number): number {
  if (count === 1) return 0;
  const [, token = ""] = subject.split(".", 2);
  if (token === "schema") return 0;
  const index = token.startsWith("log") ? Number(token.slice("log".length)) : indexOf(token, count);
  if (Number.isInteger(index) && index >= 0 && index < count) return index;
  throw new RangeError(`"${subject}" names no shard, so no state stream`);
}

function indexOf(shard: string, count: number): number {
  const at = shards.indexOf(shard);
  return at === -1 ? Number.NaN : at % count;
}
