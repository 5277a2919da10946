/** Marks a response that was stored for the Idempotency-Key of an earlier request. */
export const replayedHeader = { "Idempotency-Replayed": "true" } as const;
