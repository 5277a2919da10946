/** The first answer to an `Idempotency-Key`, kept for 24 h. */
export interface IdempotencyRecord {
  readonly v: 1;
  /** Hex SHA-256 over operation, canonical parameters and the file's hash or reference. */
  readonly fingerprint: string;
  readonly status: number;
  readonly body: unknown;
  /** The job (or upload, webhook) that the first answer made. */
  readonly subjectId: string;
}
