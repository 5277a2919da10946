const waitSecondsMax = 60;

/** RFC 7240: `Prefer: wait=N` in seconds; an invalid value is ignored. */
export function parsePreferWait(prefer: string | undefined): number | undefined {
  const match = /(?:^|[,;])\s*wait\s*=\s*"?(\d+)"?\s*(?:$|[,;])/i.exec(prefer ?? "");
  return match === null ? undefined : Math.min(waitSecondsMax, Number(match[1]));
}

/** Marks a response that was stored for the Idempotency-Key of an earlier request. */
export const replayedHeader = { "Idempotency-Replayed": "true" } as const;
