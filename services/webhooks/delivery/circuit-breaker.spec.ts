import { describe, expect, it } from "vitest";
import { type CircuitBreaker, createCircuitBreaker } from "./endpoint-admission.ts";

function fail(breaker: CircuitBreaker, times: number, nowMs: number): void {
  for (let n = 0; n < times; n++) breaker.recordFailure(nowMs);
}

describe("a circuit breaker", () => {
  it("trips after five failures in a row, not after five with a success between them", () => {
    const breaker = createCircuitBreaker();
    fail(breaker, 4, 0);
    breaker.recordSuccess();
    fail(breaker, 4, 0);
    expect(breaker.state(0)).toBe("closed");
    fail(breaker, 1, 0);
    expect(breaker.state(0)).toBe("open");
  });

  it("is half-open when its time has come, and lets one probe go beside nothing else", () => {
    const breaker = createCircuitBreaker();
    fail(breaker, 5, 1_000);
    expect([breaker.state(5_999), breaker.allows(5_999, 0, false)]).toEqual(["open", false]);
    expect([breaker.state(6_000), breaker.allows(6_000, 0, false)]).toEqual(["half-open", true]);
    expect(breaker.allows(6_000, 1, false)).toBe(false);
  });

  it("closes at the probe's success, and opens for twice as long at its failure", () => {
    const breaker = createCircuitBreaker();
    fail(breaker, 5, 0);
    fail(breaker, 1, 5_000);
    expect([breaker.state(14_999), breaker.state(15_000)]).toEqual(["open", "half-open"]);
    breaker.recordSuccess();
    expect(breaker.state(15_000)).toBe("closed");
  });

  it("schedules one probe at a time, and another when that one does not come", () => {
    const breaker = createCircuitBreaker();
    fail(breaker, 5, 0);
    expect(breaker.scheduleProbe(0, 0)).toBe(5_000);
    expect(breaker.scheduleProbe(64_999, 0)).toBeUndefined();
    expect(breaker.scheduleProbe(65_000, 1)).toBeUndefined();
    expect(breaker.scheduleProbe(65_000, 0)).toBe(65_000);
  });
});
