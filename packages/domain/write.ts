/** One message of an atomic batch to `PS_STATE`: what a transition decides, and the log commits. */
export interface Write {
  readonly subject: string;
  /** The record, as JSON; null is a tombstone (an empty message). */
  readonly value: object | null;
  /** The subject's last sequence that the decision was made on; 0: the record must not exist. Absent: unconditional. */
  readonly expected?: number;
  readonly ttlSeconds?: number;
}

/** A record as it was read, with the sequence that a compare-and-set expects. */
export interface Versioned<T> {
  readonly value: T;
  readonly sequence: number;
}
