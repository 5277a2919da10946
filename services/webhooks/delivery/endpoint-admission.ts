/**
 * Decides whether a request to one endpoint may be sent now, so that no endpoint delays another. A fast endpoint
 * competes for the process's send slots; a slow one has a small concurrency limit of its own, which grows while it
 * answers; one that does not answer is stopped by its circuit breaker. Rejected deliveries are postponed to the
 * backlog, and the admission tells how many of them to promote: trying them again and again would cost the log more
 * than the deliveries do. It is plain state over given times. Nothing is stored: after a restart only the webhook's
 * record tells whether the endpoint was failing.
 */
import { endpointConcurrencyMax } from "@packshot/domain/webhooks/webhook.ts";

const concurrencyAtFirst = 4;
const concurrencyMax = 16;
/** An endpoint whose mean answer takes less is fast. */
const slowMs = 2_000;
/** With so many overdue requests an endpoint gets no more send slots, long before it is known whether it answers. */
const overdueMax = 4;
/** The same for an endpoint that has not answered this process yet. */
const overdueMaxUnanswered = 1;
/** Each completed request promotes so many: the better an endpoint answers, the faster its backlog drains. */
const promotionsMax = 2;

export type AdmissionDecision =
  | { readonly kind: "admitted"; readonly isFast: boolean }
  | { readonly kind: "rejected"; readonly reason: "concurrency" | "circuit" };

/** `failed`: no answer, 429 or 5xx. Every other status is the answer of a working endpoint. */
export type RequestOutcome = { readonly kind: "answered"; readonly durationMs: number } | { readonly kind: "failed" };

export interface EndpointAdmission {
  /** Each admitted request ends in `complete` or `cancel`. `isProbe`: see `CircuitBreaker.allows`. */
  admit(nowMs: number, isProbe?: boolean): AdmissionDecision;
  /** `isBusy`: this process is, and its own slowness must not be taken for the endpoint's. */
  complete(outcome: RequestOutcome, nowMs: number, isBusy: boolean): void;
  /** The request was admitted, but not sent. */
  cancel(): void;
  /** A request lost its send slot because it takes long. */
  beginOverdue(): void;
  /** A request that had lost its send slot has completed. */
  endOverdue(): void;
  /** How many of the `pending` deliveries in the backlog to promote, and to what time; they count as on their way. */
  takePromotions(pending: number, nowMs: number): { readonly count: number; readonly atMs: number };
  circuit(nowMs: number): CircuitState;
  readonly isFast: boolean;
  /** The endpoint has answered this process. */
  readonly hasAnswered: boolean;
  readonly inFlight: number;
}

/**
 * `isHealthy`: the webhook's record does not say that it is failing. `onResult` is told whether the circuit is closed after
 * each request.
 */
export function createEndpointAdmission(
  isHealthy: boolean,
  onResult: (isClosed: boolean) => void = () => {},
): EndpointAdmission {
  const breaker = createCircuitBreaker();
  let inFlight = 0;
  let isFast = isHealthy;
  let concurrency = isHealthy ? concurrencyAtFirst : 1;
  let answerMs = isHealthy ? 10 : slowMs;
  let overdue = 0;
  let hasAnswered = false;

  function usesSlots(): boolean {
    return isFast && overdue < (hasAnswered ? overdueMax : overdueMaxUnanswered);
  }

  /** For a fast endpoint it counts deliveries that wait for a send slot, too. */
  function freeConcurrency(): number {
    return (usesSlots() ? endpointConcurrencyMax : concurrency) - inFlight;
  }

  return {
    circuit: breaker.state,
    get isFast() {
      return usesSlots();
    },
    get hasAnswered() {
      return hasAnswered;
    },
    get inFlight() {
      return inFlight;
    },

    admit(nowMs, isProbe = false) {
      if (!breaker.allows(nowMs, inFlight, isProbe)) return { kind: "rejected", reason: "circuit" };
      // Through a circuit that is not closed only probes go, and those have a limit of their own.
      const isLimited = breaker.state(nowMs) === "closed" && freeConcurrency() <= 0;
      if (isLimited) return { kind: "rejected", reason: "concurrency" };
      inFlight += 1;
      return { kind: "admitted", isFast: usesSlots() };
    },

    complete(outcome, nowMs, isBusy) {
      inFlight -= 1;
      if (outcome.kind === "failed") {
        isFast = false;
        concurrency = Math.max(1, Math.floor(concurrency / 2));
        breaker.recordFailure(nowMs);
        onResult(breaker.state(nowMs) === "closed");
        return;
      }
      const { durationMs } = outcome;
      hasAnswered = true;
      breaker.recordSuccess();
      onResult(true);
      if (isBusy && durationMs > answerMs) return;
      answerMs += (durationMs - answerMs) / 4;
      isFast = answerMs < slowMs;
      concurrency = Math.min(concurrencyMax, concurrency + 1);
    },

    cancel() {
      inFlight -= 1;
    },

    beginOverdue() {
      overdue += 1;
    },

    endOverdue() {
      overdue -= 1;
    },

    takePromotions(pending, nowMs) {
      if (breaker.state(nowMs) === "closed") {
        return { count: Math.max(0, Math.min(pending, freeConcurrency(), promotionsMax)), atMs: nowMs };
      }
      const probeAtMs = pending === 0 ? undefined : breaker.scheduleProbe(nowMs, inFlight);
      return probeAtMs === undefined ? { count: 0, atMs: nowMs } : { count: 1, atMs: probeAtMs };
    },
  };
}

export interface EndpointAdmissions {
  get(webhookId: string, isHealthy: boolean): EndpointAdmission;
  /** How many endpoints have a circuit that is not closed. */
  circuits(nowMs: number): Readonly<Record<"open" | "half-open", number>>;
}

/** One per webhook; the least recently used idle one is dropped when there are too many. */
export function createEndpointAdmissions(endpointsMax = 50_000): EndpointAdmissions {
  const endpoints = new Map<string, EndpointAdmission>();
  /** Those whose circuit is not closed: a scrape looks at no others. */
  const failing = new Map<string, EndpointAdmission>();

  function create(webhookId: string, isHealthy: boolean): EndpointAdmission {
    const endpoint = createEndpointAdmission(isHealthy, (isClosed) => {
      if (isClosed) failing.delete(webhookId);
      else failing.set(webhookId, endpoint);
    });
    return endpoint;
  }

  return {
    get(webhookId, isHealthy) {
      const endpoint = endpoints.get(webhookId) ?? create(webhookId, isHealthy);
      endpoints.delete(webhookId);
      endpoints.set(webhookId, endpoint);
      if (endpoints.size > endpointsMax) {
        for (const [id, candidate] of endpoints) {
          if (candidate.inFlight > 0) continue;
          endpoints.delete(id);
          failing.delete(id);
          break;
        }
      }
      return endpoint;
    },
    circuits(nowMs) {
      const counts = { open: 0, "half-open": 0 };
      for (const { circuit } of failing.values()) {
        const state = circuit(nowMs);
        if (state !== "closed") counts[state] += 1;
      }
      return counts;
    },
  };
}

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
