/**
 * The ready queue, `PS_READY`: a work queue of lanes with one durable pull consumer each. A free slot makes one fetch: it
 * tries the lane whose turn it is first, then the others without waiting. Only when all lanes are empty does it hold a pull
 * on each; a message that then arrives without a free slot is nakked at once, and one that arrives while others are
 * fetched goes before them: its lane had none for a while. Once one slot has found a message, the
 * other free ones fetch at the same time: with three replicas each fetch waits for a disk write of two servers. The live
 * lanes and the sandbox lane are pulled apart.
 */
import { setTimeout } from "node:timers/promises";
import type { Msg, NatsConnection, Subscription } from "@nats-io/transport-node";
import {
  firstLaneTurns,
  type Lane,
  laneOrder,
  liveLanes,
  sandboxLane,
  turnsAfter,
} from "@packshot/domain/accounts/lane.ts";
import type { QueueEntry } from "@packshot/domain/accounts/queue-entry.ts";
import type { WindowKind } from "@packshot/domain/accounts/window.ts";
import { streams } from "@packshot/domain/subjects.ts";
import { createPrivateInbox } from "@packshot/log/nats/connection.ts";
import { onElected } from "@packshot/log/nats/leader-watch.ts";
import { laneConsumerName } from "@packshot/log/nats/streams.ts";

export interface ReadyMessage {
  readonly accountId: string;
  readonly jobId: string;
  readonly lane: Lane;
  /** W3C trace context of the job. */
  readonly traceparent?: string | undefined;
  /** Sequence in `PS_READY`: the same when the message is delivered again. */
  readonly sequence: number;
  /** How often it has been delivered, with this time. */
  readonly deliveries: number;
  /** Removes the message from the queue. Resolves when the server has confirmed it. */
  ack(): Promise<void>;
  /** Returns the message to the queue after `delayMs`. */
  nak(delayMs: number): void;
  /** Extends the hold on the message by another ack wait. */
  working(): void;
}

export interface ReadyQueue {
  /** Waits for a message, and takes up to `max` if there are more; none once `signal` aborts. One call at a time. */
  take(max: number, signal: AbortSignal): Promise<readonly ReadyMessage[]>;
  /** Naks messages that arrived and were not taken. */
  stop(): void;
}

const pullExpiresMsDefault = 30_000;
const ackTimeoutMs = 5_000;
const pullNowTimeoutMs = 500;
const retryPullMs = 1_000;
/** What an earlier leader of a lane has sent may arrive later than the word that there is another. */
const lateMessageMsMax = 250;
/** Fetches at once. */
const fetchesMax = 32;
/**
 * No message now, or none in time. Any other status means that no server can reply, so an immediate retry is useless.
 */
const emptyStatuses = [404, 408];

/**
 * @param window whose jobs are pulled
 * @param pullExpiresMs how long a lane that is empty holds a pull
 */
