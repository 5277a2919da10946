import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterFailure, type FailureRecord, leastOutstanding, noFailures, type ServerLoad } from "./server-choice.ts";

const server = (inFlight: number, chosenAt = 0, isEjected = false): ServerLoad => ({ inFlight, chosenAt, isEjected });

describe("the least outstanding server", () => {
  it("is the one with the fewest requests in flight, and among equals the one that was chosen longest ago", () => {
    const busy = server(3, 1);
    const recent = server(1, 9);
    const longAgo = server(1, 4);
    expect(leastOutstanding([busy, recent, longAgo])).toBe(longAgo);
    expect(leastOutstanding([])).toBeUndefined();
  });

  it("is an ejected one only where all are ejected", () => {
    const ejected = server(0, 0, true);
    const busy = server(7);
    expect(leastOutstanding([ejected, busy])).toBe(busy);
    expect(leastOutstanding([ejected, server(2, 0, true)])).toBe(ejected);
  });

  it("keeps the requests of servers within one of each other, in whatever order they come and end", () => {
    const events = fc.array(fc.oneof(fc.constant("comes" as const), fc.nat(3)), { maxLength: 200 });
    fc.assert(
      fc.property(events, (order) => {
        const servers = Array.from({ length: 4 }, () => ({ inFlight: 0, chosenAt: 0, isEjected: false }));
        for (const [at, event] of order.entries()) {
          const fewest = Math.min(...servers.map(({ inFlight }) => inFlight));
          if (event === "comes") {
            const chosen = leastOutstanding(servers)!;
            expect(chosen.inFlight).toBe(fewest);
            chosen.inFlight += 1;
            chosen.chosenAt = at + 1;
          } else if (servers[event]!.inFlight > 0) servers[event]!.inFlight -= 1;
        }
      }),
    );
  });

  it("gives equal shares when requests come one at a time", () => {
    const servers = Array.from({ length: 3 }, () => ({ inFlight: 0, chosenAt: 0, isEjected: false, taken: 0 }));
    for (let at = 1; at <= 30; at += 1) {
      const chosen = leastOutstanding(servers)!;
      chosen.chosenAt = at;
      chosen.taken += 1;
    }
    expect(servers.map(({ taken }) => taken)).toEqual([10, 10, 10]);
  });
});

describe("a server that fails", () => {
  const failTimes = (times: number, nowMs: number, record: FailureRecord = noFailures): FailureRecord =>
    Array.from({ length: times }).reduce<FailureRecord>((found) => afterFailure(found, nowMs), record);

  it("is ejected for five seconds by its fifth failure in a row", () => {
    expect(failTimes(4, 1_000).ejectedUntilMs).toBe(0);
    expect(failTimes(5, 1_000)).toMatchObject({ ejections: 1, ejectedUntilMs: 6_000 });
  });

  it("is not ejected for longer by requests that were in flight when it was", () => {
    expect(failTimes(60, 1_000)).toMatchObject({ ejections: 1, ejectedUntilMs: 6_000 });
  });

  it("is ejected for twice as long by its next failure, up to a minute", () => {
    let record = failTimes(5, 0);
    const lasted = Array.from({ length: 5 }, () => {
      const nowMs = record.ejectedUntilMs;
      record = afterFailure(record, nowMs);
      return record.ejectedUntilMs - nowMs;
    });
    expect(lasted).toEqual([10_000, 20_000, 40_000, 60_000, 60_000]);
  });
});
