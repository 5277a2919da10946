/** When a failed delivery is tried again: dense inside the hour in which the links live, then over two days. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Waits after the first failure, the second, and so on: five retries within 52 minutes, four more within 42 hours. */
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

/** Share of the delay by which it is stretched at most, so that what failed together does not come back together. */
const jitterMax = 0.1;
/** A receiver may ask for more patience than the schedule has, not for ever. */
export const retryAfterMsMax = 24 * hour;

export type RetryDecision = { readonly kind: "retry"; readonly afterMs: number } | { readonly kind: "exhausted" };

/**
 * `failures`: how many attempts have failed, this one included. `retryAfterMs`: what the receiver asked for; it
 * lengthens a wait and never shortens one. `random01` in [0, 1).
 */
export function nextRetry(failures: number, retryAfterMs: number | undefined, random01: number): RetryDecision {
  const delayMs = retryDelaysMs[failures - 1];
  if (delayMs === undefined) return { kind: "exhausted" };
  const asked = Math.min(retryAfterMs ?? 0, retryAfterMsMax);
  return { kind: "retry", afterMs: Math.round(Math.max(delayMs, asked) * (1 + jitterMax * random01)) };
}

/** `Retry-After` (RFC 9110 §10.2.3): seconds or an HTTP date; undefined when absent, past or unreadable. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const afterMs = /^\d{1,9}$/.test(text) ? Number(text) * second : Date.parse(text) - nowMs;
  return Number.isFinite(afterMs) && afterMs > 0 ? afterMs : undefined;
}

/** An endpoint that has not taken one delivery for this long is disabled. */
export const failingMsMax = 72 * hour;

export function isFailingTooLong(failingSince: string | null, nowMs: number): boolean {
  return failingSince !== null && nowMs - Date.parse(failingSince) >= failingMsMax;
}
