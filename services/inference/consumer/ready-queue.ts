/**
 * Jobs that a worker may take, from `PS_READY`: a work queue of four lanes, one durable pull consumer each. One free
 * slot, one fetch: a lane drawn by weight is tried first, then the others without waiting; only with all empty is a
 * pull held on each, and whatever then arrives without a slot goes straight back.
 */
import { setTimeout } from "node:timers/promises";
import { createInbox, type Msg, type NatsConnection, type Subscription } from "@nats-io/transport-node";
import { drawLanes, type Lane, lanes } from "@packshot/domain/lane.ts";
import { streams } from "@packshot/domain/subjects.ts";
import { laneConsumerName } from "@packshot/platform/nats/streams.ts";

export interface ReadyMessage {
  readonly accountId: string;
  readonly jobId: string;
  readonly lane: Lane;
  /** Sequence in `PS_READY`: the same when the message is delivered again. */
  readonly sequence: number;
  /** The job is settled for good: the message leaves the queue. Resolves when the server has it. */
  ack(): Promise<void>;
  /** Back into the queue after `delayMs`. */
  nak(delayMs: number): void;
  /** Holds the message for another ack wait. */
  working(): void;
}

export interface ReadyQueue {
  /** The next message; undefined once `signal` aborts. One call at a time. */
  next(signal: AbortSignal): Promise<ReadyMessage | undefined>;
  /** Gives back what arrived and was not taken. */
  stop(): void;
}

const pullExpiresMs = 30_000;
const ackTimeoutMs = 5_000;
const pullNowTimeoutMs = 500;
const retryPullMs = 1_000;
/** No message now, or none within the time. Any other status means that nobody can answer: not worth asking at once. */
const emptyStatuses = [404, 408];

export function createReadyQueue(connection: NatsConnection): ReadyQueue {
  const held = new Set<Lane>();
  const pulls = new Set<Subscription>();
  const arrived: ReadyMessage[] = [];
  let wakeWaiter: (() => void) | undefined;
  let stopped = false;
  // Workers that start together do not draw in step.
  let turn = Math.floor(Math.random() * 15);

  /** A pulled message carries its stream's subject, not the inbox: each pull has a subscription of its own. */
  async function pull(lane: Lane, request: object, timeoutMs: number): Promise<ReadyMessage | undefined> {
    const inbox = createInbox();
    const answers = connection.subscribe(inbox, { max: 1, timeout: timeoutMs });
    pulls.add(answers);
    const subject = `$JS.API.CONSUMER.MSG.NEXT.${streams.ready}.${laneConsumerName(lane)}`;
    connection.publish(subject, JSON.stringify(request), { reply: inbox });
    try {
      for await (const message of answers) {
        // A status has no reply subject to acknowledge.
        if (message.reply !== undefined && message.reply !== "") return readyMessage(connection, message, lane);
        const { code = 0, description } = message.headers ?? {};
        if (!emptyStatuses.includes(code)) throw new Error(`lane ${lane} was not pulled: ${code} ${description}`);
      }
      return undefined;
    } finally {
      pulls.delete(answers);
    }
  }

  /** With `expires` the server would wait that long on an empty lane; at `max_ack_pending` it gives no reply at all. */
  function pullNow(lane: Lane): Promise<ReadyMessage | undefined> {
    return pull(lane, { batch: 1, no_wait: true }, pullNowTimeoutMs).catch(() => undefined);
  }

  function hold(lane: Lane): void {
    if (held.has(lane) || stopped) return;
    held.add(lane);
    void pull(lane, { batch: 1, expires: pullExpiresMs * 1_000_000 }, pullExpiresMs + 5_000)
      .catch(async (): Promise<undefined> => void (await setTimeout(retryPullMs, undefined, { ref: false })))
      .then((message) => {
        held.delete(lane);
        if (message === undefined) {
          if (wakeWaiter !== undefined) hold(lane);
        } else if (wakeWaiter === undefined || stopped) {
          message.nak(0);
        } else {
          arrived.push(message);
          wakeWaiter();
        }
      });
  }

  /** A server that was away has forgotten the pulls that it held: ending them has them made again. */
  async function pullAgainWhenBack(): Promise<void> {
    for await (const { type } of connection.status()) {
      if (stopped) return;
      if (type === "reconnect") for (const answers of pulls) answers.unsubscribe();
    }
  }
  void pullAgainWhenBack();

  return {
    async next(signal) {
      turn += 1;
      for (const lane of drawLanes(turn)) {
        if (signal.aborted) return undefined;
        const taken = arrived.shift() ?? (held.has(lane) ? undefined : await pullNow(lane));
        if (taken !== undefined) return taken;
      }
      while (!signal.aborted) {
        const woken = Promise.withResolvers<void>();
        wakeWaiter = woken.resolve;
        signal.addEventListener("abort", wakeWaiter, { once: true });
        for (const lane of lanes) hold(lane);
        await woken.promise;
        // The signal outlives every wait: what was left on it would stay until the process ends.
        signal.removeEventListener("abort", wakeWaiter);
        wakeWaiter = undefined;
        const [first, ...others] = arrived.splice(0);
        for (const other of others) other.nak(0);
        if (first !== undefined && signal.aborted) first.nak(0);
        else if (first !== undefined) return first;
      }
      return undefined;
    },

    stop() {
      stopped = true;
      // The server sends nothing to an inbox that nobody reads any more.
      for (const answers of pulls) answers.unsubscribe();
      for (const message of arrived.splice(0)) message.nak(0);
    },
  };
}

function readyMessage(connection: NatsConnection, message: Msg, lane: Lane): ReadyMessage {
  const reply = message.reply!;
  const { accountId, jobId } = message.json<{ accountId: string; jobId: string }>();
  return {
    accountId,
    jobId,
    lane,
    sequence: streamSequenceOf(reply),
    async ack() {
      await connection.request(reply, "+ACK", { timeout: ackTimeoutMs });
    },
    nak(delayMs) {
      connection.publish(reply, delayMs === 0 ? "-NAK" : `-NAK ${JSON.stringify({ delay: delayMs * 1_000_000 })}`);
    },
    working() {
      connection.publish(reply, "+WPI");
    },
  };
}

/** `$JS.ACK.[<domain>.<account hash>.]<stream>.<consumer>.<delivered>.<stream seq>.<consumer seq>.<time>.<pending>` */
function streamSequenceOf(reply: string): number {
  const tokens = reply.split(".");
  return Number(tokens[tokens.length >= 11 ? 7 : 5]);
}
