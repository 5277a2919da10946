/** The log as services use it: read records, commit a transition's writes, retry a transaction after a conflict. */
import type { NatsConnection } from "@nats-io/transport-node";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { Write } from "@packshot/domain/write.ts";
import { jitteredBackoffMs } from "@packshot/platform/flow/pause.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import { commitBatch } from "./commit/atomic-batch.ts";
import { type CommitObserver, createGroupCommit } from "./commit/group-commit.ts";
import { isRetryableLogError, LogOutcomeUnknown, LogUnreachable } from "./nats/errors.ts";
import { readLastMessage, readNextMessage, type StoredMessage } from "./nats/leader-read.ts";
import { answerOfLeader } from "./nats/leader-watch.ts";
import { listStateStreams, type StateStream, type StateStreamCount, stateStreamIndex } from "./nats/state-streams.ts";

/** A record as the log has it; `value` is undefined for a tombstone, `sequence` 0 when the subject holds nothing. */
export interface LogRecord<T> {
  readonly subject: string;
  readonly value: T | undefined;
  readonly sequence: number;
}

export interface Log {
  readonly connection: NatsConnection;
  readonly stateStreams: readonly StateStream[];
  /** The one that stores this subject. Throws for a subject that names no shard. */
  streamOf(subject: string): StateStream;
  /** From the stream's leader: what was committed before this call is seen. */
  read<T>(subject: string): Promise<LogRecord<T>>;
  /** From the leader: the first message at or after `fromSequence` whose subject matches `filter` (wildcards allowed). */
  readNext<T>(filter: string, fromSequence: number): Promise<LogRecord<T> | undefined>;
  /** One atomic batch, in one state stream. `transition` names it in errors and failpoints. */
  commit(transition: string, writes: readonly Write[]): Promise<{ firstSequence: number }>;
  /**
   * `decide` reads records from the leader and returns the writes to commit, or `done` when there is nothing to write.
   * After a retryable error it is called again, as `policy` says. A write whose answer was lost may be stored, so
   * `decide` must recognize its own earlier write, by an id in it, and return `done`. Throws `unavailable`, caused by the
   * last failure, when no attempt is left.
   */
  transact<T>(
    transition: string,
    decide: (attempt: number) => Promise<Decision<T>>,
    policy?: Partial<RetryPolicy>,
  ): Promise<T>;
}

/** How `transact` retries after an error that `isRetryableLogError` accepts. */
export interface RetryPolicy {
  readonly attemptsMax: number;
  /** The pause after attempt number `attempt`, which counts from 1. */
  readonly backoffMs: (attempt: number) => number;
  /** Told of every retryable failure, the last one included. What it throws ends the retries. */
  readonly onFailure: (error: unknown, attempt: number) => void;
}

export type Decision<T> =
  | { readonly done: T }
  | { readonly writes: readonly Write[]; readonly result: T | ((firstSequence: number) => T) };

export interface LogSettings {
  /** As the log was made: its schema record says so. */
  readonly stateStreamCount: StateStreamCount;
  /**
   * Why the log has been out of reach for so long that nothing more is sent: callers then fail at once instead of waiting
   * for a timeout each time.
   */
  readonly outage?: () => string | undefined;
  readonly observer?: CommitObserver | undefined;
}

export function createLog(
  connection: NatsConnection,
  { stateStreamCount, outage = () => undefined, observer }: LogSettings,
): Log {
  const stateStreams = listStateStreams(stateStreamCount);

  function streamOf(subject: string): StateStream {
    return stateStreams[stateStreamIndex(subject, stateStreamCount)]!;
  }

  function assertReachable(operation: string): void {
    const reason = outage();
    if (reason !== undefined) throw new LogUnreachable(operation, reason);
  }

  async function read<T>(subject: string): Promise<LogRecord<T>> {
    assertReachable(`reading ${subject}`);
    const message = await readLastMessage(connection, streamOf(subject).state, subject);
    return message === undefined ? { subject, value: undefined, sequence: 0 } : toRecord<T>(message);
  }

  async function readNext<T>(filter: string, fromSequence: number): Promise<LogRecord<T> | undefined> {
    assertReachable(`reading ${filter}`);
    const message = await readNextMessage(connection, streamOf(filter).state, filter, fromSequence);
    return message === undefined ? undefined : toRecord<T>(message);
  }

  const stateOf = ([first]: readonly Write[]) => streamOf(first!.subject).state;
  const commitInGroup = createGroupCommit({
    commitBatch: async (transition, writes) => {
      assertReachable(transition);
      return await answerOfLeader(connection, stateOf(writes), {
        answer: commitBatch(connection, transition, writes),
        lost: () => new LogOutcomeUnknown(transition, "another server leads the stream"),
      });
    },
    streamOf: stateOf,
    observer,
  });

  async function commit(transition: string, writes: readonly Write[]) {
    assertReachable(transition);
    assertOneStream(transition, writes);
    failpoint(`${transition}:before-commit`);
    const committed = await commitInGroup(transition, writes);
    failpoint(`${transition}:after-commit`);
    return committed;
  }

  function assertOneStream(transition: string, writes: readonly Write[]): void {
    const indexes = new Set(writes.map(({ subject }) => stateStreamIndex(subject, stateStreamCount)));
    if (indexes.size > 1)
      throw new RangeError(`${transition}: a batch lies in one state stream, not in ${indexes.size}`);
  }

  async function transact<T>(
    transition: string,
    decide: (attempt: number) => Promise<Decision<T>>,
    policy: Partial<RetryPolicy> = {},
  ): Promise<T> {
    const { attemptsMax, backoffMs, onFailure } = { ...defaultRetryPolicy, ...policy };
    for (let attempt = 1; ; attempt++) {
      try {
        const decision = await decide(attempt);
        if ("done" in decision) return decision.done;
        const { firstSequence } = await commit(transition, decision.writes);
        const { result } = decision;
        return typeof result === "function" ? (result as (sequence: number) => T)(firstSequence) : result;
      } catch (error) {
        if (!isRetryableLogError(error)) throw error;
        onFailure(error, attempt);
        if (attempt >= attemptsMax) {
          throw new PackshotError("unavailable", "The log is too busy or out of reach; try again.", { cause: error });
        }
        const pauseMs = backoffMs(attempt);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }

  return { connection, stateStreams, streamOf, read, readNext, commit, transact };
}

function toRecord<T>({ subject, sequence, text }: StoredMessage): LogRecord<T> {
  if (isApiAnswer(text))
    throw new Error(
      `${subject} was overwritten by somebody with a service's credentials: restore it, and replace them`,
    );
  return { subject, sequence, value: text.length === 0 ? undefined : (JSON.parse(text) as T) };
}

const defaultRetryPolicy: RetryPolicy = {
  attemptsMax: 12,
  backoffMs: (attempt) => jitteredBackoffMs(attempt, { firstMs: 8, maxMs: 1_000 }),
  onFailure() {},
};

/**
 * An answer of JetStream's API that was stored as a record. Who asks chooses the subject of the answer, and nats-server
 * does not look whether they may write there: that is how a service's stolen credentials can destroy a record that they
 * may not publish (docs/adr/0018-nats-permissions.md). Such a message is never taken for a record.
 */
const beginning = Buffer.from('{"type":"io.nats.jetstream.api.');

export function isApiAnswer(message: Uint8Array | string): boolean {
  if (typeof message === "string") return message.startsWith(beginning.toString());
  return message.length >= beginning.length && beginning.equals(message.subarray(0, beginning.length));
}
