/**
 * The circuit breaker of one endpoint. Closed: every request may go. Five failures in a row trip it. Open: no request
 * may go until its time has come. Half-open: one probe may go; its success closes the circuit, its failure opens it
 * again for twice as long. It is plain state over given times, and nothing is stored.
 */

const failuresToTrip = 5;
const openMsMin = 5_000;
const openMsMax = 5 * 60_000;
/** Requests in flight at which no further probe on demand may go. */
const demandedProbesMax = 4;
/** A scheduled probe may end up with another process; after this long another is scheduled. */
const probePatienceMs = 60_000;

export type CircuitState = "closed" | "open" | "half-open";

export interface CircuitBreaker {
  state(nowMs: number): CircuitState;
  /**
   * Whether a request may go now, beside `inFlight` others. `isProbe`: a client asks on purpose whether the endpoint
   * answers (`webhook.test`), so the request does not wait for the circuit's own probe.
   */
  allows(nowMs: number, inFlight: number, isProbe: boolean): boolean;
  /** When the next probe of a circuit that is not closed is to be sent; undefined when one is on its way. */
  scheduleProbe(nowMs: number, inFlight: number): number | undefined;
  recordSuccess(): void;
  recordFailure(nowMs: number): void;
}

export function createCircuitBreaker(): CircuitBreaker {
  let failuresInRow = 0;
  /** Since the last success: each doubles the time that the circuit stays open. */
  let trips = 0;
  let openUntilMs = 0;
  let probeExpectedUntilMs = 0;

  function state(nowMs: number): CircuitState {
    if (trips === 0) return "closed";
    return nowMs < openUntilMs ? "open" : "half-open";
  }

  return {
    state,

    allows(nowMs, inFlight, isProbe) {
      const now = state(nowMs);
      if (now === "closed") return true;
      if (isProbe) return inFlight < demandedProbesMax;
      return now === "half-open" && inFlight === 0;
    },

    scheduleProbe(nowMs, inFlight) {
      if (inFlight > 0 || nowMs < probeExpectedUntilMs) return undefined;
      const atMs = Math.max(openUntilMs, nowMs);
      probeExpectedUntilMs = atMs + probePatienceMs;
      return atMs;
    },

    recordSuccess() {
      failuresInRow = 0;
      trips = 0;
      openUntilMs = 0;
    },

    recordFailure(nowMs) {
      failuresInRow += 1;
      // Requests that were in flight when the circuit opened tell nothing new.
      if (failuresInRow < failuresToTrip || nowMs < openUntilMs) return;
      openUntilMs = nowMs + Math.min(openMsMax, openMsMin * 2 ** trips);
      trips += 1;
      probeExpectedUntilMs = 0;
    },
  };
}
