/** The response to the first request with an `Idempotency-Key`, kept for 24 h. */
export interface IdempotencyRecord {
  readonly v: 1;
  /** Hex SHA-256 of the operation, the canonical parameters and the file's hash or reference. */
  readonly fingerprint: string;
  readonly status: number;
  readonly body: unknown;
  /** The job, upload or webhook that the first request created. */
  readonly subjectId: string;
}
