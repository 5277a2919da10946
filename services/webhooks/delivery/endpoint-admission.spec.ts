import { describe, expect, it } from "vitest";
import { createEndpointAdmission, createEndpointAdmissions, type EndpointAdmission } from "./endpoint-admission.ts";

const fast = { kind: "answered", durationMs: 20 } as const;
const failed = { kind: "failed" } as const;
const admitted = { kind: "admitted" } as const;
const circuit = { kind: "rejected", reason: "circuit" } as const;

/** Admits until rejected: how many may be in flight at once. */
function concurrencyOf(endpoint: EndpointAdmission, nowMs: number): number {
  let count = 0;
  while (endpoint.admit(nowMs).kind === "admitted") count += 1;
  for (let n = 0; n < count; n++) endpoint.complete({ kind: "answered", durationMs: 3_000 }, nowMs, false);
  return count;
}

function fail(endpoint: EndpointAdmission, times: number, nowMs: number): void {
  for (let n = 0; n < times; n++) {
    expect(endpoint.admit(nowMs).kind).toBe("admitted");
    endpoint.complete(failed, nowMs, false);
  }
}

describe("the admission of an endpoint", () => {
  it("is fast at first when its record is healthy, and has a limit of one when it is not", () => {
    expect(createEndpointAdmission(true).admit(0)).toEqual({ kind: "admitted", isFast: true });
    expect(concurrencyOf(createEndpointAdmission(true), 0)).toBe(256);
    const failing = createEndpointAdmission(false);
    expect(failing.admit(0)).toEqual({ kind: "admitted", isFast: false });
    expect(failing.admit(0)).toMatchObject({ kind: "rejected", reason: "concurrency" });
    failing.complete(fast, 0, false);
    expect(failing.isFast).toBe(true);
  });

  it("admits a few while the endpoint answers though slowly", () => {
    const endpoint = createEndpointAdmission(false);
    for (let n = 0; n < 200; n++) {
      endpoint.admit(0);
      endpoint.complete({ kind: "answered", durationMs: 14_000 }, 0, false);
    }
    expect(endpoint.isFast).toBe(false);
    expect(concurrencyOf(endpoint, 0)).toBe(16);
  });

  it("does not take this process's own slowness for the endpoint's", () => {
    const endpoint = createEndpointAdmission(true);
    endpoint.admit(0);
    endpoint.complete({ kind: "answered", durationMs: 5_000 }, 0, true);
    expect(endpoint.isFast).toBe(true);
  });

  it("is not fast while four of its requests are overdue, or one when it has never answered", () => {
    const unanswered = createEndpointAdmission(true);
    unanswered.admit(0);
    unanswered.beginOverdue();
    expect(unanswered.isFast).toBe(false);

    const endpoint = createEndpointAdmission(true);
    endpoint.admit(0);
    endpoint.complete(fast, 0, false);
    for (let n = 0; n < 4; n++) {
      endpoint.admit(0);
      endpoint.beginOverdue();
    }
    expect(endpoint.isFast).toBe(false);
    endpoint.endOverdue();
    expect(endpoint.isFast).toBe(true);
  });

  it("trips its circuit after five failures in a row, and admits one probe when the time has come", () => {
    const endpoint = createEndpointAdmission(true);
    fail(endpoint, 5, 1_000);
    expect(endpoint.circuit(1_000)).toBe("open");
    expect(endpoint.admit(1_000)).toMatchObject(circuit);
    expect(endpoint.admit(5_999)).toMatchObject(circuit);
    expect(endpoint.circuit(6_000)).toBe("half-open");
    expect(endpoint.admit(6_000)).toMatchObject(admitted);
    expect(endpoint.admit(6_000)).toMatchObject(circuit);
    endpoint.complete(fast, 6_020, false);
    expect(endpoint.circuit(6_020)).toBe("closed");
    expect(endpoint.admit(6_020)).toMatchObject(admitted);
  });

  it("keeps the circuit open longer each time the probe fails, five minutes at most", () => {
    const endpoint = createEndpointAdmission(true);
    fail(endpoint, 5, 0);
    let nowMs = 5_000;
    const waits: number[] = [];
    for (let n = 0; n < 8; n++) {
      fail(endpoint, 1, nowMs);
      const openedAtMs = nowMs;
      while (endpoint.admit(nowMs).kind !== "admitted") nowMs += 1_000;
      waits.push(nowMs - openedAtMs);
      endpoint.complete(failed, openedAtMs, false);
    }
    expect(waits[0]).toBe(10_000);
    expect(Math.max(...waits)).toBe(300_000);
  });

  it("does not count failures of requests that were in flight when the circuit opened", () => {
    const endpoint = createEndpointAdmission(true);
    for (let n = 0; n < 12; n++) endpoint.admit(0);
    for (let n = 0; n < 12; n++) endpoint.complete(failed, 15_000, false);
    expect(endpoint.admit(20_000)).toMatchObject(admitted);
  });

  it("admits a client's own probe through an open circuit, beside another too, four at once at most", () => {
    const endpoint = createEndpointAdmission(true);
    fail(endpoint, 5, 0);
    expect(endpoint.admit(0)).toEqual(circuit);
    for (let n = 0; n < 4; n++) expect(endpoint.admit(0, true)).toEqual({ kind: "admitted", isFast: false });
    expect(endpoint.admit(0, true)).toEqual(circuit);
    expect(endpoint.admit(5_000)).toEqual(circuit);
    endpoint.complete(fast, 0, false);
    expect(endpoint.circuit(0)).toBe("closed");
  });

  it("promotes two of the backlog for each completed request, as far as its concurrency allows", () => {
    const endpoint = createEndpointAdmission(false);
    expect(endpoint.takePromotions(100, 0)).toEqual({ count: 1, atMs: 0 });
    endpoint.admit(0);
    expect(endpoint.takePromotions(100, 0).count).toBe(0);
    endpoint.complete(fast, 0, false);
    expect(endpoint.takePromotions(100, 0).count).toBe(2);
    expect(endpoint.takePromotions(1, 0).count).toBe(1);
    expect(endpoint.takePromotions(0, 0).count).toBe(0);
  });

  it("promotes one as the probe of an open circuit, another when that one does not come", () => {
    const endpoint = createEndpointAdmission(true);
    fail(endpoint, 5, 1_000);
    expect(endpoint.takePromotions(0, 1_000).count).toBe(0);
    expect(endpoint.takePromotions(100, 1_000)).toEqual({ count: 1, atMs: 6_000 });
    expect(endpoint.takePromotions(100, 2_000).count).toBe(0);
    expect(endpoint.takePromotions(100, 6_500).count).toBe(0);
    expect(endpoint.takePromotions(100, 66_000)).toEqual({ count: 1, atMs: 66_000 });
    expect(endpoint.admit(66_000).kind).toBe("admitted");
    endpoint.complete(failed, 66_020, false);
    expect(endpoint.takePromotions(100, 66_020)).toEqual({ count: 1, atMs: 76_020 });
  });

  it("is dropped when there are too many endpoints, unless it is in use", () => {
    const endpoints = createEndpointAdmissions(2);
    endpoints.get("used", true).admit(0);
    const idle = endpoints.get("idle", true);
    endpoints.get("third", true);
    expect(endpoints.get("used", true).inFlight).toBe(1);
    expect(endpoints.get("idle", true)).not.toBe(idle);
  });

  it("counts the endpoints whose circuit is not closed", () => {
    const endpoints = createEndpointAdmissions();
    endpoints.get("healthy", true).admit(0);
    fail(endpoints.get("failing", true), 5, 0);
    expect([endpoints.circuits(0), endpoints.circuits(5_000)]).toEqual([
      { open: 1, "half-open": 0 },
      { open: 0, "half-open": 1 },
    ]);
  });
});
