import { expect, test } from "vitest";
import { PackshotError } from "./packshot-error.ts";
import { parseRetryAfter, retryDelayMs } from "./transport.ts";

const limits = { retriesMax: 3, retryAfterMsMax: 60_000 };
const refused = (status: number, retryAfterMs?: number) =>
  new PackshotError("unavailable", "", { status, retryAfterMs });
const never = new PackshotError("connection_failed", "");

test("waits grow with each try, between half of a doubled delay and all of it, and end after the last try", () => {
  const delays = (random: number) =>
    [1, 2, 3, 4].map((tries) => retryDelayMs(never, tries, true, limits, () => random));
  expect(delays(1)).toEqual([500, 1_000, 2_000, undefined]);
  expect(delays(0)).toEqual([250, 500, 1_000, undefined]);
});

test("a Retry-After is waited for, never shortened, and one that is too long is left to the caller", () => {
  expect(retryDelayMs(refused(429, 5_000), 1, true, limits, () => 0)).toBe(5_000);
  expect(retryDelayMs(refused(503, 5_000), 1, true, limits, () => 1)).toBe(5_500);
  expect(retryDelayMs(refused(429, 61_000), 1, true, limits)).toBeUndefined();
});

test("a request that might be done twice is tried again only after a refusal for its rate", () => {
  for (const status of [408, 500, 502, 503, 504]) {
    expect(retryDelayMs(refused(status), 1, false, limits)).toBeUndefined();
    expect(retryDelayMs(refused(status), 1, true, limits)).toBeGreaterThan(0);
  }
  expect(retryDelayMs(never, 1, false, limits)).toBeUndefined();
  expect(retryDelayMs(refused(429), 1, false, limits)).toBeGreaterThan(0);
});

test.each([400, 401, 402, 403, 404, 409, 410, 413, 415, 422])("status %d is final", (status) => {
  expect(retryDelayMs(refused(status, 1), 1, true, limits)).toBeUndefined();
});

test("Retry-After is read as seconds or as a date", () => {
  const nowMs = Date.parse("2026-11-20T12:00:00Z");
  expect(parseRetryAfter("2", nowMs)).toBe(2_000);
  expect(parseRetryAfter("Fri, 20 Nov 2026 12:00:30 GMT", nowMs)).toBe(30_000);
  expect(parseRetryAfter("Fri, 20 Nov 2026 11:00:00 GMT", nowMs)).toBe(0);
  for (const value of [null, "", "soon"]) expect(parseRetryAfter(value, nowMs)).toBeUndefined();
});
