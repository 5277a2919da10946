/**
 * Several API processes that accept for one account only make each other's compare-and-set fail, and with it all that
 * shares the batch. So an account that meets a conflict is handed to one owner among the live processes, chosen by
 * rendezvous hash, for as long as it goes on; the others forward to it by a core request. Nothing depends on who that is: the compare-and-set stays the fence, and a
 * forwarded accept whose answer is lost is looked for in the log before it is tried here.
 */
import { createHash } from "node:crypto";
import { type ErrorCode, PackshotError } from "@packshot/domain/errors.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { Part } from "@packshot/platform/lifecycle/run.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Subscription } from "@nats-io/transport-node";
import type { AcceptOutcome, AcceptRequest } from "./accept-batch.ts";
import type { AcceptOne } from "./accept-queue.ts";

const aliveSubject = "ps-api.alive";
const acceptSubject = (processId: string) => `ps-api.accept.${processId}`;
const aliveEveryMs = 500;
const lostAfterMs = 2_000;
const forwardTimeoutMs = 4_000;
/** After a conflict or an accept of an account that has an owner. */
const ownedMs = 15_000;
/** So many conflicts in such a time, in spite of an owner, make an account contested. */
const contestedMin = 3;
const conflictWindowMs = 5_000;
const busyAccountsMax = 10_000;

interface Busy {
  conflictsAtMs: number[];
  untilMs: number;
}

type ForwardAnswer =
  | { readonly outcome: AcceptOutcome }
  | {
      readonly error: {
        readonly code: ErrorCode;
        readonly message: string;
        readonly details?: Record<string, unknown>;
      };
    };

export interface AcceptOwner extends Part {
  readonly accept: AcceptOne;
  /** Another process wrote the account first. */
  conflict(accountId: string): void;
  /** It met conflicts again and again in the last seconds: others than accepts write it, the keeper of another process. */
  isContested(accountId: string): boolean;
}

export interface AcceptOwnerParts {
  readonly log: Log;
  readonly acceptHere: AcceptOne;
  readonly nowMs: () => number;
  readonly onForward?: () => void;
}

export function createAcceptOwner({ log, acceptHere, nowMs, onForward }: AcceptOwnerParts): AcceptOwner {
  const { connection } = log;
  const processId = uuidv7();
  const alive = new Map<string, number>();
  const busy = new Map<string, Busy>();
  let subscriptions: Subscription[] = [];
  let timer: NodeJS.Timeout | undefined;

  function ownerOf(accountId: string): string {
    const oldest = nowMs() - lostAfterMs;
    const live = [processId, ...[...alive].filter(([, heardAtMs]) => heardAtMs > oldest).map(([id]) => id)];
    return rendezvousOwner(live, accountId);
  }

  async function answer(request: { accountId: string; request: AcceptRequest }): Promise<ForwardAnswer> {
    try {
      return { outcome: await acceptHere(request.accountId, request.request) };
    } catch (error) {
      if (!(error instanceof PackshotError)) throw error;
      const { code, message, details } = error;
      return { error: { code, message, ...(details === undefined ? {} : { details }) } };
    }
  }

  async function forward(owner: string, accountId: string, request: AcceptRequest): Promise<AcceptOutcome> {
    onForward?.();
    let reply: ForwardAnswer;
    try {
      const payload = JSON.stringify({ accountId, request });
      reply = (await connection.request(acceptSubject(owner), payload, { timeout: forwardTimeoutMs })).json();
    } catch {
      // Gone, or slow: what it did is in the log.
      alive.delete(owner);
      return await acceptHere(accountId, request, { mayBeCommitted: true });
    }
    if ("outcome" in reply) return reply.outcome;
    const { code, message, details } = reply.error;
    throw new PackshotError(code, message, details === undefined ? {} : { details });
  }

  return {
    name: "accept owner",
    async start() {
      subscriptions = [
        connection.subscribe(aliveSubject, {
          callback: (error, message) => {
            const id = error === null ? message.string() : processId;
            if (id !== processId) alive.set(id, nowMs());
          },
        }),
        connection.subscribe(acceptSubject(processId), {
          callback: (error, message) => {
            if (error !== null) return;
            // Without an answer the asker looks into the log and accepts by itself.
            answer(message.json()).then(
              (reply) => message.respond(JSON.stringify(reply)),
              () => {},
            );
          },
        }),
      ];
      const beat = () => connection.publish(aliveSubject, processId);
      beat();
      timer = setInterval(beat, aliveEveryMs);
    },

    async stop() {
      clearInterval(timer);
      await Promise.all(subscriptions.map((subscription) => subscription.drain()));
      subscriptions = [];
    },

    conflict(accountId) {
      const now = nowMs();
      const known = busy.get(accountId) ?? { conflictsAtMs: [], untilMs: 0 };
      known.conflictsAtMs = [...known.conflictsAtMs.filter((atMs) => atMs > now - conflictWindowMs), now].slice(
        -contestedMin,
      );
      known.untilMs = now + ownedMs;
      busy.delete(accountId);
      busy.set(accountId, known);
      if (busy.size > busyAccountsMax) busy.delete(busy.keys().next().value!);
    },

    isContested(accountId) {
      const oldestAtMs = busy.get(accountId)?.conflictsAtMs.at(-contestedMin);
      return oldestAtMs !== undefined && oldestAtMs > nowMs() - conflictWindowMs;
    },

    async accept(accountId, request) {
      const known = busy.get(accountId);
      const now = nowMs();
      if (known === undefined || known.untilMs < now) return await acceptHere(accountId, request);
      known.untilMs = now + ownedMs;
      const owner = ownerOf(accountId);
      if (owner === processId) return await acceptHere(accountId, request);
      return await forward(owner, accountId, request);
    },
  };
}

/** The same for everyone who sees the same processes; one that comes or goes moves only its own accounts. */
export function rendezvousOwner(processIds: readonly string[], accountId: string): string {
  const weigh = (id: string) => createHash("sha256").update(`${id} ${accountId}`).digest("hex");
  return processIds.reduce((best, id) => (weigh(id) > weigh(best) ? id : best));
}
