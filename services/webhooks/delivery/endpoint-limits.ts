/**
 * The limits that clients set for their endpoints: `maxPerSecond` and `maxConcurrent`. A delivery beyond them waits for its
 * turn in a short line in memory, and where that is full in the backlog, whose deliveries are promoted as the line gets
 * shorter. So a limited endpoint is served without a pause, and holds little of what all endpoints share. Half of a line is
 * kept for what comes from the backlog: otherwise fresh deliveries could pass it forever.
 *
 * The rate is a distance between the beginnings of requests, not a number of tokens: whoever is limited to 5 a second gets
 * no 5 at once. The next turn is given only when the request before it has begun, because deliveries with a turn may wait
 * long for a send slot, and would then all begin together.
 *
 * Each process keeps to its share, the limit divided by the processes that heartbeats tell of, as the work queue divides
 * the deliveries. A process that has just started gives no turn before it has heard of the others; so one that was restarted
 * cannot exceed a rate either, though nothing of a line is stored. Its deliveries are: they come again.
 */
import { endpointConcurrencyMax, type Webhook } from "@packshot/domain/webhooks/webhook.ts";
import { DeliveryGivenBack } from "./send-slots.ts";

/** Longer than a promotion takes: the line does not run empty while the backlog has more. */
const lineSeconds = 2;
const lineLengthMin = 4;
const lineLengthMax = 32;
/** In all lines; half of what a process holds. */
const waitingMax = 1_024;
/** In all lines of one account. */
const waitingOfAccountMax = waitingMax / 4;
/** A person waits for a test, and sends few. */
const testsWaitingMax = 4;
/** More processes than any service has: whoever can send heartbeats cannot slow a rate to nothing with them. */
const processesMax = 64;
/** Until it is known how many processes there are. */
const askAgainMs = 100;
const linesMax = 10_000;

export interface Turn {
  /** The request begins: from here on the rate counts. */
  began(): void;
  /** The request is over, or was not sent. Idempotent. */
  release(): void;
}

export interface EndpointLimits {
  /**
   * Resolves when the endpoint takes another request; undefined when too many wait for that. `isPostponed`: the delivery comes
   * from the backlog. A few `webhook.test` may always wait, and are next. Rejects with `DeliveryGivenBack` once `close` was called.
   */
  enter(webhook: LimitedWebhook, options: EnterOptions): Promise<Turn> | undefined;
  /** How many more of the backlog the endpoint's line takes. */
  room(webhookId: string): number;
  /** The limits as they are now hold for what waits, too. */
  update(webhook: LimitedWebhook): void;
  /** For a process that stops: who has a turn may use it. */
  close(): void;
}

export type LimitedWebhook = Pick<Webhook, "id" | "accountId" | "maxPerSecond" | "maxConcurrent">;

export interface EnterOptions {
  readonly isPostponed: boolean;
  readonly isTest: boolean;
}

export interface EndpointLimitsDeps {
  readonly nowMs: () => number;
  /** How many processes deliver, this one included; undefined while that is not known. */
  readonly processes: () => number | undefined;
}

interface Waiter {
  readonly isTest: boolean;
  readonly grant: (turn: Turn) => void;
  readonly refuse: () => void;
}

interface Line {
  readonly waiting: Waiter[];
  webhook: LimitedWebhook;
  /** Deliveries that have a turn. */
  running: number;
  /** Those of them whose request has not begun. */
  beginning: number;
  nextAtMs: number;
  timer: NodeJS.Timeout | undefined;
}

/** What one process may send; undefined: as much as it can. */
interface Share {
  readonly concurrent: number;
  /** 0: there is no limit of the rate. */
  readonly intervalMs: number;
}

/** Where there are more processes than `maxConcurrent`, each still sends one: what a process has taken no other can send. */
function shareOf(
  { maxPerSecond = 0, maxConcurrent = endpointConcurrencyMax }: LimitedWebhook,
  processes: number,
): Share {
  return {
    concurrent: Math.max(1, Math.floor(maxConcurrent / processes)),
    intervalMs: maxPerSecond === 0 ? 0 : (1_000 * processes) / maxPerSecond,
  };
}

function isLimited({ maxPerSecond = 0, maxConcurrent = endpointConcurrencyMax }: LimitedWebhook): boolean {
  return maxPerSecond > 0 || maxConcurrent < endpointConcurrencyMax;
}

function lengthMaxOf({ intervalMs }: Share): number {
  if (intervalMs === 0) return lineLengthMax;
  return Math.min(lineLengthMax, Math.max(lineLengthMin, Math.ceil((lineSeconds * 1_000) / intervalMs)));
}

const freeTurn: Turn = { began: () => {}, release: () => {} };

