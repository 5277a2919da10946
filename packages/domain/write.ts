/** One message of an atomic batch to `PS_STATE`, which a transition decides and the log commits. */
export interface Write {
  readonly subject: string;
  /** The record, as JSON; null is a tombstone (an empty message). */
  readonly value: object | null;
  /** The record's sequence on which the decision is based; 0: the record must not exist. Absent: unconditional. */
  readonly expected?: number;
  readonly ttlSeconds?: number;
}

/** A record as read, with the sequence that a compare-and-set expects. */
export interface Versioned<T> {
  readonly value: T;
  readonly sequence: number;
}
