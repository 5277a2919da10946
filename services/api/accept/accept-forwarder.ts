/**
 * Several API processes that accept for one account only make each other's compare-and-set fail, and with it all that
 * shares the batch. So each account has one owner among the live processes, chosen by rendezvous hash, and the others
 * forward its accepts by a core request. Nothing depends on who that is: the compare-and-set stays the fence, and a
 * forwarded accept whose answer is lost is looked for in the log before it is tried here.
 */
import { hash } from "node:crypto";
import { RequestError, type Subscription } from "@nats-io/transport-node";
import { type ErrorCode, PackshotError } from "@packshot/domain/errors.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { Component } from "@packshot/platform/lifecycle/run.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { AcceptOutcome, AcceptRequest } from "./accept-batch.ts";
import type { Accept } from "./accept-queue.ts";

const aliveSubject = "ps-api.alive";
const acceptSubject = (processId: string) => `ps-api.accept.${processId}`;
const aliveEveryMs = 500;
const lostAfterMs = 2_000;
const forwardTimeoutMs = 4_000;

type ForwardAnswer =
  | { readonly outcome: AcceptOutcome }
  | {
      readonly error: {
        readonly code: ErrorCode;
        readonly message: string;
        readonly details?: Record<string, unknown>;
      };
    };

export interface AcceptForwarder extends Component {
  readonly accept: Accept;
}

export interface AcceptForwarderDeps {
  readonly log: Log;
  readonly acceptHere: Accept;
  readonly nowMs: () => number;
  readonly onForward?: () => void;
}

export function createAcceptForwarder({ log, acceptHere, nowMs, onForward }: AcceptForwarderDeps): AcceptForwarder {
  const { connection } = log;
  const processId = uuidv7();
  const alive = new Map<string, number>();
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
    } catch (error) {
      // Gone, or slow: what it did is in the log.
      if (error instanceof RequestError && error.isNoResponders()) alive.delete(owner);
      return await acceptHere(accountId, request, { mayBeCommitted: true });
    }
    if ("outcome" in reply) return reply.outcome;
    const { code, message, details } = reply.error;
    throw new PackshotError(code, message, details === undefined ? {} : { details });
  }

  function beat(): void {
    connection.publish(aliveSubject, processId);
  }

  function heard(id: string): void {
    if (id === processId) return;
    if (!alive.has(id)) {
      // A newcomer learns of us at once, so that it does not accept what is ours.
      beat();
      for (const [other, heardAtMs] of alive) if (heardAtMs < nowMs() - lostAfterMs) alive.delete(other);
    }
    alive.set(id, nowMs());
  }

  return {
    name: "accept owner",
    async start() {
      subscriptions = [
        connection.subscribe(aliveSubject, {
          callback: (error, message) => {
            if (error === null) heard(message.string());
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
      beat();
      timer = setInterval(beat, aliveEveryMs);
    },

    async stop() {
      clearInterval(timer);
      await Promise.all(subscriptions.map((subscription) => subscription.drain()));
      subscriptions = [];
    },

    async accept(accountId, request) {
      const owner = ownerOf(accountId);
      if (owner === processId) return await acceptHere(accountId, request);
      return await forward(owner, accountId, request);
    },
  };
}

/** The same for everyone who sees the same processes; one that comes or goes moves only its own accounts. */
export function rendezvousOwner(processIds: readonly string[], accountId: string): string {
  const weigh = (id: string) => hash("sha256", `${id} ${accountId}`);
  return processIds.reduce((best, id) => (weigh(id) > weigh(best) ? id : best));
}
