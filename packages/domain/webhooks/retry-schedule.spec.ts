import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  failingMsMax,
  isFailingTooLong,
  nextRetry,
  parseRetryAfter,
  retryAfterMsMax,
  retryDelaysMs,
} from "./delivery.ts";

const hourMs = 3_600_000;

describe("nextRetry", () => {
  it("gives five retries within the hour in which the links work, even with the largest jitter", () => {
    const insideTheHour = retryDelaysMs.slice(0, 5);
    const latestMs = insideTheHour.reduce((sum, _, n) => sum + delayAfter(n + 1, 0.999_999), 0);
    expect(latestMs).toBeLessThan(hourMs);
  });

  it("is exhausted after the ninth retry, within three days", () => {
    expect(nextRetry(10, undefined, 0)).toEqual({ kind: "exhausted" });
    const totalMs = retryDelaysMs.reduce((sum, delay) => sum + delay * 1.1, 0);
    expect(totalMs).toBeLessThan(failingMsMax);
  });

  it("never comes before its time nor before the receiver asked, and never waits much longer", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.option(fc.integer({ min: 0, max: 1000 * hourMs }), { nil: undefined }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (failures, askedMs, random01) => {
          const afterMs = delayAfter(failures, random01, askedMs);
          const leastMs = Math.max(retryDelaysMs[failures - 1]!, Math.min(askedMs ?? 0, retryAfterMsMax));
          expect(afterMs).toBeGreaterThanOrEqual(leastMs);
          expect(afterMs).toBeLessThanOrEqual(leastMs * 1.1 + 1);
        },
      ),
    );
  });
});

function delayAfter(failures: number, random01: number, askedMs?: number): number {
  const decision = nextRetry(failures, askedMs, random01);
  if (decision.kind !== "retry") throw new Error("exhausted");
  return decision.afterMs;
}

describe("parseRetryAfter", () => {
  const nowMs = Date.parse("2026-11-20T12:00:00Z");
  it.each([
    ["120", 120_000],
    [" 7 ", 7_000],
    ["Fri, 20 Nov 2026 12:01:00 GMT", 60_000],
    ["Fri, 20 Nov 2026 11:00:00 GMT", undefined],
    ["0", undefined],
    ["-5", undefined],
    ["soon", undefined],
    ["99999999999999999999", undefined],
    ["", undefined],
  ])('reads "%s"', (header, expected) => expect(parseRetryAfter(header, nowMs)).toBe(expected));

  it("is undefined when absent", () => expect(parseRetryAfter(undefined, nowMs)).toBeUndefined());
});

describe("isFailingTooLong", () => {
  const nowMs = Date.parse("2026-11-20T12:00:00Z");
  it("counts three days", () => {
    expect(isFailingTooLong(null, nowMs)).toBe(false);
    expect(isFailingTooLong("2026-11-17T12:00:01Z", nowMs)).toBe(false);
    expect(isFailingTooLong("2026-11-17T12:00:00Z", nowMs)).toBe(true);
  });
});
