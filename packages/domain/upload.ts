/** An upload session: bytes are sent to its address once, edits carry only its id. */
export interface Upload {
  readonly v: 1;
  readonly id: string;
  readonly accountId: string;
  /** false: made with a test key, for test jobs. */
  readonly live: boolean;
  readonly contentType: string;
  readonly filename: string;
  readonly sizeBytes: number;
  readonly createdAt: string;
  readonly expiresAt: string;
}
