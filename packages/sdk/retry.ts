/** When a request is tried again, and after how long: decisions over plain data. */
import type { PackshotError } from "./packshot-error.ts";

const firstDelayMs = 500;
const delayMsMax = 8_000;

export interface RetryLimits {
  /** Tries after the first. */
  readonly retriesMax: number;
  /** A longer `Retry-After` is not waited for: the error says it. */
  readonly retryAfterMsMax: number;
}

/** The request was refused before any work. */
const tooManyRequests = 429;
/** It may have been done or not. */
const transient: ReadonlySet<number> = new Set([408, 500, 502, 503, 504]);

/**
 * Milliseconds until the next try; undefined: the error is final. A request that is not repeatable (it has no idempotency
 * key and does not name what it changes) is tried again only when the service said that it did nothing.
 */
export function retryDelayMs(
  error: PackshotError,
  tries: number,
  isRepeatable: boolean,
  { retriesMax, retryAfterMsMax }: RetryLimits,
  random: () => number = Math.random,
): number | undefined {
  if (tries > retriesMax) return undefined;
  const { code, status, retryAfterMs } = error;
  const mayRepeat =
    isRepeatable && (code === "connection_failed" || code === "timed_out" || transient.has(status ?? 0));
  if (!mayRepeat && status !== tooManyRequests) return undefined;
  const backoffMs = Math.min(delayMsMax, firstDelayMs * 2 ** (tries - 1));
  const jittered = backoffMs * (0.5 + random() / 2);
  if (retryAfterMs === undefined) return jittered;
  // Clients that were refused together must not come back together.
  return retryAfterMs > retryAfterMsMax ? undefined : retryAfterMs + random() * firstDelayMs;
}

/** `Retry-After`: seconds, or a date. */
export function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null || value.trim() === "") return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
