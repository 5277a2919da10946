/**
 * What keeps one endpoint from delaying another. A prompt endpoint takes its turn at the process's slots; one that is
 * slow has a few places of its own, more while it answers well; the circuit of one that does not answer opens, and
 * nothing is sent until its time has come. What may not go now gets a time of its own, spread out, so that a backlog
 * comes back at a pace. Plain state over given times; nothing is stored: after a restart the webhook's record alone
 * tells whether it was failing.
 */

/** Of a prompt endpoint: taken and waiting for a slot, or under way. */
const promptMax = 256;
const concurrencyAtFirst = 4;
const concurrencyMax = 16;
/** An endpoint that answers faster is prompt; one that does not has few places. */
const slowMs = 2_000;
/** With so many requests overdue an endpoint takes no more slots, long before it is known whether it answers. */
const lagsMax = 4;
/** The same of one that has not answered this process yet. */
const lagsMaxUnproven = 1;
const failuresToOpen = 5;
const openMsMin = 5_000;
const openMsMax = 5 * 60_000;
/** A postponed message waits at least this long: a schedule costs two writes. */
const postponeMsMin = 500;
const spacingMsMin = 2;
const spacingMsMax = 250;
/** An open circuit's backlog asks in vain, and each asking is two writes: no more than 20/s of them per endpoint. */
const circuitSpacingMs = 50;

export type GateAnswer =
  | { readonly kind: "go"; readonly isPrompt: boolean }
  | { readonly kind: "later"; readonly atMs: number; readonly reason: "concurrency" | "circuit" };

/** `unwell`: no answer, 429 or 5xx; other refusals are prompt answers of a living endpoint. */
export type GateOutcome = { readonly kind: "answered"; readonly durationMs: number } | { readonly kind: "unwell" };

export interface EndpointGate {
  enter(nowMs: number): GateAnswer;
  /** `isBusy`: this process is; its own slowness must not be taken for the endpoint's. */
  leave(outcome: GateOutcome, nowMs: number, isBusy: boolean): void;
  /** One of its requests has lost its slot for taking long, and when it has ended. */
  beginLag(): void;
  endLag(): void;
  /** Entered, and sent nothing. */
  withdraw(): void;
  readonly isPrompt: boolean;
  readonly circuit: "closed" | "open";
  readonly active: number;
}

/** `isTrusted`: the webhook's record says that it is not failing. */
export function createEndpointGate(isTrusted: boolean): EndpointGate {
  let active = 0;
  let isPrompt = isTrusted;
  let concurrency = isTrusted ? concurrencyAtFirst : 1;
  let failuresInRow = 0;
  let openings = 0;
  let openUntilMs = 0;
  let answerMs = isTrusted ? 10 : slowMs;
  let lagging = 0;
  let hasAnswered = false;
  let lastSlotMs = 0;
  let lastCircuitSlotMs = 0;

  /** Each postponed message a place behind the one before. */
  function slotFrom(earliestMs: number): number {
    const spacingMs = Math.min(spacingMsMax, Math.max(spacingMsMin, answerMs / concurrency));
    lastSlotMs = Math.max(earliestMs, lastSlotMs + spacingMs);
    return Math.ceil(lastSlotMs);
  }

  function circuitSlotFrom(earliestMs: number): number {
    lastCircuitSlotMs = Math.max(earliestMs, lastCircuitSlotMs + circuitSpacingMs);
    return lastCircuitSlotMs;
  }

  function takesSlots(): boolean {
    return isPrompt && lagging < (hasAnswered ? lagsMax : lagsMaxUnproven);
  }

  function fail(nowMs: number): void {
    isPrompt = false;
    failuresInRow += 1;
    concurrency = Math.max(1, Math.floor(concurrency / 2));
    // Those that were under way when it opened tell nothing new.
    if (failuresInRow < failuresToOpen || nowMs < openUntilMs) return;
    openUntilMs = nowMs + Math.min(openMsMax, openMsMin * 2 ** openings);
    openings += 1;
  }

  return {
    get circuit() {
      return openings > 0 ? "open" : "closed";
    },
    get isPrompt() {
      return takesSlots();
    },
    get active() {
      return active;
    },

    enter(nowMs) {
      if (openings > 0 && (nowMs < openUntilMs || active > 0)) {
        // Half open: one request tries it, the others wait for what it finds.
        const earliestMs = Math.max(openUntilMs, nowMs) + postponeMsMin;
        return { kind: "later", atMs: circuitSlotFrom(earliestMs), reason: "circuit" };
      }
      if (active >= (takesSlots() ? promptMax : concurrency)) {
        return { kind: "later", atMs: slotFrom(nowMs + postponeMsMin), reason: "concurrency" };
      }
      active += 1;
      return { kind: "go", isPrompt: takesSlots() };
    },

    beginLag() {
      lagging += 1;
    },

    endLag() {
      lagging -= 1;
    },

    withdraw() {
      active -= 1;
    },

    leave(outcome, nowMs, isBusy) {
      active -= 1;
      if (outcome.kind === "unwell") {
        fail(nowMs);
        return;
      }
      const { durationMs } = outcome;
      hasAnswered = true;
      failuresInRow = 0;
      openings = 0;
      openUntilMs = 0;
      if (isBusy && durationMs > answerMs) return;
      answerMs += (durationMs - answerMs) / 4;
      isPrompt = answerMs < slowMs;
      concurrency = Math.min(concurrencyMax, concurrency + 1);
    },
  };
}

export interface Gates {
  of(webhookId: string, isTrusted: boolean): EndpointGate;
  openCircuits(): number;
}

/** One gate per webhook; the least recently used idle ones are forgotten. */
export function createGates(gatesMax = 50_000): Gates {
  const gates = new Map<string, EndpointGate>();
  return {
    of(webhookId, isTrusted) {
      const gate = gates.get(webhookId) ?? createEndpointGate(isTrusted);
      gates.delete(webhookId);
      gates.set(webhookId, gate);
      if (gates.size > gatesMax) {
        for (const [id, candidate] of gates) {
          if (candidate.active > 0) continue;
          gates.delete(id);
          break;
        }
      }
      return gate;
    },
    openCircuits: () => [...gates.values()].filter(({ circuit }) => circuit === "open").length,
  };
}
