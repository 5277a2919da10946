/** When a failed delivery is retried: often in the hour in which the result's links work, then over two days. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Delays after the first failure, the second, and so on: five retries within 52 minutes, four more in 42 hours. */
export const retryDelaysMs = [
  5 * second,
  1 * minute,
  5 * minute,
  15 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  24 * hour,
] as const;

/** A delay is lengthened by up to this share, so that deliveries that failed together do not come back together. */
const jitterMax = 0.1;
/** A receiver may ask for a longer delay than the schedule's, up to this. */
export const retryAfterMsMax = 24 * hour;

export type RetryDecision = { readonly kind: "retry"; readonly afterMs: number } | { readonly kind: "exhausted" };

/**
 * `failures`: how many attempts have failed, this one included. `retryAfterMs`: the delay that the receiver asked for;
 * it lengthens the schedule's delay and never shortens it. `random01` is in [0, 1).
 */
export function nextRetry(failures: number, retryAfterMs: number | undefined, random01: number): RetryDecision {
  const delayMs = retryDelaysMs[failures - 1];
  if (delayMs === undefined) return { kind: "exhausted" };
  const askedMs = Math.min(retryAfterMs ?? 0, retryAfterMsMax);
  return { kind: "retry", afterMs: Math.round(Math.max(delayMs, askedMs) * (1 + jitterMax * random01)) };
}

/** `Retry-After` (RFC 9110 §10.2.3) is seconds or an HTTP date; undefined when it is absent, past or unreadable. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const afterMs = /^\d{1,9}$/.test(text) ? Number(text) * second : Date.parse(text) - nowMs;
  return Number.isFinite(afterMs) && afterMs > 0 ? afterMs : undefined;
}

/** A webhook whose endpoint has not accepted one delivery for this long is disabled. */
export const failingMsMax = 72 * hour;

export function isFailingTooLong(failingSince: string | null, nowMs: number): boolean {
  return failingSince !== null && nowMs - Date.parse(failingSince) >= failingMsMax;
}