export function createEndpointLimits({ nowMs, processes }: EndpointLimitsDeps): EndpointLimits {
  const lines = new Map<string, Line>();
  const waitingByAccount = new Map<string, number>();
  let waiting = 0;
  let isClosed = false;

  const processCount = () => Math.min(processesMax, Math.max(1, processes() ?? 1));

  function countWaiting({ webhook: { accountId } }: Line, change: 1 | -1): void {
    waiting += change;
    const count = (waitingByAccount.get(accountId) ?? 0) + change;
    if (count === 0) waitingByAccount.delete(accountId);
    else waitingByAccount.set(accountId, count);
  }

  function lineOf(webhook: LimitedWebhook): Line {
    const found = lines.get(webhook.id);
    if (found !== undefined) {
      // The client may have changed the limits.
      found.webhook = webhook;
      return found;
    }
    if (lines.size >= linesMax) dropIdle();
    const line: Line = { waiting: [], webhook, running: 0, beginning: 0, nextAtMs: 0, timer: undefined };
    lines.set(webhook.id, line);
    return line;
  }

  /** What waits because of limits that the client has lifted goes on. */
  function endLimits(webhook: LimitedWebhook): void {
    const line = lines.get(webhook.id);
    if (line === undefined) return;
    line.webhook = webhook;
    grantNext(line);
    if (line.waiting.length === 0) lines.delete(webhook.id);
  }

  function dropIdle(): void {
    for (const [id, line] of lines) {
      if (line.running === 0 && line.waiting.length === 0 && line.nextAtMs <= nowMs()) lines.delete(id);
    }
  }

  /** How long the next turn is away; undefined: until a request ends or begins. */
  function waitMsOf(line: Line): number | undefined {
    if (processes() === undefined) return askAgainMs;
    const { concurrent, intervalMs } = shareOf(line.webhook, processCount());
    if (line.running >= concurrent) return undefined;
    if (intervalMs === 0) return 0;
    if (line.beginning > 0) return undefined;
    // The client may have raised the rate since the last request.
    return Math.min(Math.max(0, line.nextAtMs - nowMs()), intervalMs);
  }

  function grantNext(line: Line): void {
    clearTimeout(line.timer);
    while (line.waiting.length > 0) {
      const waitMs = waitMsOf(line);
      if (waitMs === undefined) return;
      if (waitMs > 0) {
        line.timer = setTimeout(() => grantNext(line), Math.ceil(waitMs));
        return;
      }
      countWaiting(line, -1);
      line.waiting.shift()!.grant(turnIn(line));
    }
  }

  function turnIn(line: Line): Turn {
    line.running += 1;
    line.beginning += 1;
    let hasBegun = false;
    let isOver = false;
    const begin = () => {
      if (hasBegun) return;
      hasBegun = true;
      line.beginning -= 1;
    };
    return {
      began() {
        begin();
        line.nextAtMs = nowMs() + shareOf(line.webhook, processCount()).intervalMs;
        grantNext(line);
      },
      release() {
        if (isOver) return;
        isOver = true;
        begin();
        line.running -= 1;
        grantNext(line);
      },
    };
  }

  function roomIn(line: Line): number {
    const isIdle = line.running === 0 && line.waiting.length === 0;
    const left = lengthMaxOf(shareOf(line.webhook, processCount())) - line.waiting.length;
    const leftOfAccount = waitingOfAccountMax - (waitingByAccount.get(line.webhook.accountId) ?? 0);
    return Math.max(isIdle ? 1 : 0, Math.min(left, leftOfAccount, waitingMax - waiting));
  }

  function mayWait(line: Line, { isPostponed, isTest }: EnterOptions): boolean {
    if (isTest) return testsIn(line) < testsWaitingMax;
    const room = roomIn(line);
    const kept = Math.floor(lengthMaxOf(shareOf(line.webhook, processCount())) / 2);
    return isPostponed ? room > 0 : room > kept;
  }

  return {
    enter(webhook, options) {
      if (!isLimited(webhook)) {
        endLimits(webhook);
        return Promise.resolve(freeTurn);
      }
      if (isClosed) return Promise.reject(new DeliveryGivenBack());
      const line = lineOf(webhook);
      const isNext = line.waiting.length === 0 && waitMsOf(line) === 0;
      if (!isNext && !mayWait(line, options)) return undefined;
      return new Promise<Turn>((grant, reject) => {
        const waiter = { isTest: options.isTest, grant, refuse: () => reject(new DeliveryGivenBack()) };
        line.waiting.splice(options.isTest ? testsIn(line) : line.waiting.length, 0, waiter);
        countWaiting(line, 1);
        grantNext(line);
      });
    },

    update(webhook) {
      if (!isLimited(webhook)) return endLimits(webhook);
      const line = lines.get(webhook.id);
      if (line === undefined) return;
      line.webhook = webhook;
      grantNext(line);
    },

    room(webhookId) {
      const line = lines.get(webhookId);
      return line === undefined ? Number.POSITIVE_INFINITY : roomIn(line);
    },

    close() {
      isClosed = true;
      for (const line of lines.values()) {
        clearTimeout(line.timer);
        for (const { refuse } of line.waiting.splice(0)) refuse();
      }
      waiting = 0;
      waitingByAccount.clear();
    },
  };
}

/** Tests are at the front of a line. */
function testsIn({ waiting }: Line): number {
  const first = waiting.findIndex(({ isTest }) => !isTest);
  return first === -1 ? waiting.length : first;
}
