/**
 * A stream's leader that dies takes with it whatever it was asked and had not answered, and nobody answers anything until
 * the other servers have elected another: 4 to 9 seconds (docs/adr/0026-failover.md). Then nats-server says so, and whoever
 * waits for an answer need not wait for the end of a timeout. A connection that was lost and is back is the same to those
 * who asked before.
 */
import type { NatsConnection } from "@nats-io/transport-node";
import { watchConnection } from "./connection.ts";

const advisories = "$JS.EVENT.ADVISORY";
/** Elections for streams and for consumers; nats-server alone publishes there. */
export const leaderElectedSubjects = ["STREAM.LEADER_ELECTED.*", "CONSUMER.LEADER_ELECTED.*.*"].map(
  (kind) => `${advisories}.${kind}`,
);

type Listeners = Map<string, Set<() => void>>;

const watches = new WeakMap<NatsConnection, Listeners>();

/**
 * Calls `listener` each time that another server leads what has this name: `PS_STATE`, or `PS_READY.lane-0` for a consumer.
 * Returns a function that removes it. Where nats-server does not let this service listen, nobody is called.
 */
export function onElected(connection: NatsConnection, name: string, listener: () => void): () => void {
  const listenersByName = watches.get(connection) ?? watchElections(connection);
  const listeners = listenersByName.get(name) ?? new Set();
  listenersByName.set(name, listeners);
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function watchElections(connection: NatsConnection): Listeners {
  const listenersByName: Listeners = new Map();
  watches.set(connection, listenersByName);
  if (connection.isClosed() || connection.isDraining()) return listenersByName;
  for (const subject of leaderElectedSubjects)
    connection.subscribe(subject, {
      callback(error, message) {
        if (error !== null) return;
        const name = message.subject.split(".").slice(advisoryTokens).join(".");
        for (const listener of [...(listenersByName.get(name) ?? [])]) listener();
      },
    });
  return listenersByName;
}

/** `$JS.EVENT.ADVISORY.STREAM.LEADER_ELECTED` */
const advisoryTokens = 5;

/** Calls `listener` when what the stream's leader was asked before will hardly be answered any more. */
function onLeaderLost(connection: NatsConnection, stream: string, listener: () => void): () => void {
  const forget = [onElected(connection, stream, listener), watchConnection(connection).onReconnect(listener)];
  return () => {
    for (const each of forget) each();
  };
}

/** Asks again whenever the stream has a new leader. Resolves with the first answer; rejects when each of them has failed. */
export async function askLeader<T>(
  connection: NatsConnection,
  stream: string,
  timeoutMs: number,
  ask: (timeoutMs: number) => Promise<T>,
): Promise<T> {
  const endsAtMs = performance.now() + timeoutMs;
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let unanswered = 0;

  function askOnce(): void {
    const leftMs = endsAtMs - performance.now();
    if (leftMs < 1) return;
    unanswered += 1;
    ask(leftMs).then(resolve, (error: unknown) => {
      unanswered -= 1;
      if (unanswered === 0) reject(error);
    });
  }

  const forget = onLeaderLost(connection, stream, askOnce);
  askOnce();
  return await promise.finally(forget);
}

/** The answer to what was sent just now. Rejects with `lost` when it has not come soon after the stream got a new leader. */
export async function answerOfLeader<T>(
  connection: NatsConnection,
  stream: string,
  { answer, lost }: { readonly answer: Promise<T>; readonly lost: () => Error },
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const forget = onLeaderLost(connection, stream, () => {
    timer ??= setTimeout(() => reject(lost()), lateAnswerMsMax);
  });
  return await Promise.race([answer, promise]).finally(() => {
    forget();
    clearTimeout(timer);
  });
}

/** The new leader itself may have been asked, and be about to answer. */
const lateAnswerMsMax = 500;
