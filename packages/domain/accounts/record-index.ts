/**
 * What an account has, in one record of the log that is read by its name: a search for its records would look through
 * the whole stream and hold up every write meanwhile.
 */
import type { DayUsage } from "./day-usage.ts";

/** Kinds of records whose ids an index lists; the account counts them. */
export type IndexedKind = "keys" | "webhooks" | "connections" | "presets";

/** As many ids as the account's limit allows. Written in the batch that creates or removes what it lists. */
export interface RecordIndex {
  readonly v: 1;
  readonly ids: readonly string[];
}

/**
 * The usage of finished days, which does not change any more. Whoever lists usage adds the days that have ended since:
 * accepts, which count usage, need not read the index.
 */
export interface UsageIndex {
  readonly v: 1;
  /** All days before this one are in `days`. */
  readonly before: string;
  /** Oldest first. */
  readonly days: readonly DayUsage[];
}

/** The batches of an account that have files. */
export interface BatchIndex extends RecordIndex {
  /** Those that had not ended when a batch was last made, and that one. */
  readonly openIds: readonly string[];
}
