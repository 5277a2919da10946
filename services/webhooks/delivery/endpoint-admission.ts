/**
 * What keeps one endpoint from delaying another. A prompt endpoint takes its turn at the process's slots; one that is
 * slow has a few places of its own, more while it answers well; the circuit of one that does not answer opens, and
 * nothing is sent until its time has come. What may not go now waits in the backlog, and the gate tells how many of it
 * to call: asking again and again in vain would cost the log more than the deliveries do. Plain state over given times;
 * nothing is stored: after a restart the webhook's record alone tells whether it was failing.
 */

/** Of a prompt endpoint: taken and waiting for a slot, or under way. */
const promptMax = 256;
const concurrencyAtFirst = 4;
const concurrencyMax = 16;
/** Requests at once through an open circuit, when somebody asks again and again whether the endpoint answers. */
const trialsMax = 4;
/** An endpoint that answers faster is prompt; one that does not has few places. */
const slowMs = 2_000;
/** With so many requests overdue an endpoint takes no more slots, long before it is known whether it answers. */
const lagsMax = 4;
/** The same of one that has not answered this process yet. */
const lagsMaxUnproven = 1;
const failuresToOpen = 5;
const openMsMin = 5_000;
const openMsMax = 5 * 60_000;
/** Each end of a request calls so many: a backlog comes back the faster the better the endpoint takes it. */
const callsAtOnceMax = 2;
/** One called to try an open circuit may end up with another process; later another is called. */
const trialPatienceMs = 60_000;

export type GateAnswer =
  | { readonly kind: "go"; readonly isPrompt: boolean }
  | { readonly kind: "later"; readonly reason: "concurrency" | "circuit" };

/** `unwell`: no answer, 429 or 5xx; other refusals are prompt answers of a living endpoint. */
export type GateOutcome = { readonly kind: "answered"; readonly durationMs: number } | { readonly kind: "unwell" };

export interface EndpointGate {
  /** `isTrial`: somebody wants to know now whether it answers; an open circuit lets it through. */
  enter(nowMs: number, isTrial?: boolean): GateAnswer;
  /** `isBusy`: this process is; its own slowness must not be taken for the endpoint's. */
  leave(outcome: GateOutcome, nowMs: number, isBusy: boolean): void;
  /** One of its requests has lost its slot for taking long, and when it has ended. */
  beginLag(): void;
  endLag(): void;
  /** Entered, and sent nothing. */
  withdraw(): void;
  /** How many of `waiting` deliveries are to be called, and for when; those it counts as on their way. */
  takeCalls(waiting: number, nowMs: number): { readonly count: number; readonly atMs: number };
  readonly isPrompt: boolean;
  /** Has answered this process. */
  readonly isProven: boolean;
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
  let trialUntilMs = 0;

  function takesSlots(): boolean {
    return isPrompt && lagging < (hasAnswered ? lagsMax : lagsMaxUnproven);
  }

  function freePlaces(): number {
    return (takesSlots() ? promptMax : concurrency) - active;
  }

  function fail(nowMs: number): void {
    isPrompt = false;
    failuresInRow += 1;
    concurrency = Math.max(1, Math.floor(concurrency / 2));
    // Those that were under way when it opened tell nothing new.
    if (failuresInRow < failuresToOpen || nowMs < openUntilMs) return;
    openUntilMs = nowMs + Math.min(openMsMax, openMsMin * 2 ** openings);
    openings += 1;
    trialUntilMs = 0;
  }

  return {
    get circuit() {
      return openings > 0 ? "open" : "closed";
    },
    get isPrompt() {
      return takesSlots();
    },
    get isProven() {
      return hasAnswered;
    },
    get active() {
      return active;
    },

    enter(nowMs, isTrial = false) {
      if (openings > 0) {
        // Half open: one request tries it, the others wait for what it finds; somebody's own trial does not wait for that.
        const isShut = isTrial ? active >= trialsMax : nowMs < openUntilMs || active > 0;
        if (isShut) return { kind: "later", reason: "circuit" };
      } else if (freePlaces() <= 0) return { kind: "later", reason: "concurrency" };
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

    takeCalls(waiting, nowMs) {
      if (openings === 0) return { count: Math.max(0, Math.min(waiting, freePlaces(), callsAtOnceMax)), atMs: nowMs };
      const atMs = Math.max(openUntilMs, nowMs);
      if (waiting === 0 || active > 0 || nowMs < trialUntilMs) return { count: 0, atMs };
      trialUntilMs = atMs + trialPatienceMs;
      return { count: 1, atMs };
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
