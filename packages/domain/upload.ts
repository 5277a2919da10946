/** An upload session. The bytes are sent to its address once; edits then name only its id. */
export interface Upload {
  readonly v: 1;
  readonly id: string;
  readonly accountId: string;
  /** false: created with a test key, for sandbox jobs. */
  readonly live: boolean;
  readonly contentType: string;
  readonly filename: string;
  readonly sizeBytes: number;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Absent: a version wrote it that counted no sessions. */
  readonly isCounted?: true;
}
