/**
 * What keeps one endpoint from delaying another: each has a number of requests at once that grows while it answers
 * well, and a circuit that opens when it does not. What may not go now gets a time of its own, spread out, so that a
 * backlog comes back at the pace at which the endpoint takes it. Plain state over given times; nothing is stored: after
 * a restart an endpoint is trusted anew.
 */

const concurrencyAtFirst = 16;
const concurrencyMax = 64;
/** Slower answers than this halve the number, down to a few: a slow endpoint holds few places. */
const slowMs = 2_000;
const concurrencyOfSlow = 4;
const failuresToOpen = 5;
const openMsMin = 5_000;
const openMsMax = 5 * 60_000;
/** A postponed message waits at least this long: a schedule costs two writes. */
const postponeMsMin = 500;
const spacingMsMin = 2;
const spacingMsMax = 250;

export type GateAnswer =
  | { readonly kind: "go" }
  | { readonly kind: "later"; readonly atMs: number; readonly reason: "concurrency" | "circuit" };

/** `unwell`: no answer, 429 or 5xx; other refusals are prompt answers of a living endpoint. */
export type GateOutcome = { readonly kind: "answered"; readonly durationMs: number } | { readonly kind: "unwell" };

export interface EndpointGate {
  enter(nowMs: number): GateAnswer;
  leave(outcome: GateOutcome, nowMs: number): void;
  readonly circuit: "closed" | "open";
  readonly active: number;
}

export function createEndpointGate(): EndpointGate {
  let active = 0;
  let concurrency = concurrencyAtFirst;
  let failuresInRow = 0;
  let openings = 0;
  let openUntilMs = 0;
  let answerMs = 10;
  let lastSlotMs = 0;

  /** Each postponed message a place behind the one before. */
  function slotFrom(earliestMs: number): number {
    const spacingMs = Math.min(spacingMsMax, Math.max(spacingMsMin, answerMs / concurrencyAtFirst));
    lastSlotMs = Math.max(earliestMs, lastSlotMs + spacingMs);
    return Math.ceil(lastSlotMs);
  }

  return {
    get circuit() {
      return openings > 0 ? "open" : "closed";
    },
    get active() {
      return active;
    },

    enter(nowMs) {
      if (openings > 0 && (nowMs < openUntilMs || active > 0)) {
        // Half open: one request tries it, the others wait for what it finds.
        return { kind: "later", atMs: slotFrom(Math.max(openUntilMs, nowMs) + postponeMsMin), reason: "circuit" };
      }
      if (active >= concurrency) {
        return { kind: "later", atMs: slotFrom(nowMs + postponeMsMin), reason: "concurrency" };
      }
      active += 1;
      return { kind: "go" };
    },

    leave(outcome, nowMs) {
      active -= 1;
      if (outcome.kind === "unwell") {
        failuresInRow += 1;
        concurrency = Math.max(1, Math.floor(concurrency / 2));
        // Those that were under way when it opened tell nothing new.
        if (failuresInRow >= failuresToOpen && nowMs >= openUntilMs) {
          openUntilMs = nowMs + Math.min(openMsMax, openMsMin * 2 ** openings);
          openings += 1;
        }
        return;
      }
      failuresInRow = 0;
      openings = 0;
      openUntilMs = 0;
      answerMs += (outcome.durationMs - answerMs) / 8;
      concurrency =
        outcome.durationMs < slowMs
          ? Math.min(concurrencyMax, concurrency + 1)
          : Math.max(concurrencyOfSlow, Math.floor(concurrency / 2));
    },
  };
}

/** One gate per webhook; the least recently used idle ones are forgotten. */
export function createGates(gatesMax = 50_000): { of(webhookId: string): EndpointGate; openCircuits(): number } {
  const gates = new Map<string, EndpointGate>();
  return {
    of(webhookId) {
      const gate = gates.get(webhookId) ?? createEndpointGate();
      gates.delete(webhookId);
      gates.set(webhookId, gate);
      if (gates.size > gatesMax) {
        for (const [id, candidate] of gates) {
          if (candidate.active === 0) {
            gates.delete(id);
            break;
          }
        }
      }
      return gate;
    },
    openCircuits: () => [...gates.values()].filter(({ circuit }) => circuit === "open").length,
  };
}