export function createReadyQueue(
  connection: NatsConnection,
  window: WindowKind = "live",
  pullExpiresMs = pullExpiresMsDefault,
): ReadyQueue {
  const lanes: readonly Lane[] = window === "live" ? liveLanes : [sandboxLane];
  const heldLanes = new Set<Lane>();
  const pulls = new Map<Subscription, Lane>();
  const arrived: ReadyMessage[] = [];
  let wakeWaiter: (() => void) | undefined;
  let isTaking = false;
  let stopped = false;
  const { nextOrders, countTurn } = createTurns(window);

  /** A pulled message carries its stream's subject and not the inbox, so each pull needs a subscription of its own. */
  async function pull(lane: Lane, request: object, timeoutMs: number): Promise<ReadyMessage | undefined> {
    const inbox = createPrivateInbox(connection);
    const replies = connection.subscribe(inbox, { max: 1, timeout: timeoutMs });
    pulls.set(replies, lane);
    const subject = `$JS.API.CONSUMER.MSG.NEXT.${streams.ready}.${laneConsumerName(lane)}`;
    connection.publish(subject, JSON.stringify(request), { reply: inbox });
    try {
      for await (const message of replies) {
        // A status has no reply subject to acknowledge.
        if (message.reply !== undefined && message.reply !== "") return readyMessage(connection, message, lane);
        const { code = 0, description } = message.headers ?? {};
        if (!emptyStatuses.includes(code)) throw new Error(`lane ${lane} was not pulled: ${code} ${description}`);
      }
      return undefined;
    } finally {
      pulls.delete(replies);
    }
  }

  /** With `expires` the server would wait that long on an empty lane. At `max_ack_pending` it sends no reply at all. */
  function pullNow(lane: Lane): Promise<ReadyMessage | undefined> {
    return pull(lane, { batch: 1, no_wait: true }, pullNowTimeoutMs).catch(() => undefined);
  }

  function holdPull(lane: Lane): void {
    if (heldLanes.has(lane) || stopped) return;
    heldLanes.add(lane);
    void pull(lane, { batch: 1, expires: pullExpiresMs * 1_000_000 }, pullExpiresMs + 5_000)
      .catch(async (): Promise<undefined> => void (await setTimeout(retryPullMs, undefined, { ref: false })))
      .then((message) => {
        heldLanes.delete(lane);
        if (message === undefined) {
          if (wakeWaiter !== undefined) holdPull(lane);
        } else if (!isTaking || stopped) {
          message.nak(0);
        } else {
          arrived.push(message);
          wakeWaiter?.();
        }
      });
  }

  /**
   * A restarted server has forgotten the pulls that it held. Ending them here makes `holdPull` send them again.
   */
  async function renewPullsOnReconnect(): Promise<void> {
    for await (const { type } of connection.status()) {
      if (stopped) return;
      if (type === "reconnect") endPulls([...pulls.keys()]);
    }
  }
  void renewPullsOnReconnect();

  /** So has a lane's new leader, which never knew of them. */
  const electionWatches = lanes.map((lane) =>
    onElected(connection, `${streams.ready}.${laneConsumerName(lane)}`, () => {
      const ofLane = [...pulls].filter(([, pulled]) => pulled === lane).map(([replies]) => replies);
      void setTimeout(lateMessageMsMax, undefined, { ref: false }).then(() => endPulls(ofLane));
    }),
  );

  function endPulls(ended: readonly Subscription[]): void {
    for (const replies of ended) replies.unsubscribe();
  }

  /** A message of the first lane of the order that has any. `empty` are those known to have none. */
  async function fetch(
    signal: AbortSignal,
    order: readonly Lane[],
    empty: Set<Lane>,
  ): Promise<ReadyMessage | undefined> {
    for (const lane of order) {
      if (signal.aborted) return undefined;
      if (arrived.length > 0) return arrived.shift();
      if (heldLanes.has(lane) || empty.has(lane)) continue;
      const message = await pullNow(lane);
      if (message !== undefined) return message;
      empty.add(lane);
    }
    return arrived.shift();
  }

  async function waitForArrival(signal: AbortSignal): Promise<ReadyMessage | undefined> {
    while (!signal.aborted) {
      const arrival = Promise.withResolvers<void>();
      wakeWaiter = arrival.resolve;
      signal.addEventListener("abort", wakeWaiter, { once: true });
      for (const lane of lanes) holdPull(lane);
      await arrival.promise;
      // The signal outlives every wait: a listener left on it would stay until the process ends.
      signal.removeEventListener("abort", wakeWaiter);
      wakeWaiter = undefined;
      if (arrived.length > 0 && !signal.aborted) return arrived.shift();
    }
    return undefined;
  }

  async function takeSome(max: number, signal: AbortSignal): Promise<readonly ReadyMessage[]> {
    const first = (await fetch(signal, nextOrders(1)[0]!, new Set())) ?? (await waitForArrival(signal));
    if (first === undefined) return [];
    countTurn(first);
    const empty = new Set<Lane>();
    const fetches = nextOrders(Math.min(max, fetchesMax) - 1).map((order) => fetch(signal, order, empty));
    const more = (await Promise.all(fetches)).filter((message) => message !== undefined);
    more.forEach(countTurn);
    return [first, ...more];
  }

  return {
    async take(max, signal) {
      isTaking = true;
      const taken = await takeSome(max, signal).finally(() => (isTaking = false));
      const late = arrived.splice(0);
      const all = signal.aborted ? [...taken, ...late] : [...late, ...taken];
      const kept = all.slice(0, signal.aborted ? taken.length : max);
      for (const message of all.slice(kept.length)) message.nak(0);
      for (const message of late) if (kept.includes(message)) countTurn(message);
      return kept;
    },

    stop() {
      stopped = true;
      // The server sends no message to an inbox without a subscriber.
      endPulls([...pulls.keys()]);
      for (const forget of electionWatches) forget();
      for (const message of arrived.splice(0)) message.nak(0);
    },
  };
}

/** Whose turn it is. Sandbox jobs have one lane. */
function createTurns(window: WindowKind) {
  let turns = firstLaneTurns(Math.random);
  return {
    /** The orders of so many fetches at once: each as if those before it had found what they try first. */
    nextOrders(count: number): (readonly Lane[])[] {
      if (window === "sandbox") return Array.from({ length: count }, () => [sandboxLane]);
      let planned = turns;
      return Array.from({ length: count }, () => {
        const order = laneOrder(planned);
        planned = turnsAfter(planned, order[0]!);
        return order;
      });
    },
    countTurn({ lane }: ReadyMessage): void {
      if (lane !== sandboxLane) turns = turnsAfter(turns, lane);
    },
  };
}

function readyMessage(connection: NatsConnection, message: Msg, lane: Lane): ReadyMessage {
  const reply = message.reply!;
  const { accountId, jobId, traceparent } = message.json<QueueEntry>();
  return {
    accountId,
    jobId,
    lane,
    traceparent,
    ...ackCounts(reply),
    async ack() {
      await connection.request(reply, "+ACK", { timeout: ackTimeoutMs });
    },
    nak(delayMs) {
      connection.publish(
        reply,
        delayMs === 0 ? "-NAK" : `-NAK ${JSON.stringify({ delay: Math.round(delayMs * 1_000_000) })}`,
      );
    },
    working() {
      connection.publish(reply, "+WPI");
    },
  };
}

/** `$JS.ACK.[<domain>.<account hash>.]<stream>.<consumer>.<delivered>.<stream seq>.<consumer seq>.<time>.<pending>` */
function ackCounts(reply: string): Pick<ReadyMessage, "deliveries" | "sequence"> {
  const tokens = reply.split(".");
  const stream = tokens.length >= 11 ? 4 : 2;
  return { deliveries: Number(tokens[stream + 2]), sequence: Number(tokens[stream + 3]) };
}
