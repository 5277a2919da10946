import { describe, expect, it } from "vitest";
import { createEndpointGate, createGates, type EndpointGate } from "./endpoint-admission.ts";

const well = { kind: "answered", durationMs: 20 } as const;
const unwell = { kind: "unwell" } as const;

/** Enters until refused; how many may go at once. */
function places(gate: EndpointGate, nowMs: number): number {
  let entered = 0;
  while (gate.enter(nowMs).kind === "go") entered += 1;
  for (let n = 0; n < entered; n++) gate.leave({ kind: "answered", durationMs: 3_000 }, nowMs, false);
  return entered;
}

function fail(gate: EndpointGate, times: number, nowMs: number): void {
  for (let n = 0; n < times; n++) {
    expect(gate.enter(nowMs).kind).toBe("go");
    gate.leave(unwell, nowMs, false);
  }
}

describe("the gate of an endpoint", () => {
  it("is prompt at first when its record is well, and has one place of its own when it is not", () => {
    expect(createEndpointGate(true).enter(0)).toEqual({ kind: "go", isPrompt: true });
    expect(places(createEndpointGate(true), 0)).toBe(256);
    const failing = createEndpointGate(false);
    expect(failing.enter(0)).toEqual({ kind: "go", isPrompt: false });
    expect(failing.enter(0)).toMatchObject({ kind: "later", reason: "concurrency" });
    failing.leave(well, 0, false);
    expect(failing.isPrompt).toBe(true);
  });

  it("lets a few in while it answers though slowly", () => {
    const gate = createEndpointGate(false);
    for (let n = 0; n < 200; n++) {
      gate.enter(0);
      gate.leave({ kind: "answered", durationMs: 14_000 }, 0, false);
    }
    expect(gate.isPrompt).toBe(false);
    expect(places(gate, 0)).toBe(16);
  });

  it("does not take this process's own slowness for the endpoint's", () => {
    const gate = createEndpointGate(true);
    gate.enter(0);
    gate.leave({ kind: "answered", durationMs: 5_000 }, 0, true);
    expect(gate.isPrompt).toBe(true);
  });

  it("is not prompt while four of its requests are overdue, or one when it has never answered", () => {
    const unproven = createEndpointGate(true);
    unproven.enter(0);
    unproven.beginLag();
    expect(unproven.isPrompt).toBe(false);

    const gate = createEndpointGate(true);
    gate.enter(0);
    gate.leave(well, 0, false);
    for (let n = 0; n < 4; n++) {
      gate.enter(0);
      gate.beginLag();
    }
    expect(gate.isPrompt).toBe(false);
    gate.endLag();
    expect(gate.isPrompt).toBe(true);
  });

  it("opens after five failures in a row, and lets one request try it when the time has come", () => {
    const gate = createEndpointGate(true);
    fail(gate, 5, 1_000);
    expect(gate.circuit).toBe("open");
    expect(gate.enter(1_000)).toMatchObject({ kind: "later", reason: "circuit" });
    expect(gate.enter(5_999)).toMatchObject({ kind: "later", reason: "circuit" });
    expect(gate.enter(6_000)).toMatchObject({ kind: "go" });
    expect(gate.enter(6_000)).toMatchObject({ kind: "later", reason: "circuit" });
    gate.leave(well, 6_020, false);
    expect(gate.circuit).toBe("closed");
    expect(gate.enter(6_020)).toMatchObject({ kind: "go" });
  });

  it("stays closed longer each time the try fails, five minutes at most", () => {
    const gate = createEndpointGate(true);
    fail(gate, 5, 0);
    let nowMs = 5_000;
    const waits: number[] = [];
    for (let n = 0; n < 8; n++) {
      fail(gate, 1, nowMs);
      const openedAtMs = nowMs;
      while (gate.enter(nowMs).kind !== "go") nowMs += 1_000;
      waits.push(nowMs - openedAtMs);
      gate.leave(unwell, openedAtMs, false);
    }
    expect(waits[0]).toBe(10_000);
    expect(Math.max(...waits)).toBe(300_000);
  });

  it("does not count those that were under way when it opened", () => {
    const gate = createEndpointGate(true);
    for (let n = 0; n < 12; n++) gate.enter(0);
    for (let n = 0; n < 12; n++) gate.leave(unwell, 15_000, false);
    expect(gate.enter(20_000)).toMatchObject({ kind: "go" });
  });

  it("lets somebody's own trial through an open circuit, beside another too, four at once at most", () => {
    const gate = createEndpointGate(true);
    fail(gate, 5, 0);
    expect(gate.enter(0)).toEqual({ kind: "later", reason: "circuit" });
    for (let n = 0; n < 4; n++) expect(gate.enter(0, true)).toEqual({ kind: "go", isPrompt: false });
    expect(gate.enter(0, true)).toEqual({ kind: "later", reason: "circuit" });
    expect(gate.enter(5_000)).toEqual({ kind: "later", reason: "circuit" });
    gate.leave(well, 0, false);
    expect(gate.circuit).toBe("closed");
  });

  it("calls two of those that wait at each end of a request, as far as there are places", () => {
    const gate = createEndpointGate(false);
    expect(gate.takeCalls(100, 0)).toEqual({ count: 1, atMs: 0 });
    gate.enter(0);
    expect(gate.takeCalls(100, 0).count).toBe(0);
    gate.leave(well, 0, false);
    expect(gate.takeCalls(100, 0).count).toBe(2);
    expect(gate.takeCalls(1, 0).count).toBe(1);
    expect(gate.takeCalls(0, 0).count).toBe(0);
  });

  it("calls one for the end of an open circuit, another when that one does not come", () => {
    const gate = createEndpointGate(true);
    fail(gate, 5, 1_000);
    expect(gate.takeCalls(0, 1_000).count).toBe(0);
    expect(gate.takeCalls(100, 1_000)).toEqual({ count: 1, atMs: 6_000 });
    expect(gate.takeCalls(100, 2_000).count).toBe(0);
    expect(gate.takeCalls(100, 6_500).count).toBe(0);
    expect(gate.takeCalls(100, 66_000)).toEqual({ count: 1, atMs: 66_000 });
    expect(gate.enter(66_000).kind).toBe("go");
    gate.leave(unwell, 66_020, false);
    expect(gate.takeCalls(100, 66_020)).toEqual({ count: 1, atMs: 76_020 });
  });

  it("is forgotten when there are too many, unless it is in use", () => {
    const gates = createGates(2);
    gates.of("used", true).enter(0);
    const idle = gates.of("idle", true);
    gates.of("third", true);
    expect(gates.of("used", true).active).toBe(1);
    expect(gates.of("idle", true)).not.toBe(idle);
  });
});
