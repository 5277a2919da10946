/** The log as the services see it: read records, commit a transition's writes, try again after a conflict. */
import type { NatsConnection } from "@nats-io/transport-node";
import { PackshotError } from "@packshot/domain/errors.ts";
import { streams } from "@packshot/domain/subjects.ts";
import type { Versioned, Write } from "@packshot/domain/write.ts";
import { failpoint } from "../lifecycle/failpoints.ts";
import { commitBatch, LogConflict, LogOutcomeUnknown } from "./batch.ts";

const readTimeoutMs = 5_000;
const noMessageFound = 10037;

/** A record as the log has it; `value` is undefined for a tombstone, `sequence` 0 when the subject holds nothing. */
export interface LogRecord<T> {
  readonly subject: string;
  readonly value: T | undefined;
  readonly sequence: number;
}

export interface Log {
  readonly connection: NatsConnection;
  /** From the stream's leader: what was committed before this call is seen. */
  read<T>(subject: string): Promise<LogRecord<T>>;
  /** From any replica: may be stale. Only for what a compare-and-set checks afterward, or a cache. */
  readDirect<T>(subject: string): Promise<LogRecord<T>>;
  /** From the leader: the first message at or after `fromSequence` whose subject matches `filter` (wildcards allowed). */
  readNext<T>(filter: string, fromSequence: number): Promise<LogRecord<T> | undefined>;
  /** One atomic batch. `transition` names it in errors and failpoints. */
  commit(transition: string, writes: readonly Write[]): Promise<{ firstSequence: number }>;
  /**
   * `decide` reads what it needs from the leader and answers either `done` (nothing to write, or my earlier write is
   * there already: what carries my id is my success) or the writes to commit. After a conflict, a time-out or a lost
   * connection it is asked again, as `policy` says. Throws `unavailable`, caused by the last failure, when no attempt is
   * left.
   */
  transact<T>(
    transition: string,
    decide: (attempt: number) => Promise<Decision<T>>,
    policy?: Partial<RetryPolicy>,
  ): Promise<T>;
}

/** What `transact` does when another writer was first, an answer was lost or the leader is out of reach. */
export interface RetryPolicy {
  readonly attemptsMax: number;
  /** The pause after attempt number `attempt`, which counts from 1. */
  readonly backoffMs: (attempt: number) => number;
  readonly isRetryable: (error: unknown) => boolean;
  /** Told of every retryable failure, the last one included. */
  readonly onFailure: (error: unknown, attempt: number) => void;
}

export type Decision<T> =
  | { readonly done: T }
  | { readonly writes: readonly Write[]; readonly answer: T | ((firstSequence: number) => T) };

interface StoredMessage {
  readonly subject: string;
  readonly seq: number;
  readonly data?: string;
}

export function createLog(connection: NatsConnection): Log {
  async function messageGet(request: object): Promise<StoredMessage | undefined> {
    const reply = await connection.request(`$JS.API.STREAM.MSG.GET.${streams.state}`, JSON.stringify(request), {
      timeout: readTimeoutMs,
    });
    const body = reply.json<{
      message?: StoredMessage;
      error?: { code: number; err_code: number; description: string };
    }>();
    if (body.message !== undefined) return body.message;
    if (body.error?.err_code === noMessageFound || body.error?.code === 404) return undefined;
    throw new PackshotError("unavailable", "The log does not answer; try again.", { cause: body.error?.description });
  }

  function recordOf<T>(message: StoredMessage): LogRecord<T> {
    const text = message.data === undefined ? "" : Buffer.from(message.data, "base64").toString("utf8");
    const value = text.length === 0 ? undefined : (JSON.parse(text) as T);
    return { subject: message.subject, value, sequence: message.seq };
  }

  async function read<T>(subject: string): Promise<LogRecord<T>> {
    const message = await messageGet({ last_by_subj: subject });
    return message === undefined ? { subject, value: undefined, sequence: 0 } : recordOf<T>(message);
  }

  async function readDirect<T>(subject: string): Promise<LogRecord<T>> {
    const reply = await connection.request(`$JS.API.DIRECT.GET.${streams.state}.${subject}`, "", {
      timeout: readTimeoutMs,
    });
    if (reply.headers?.code === 404) return { subject, value: undefined, sequence: 0 };
    const sequence = Number(reply.headers?.get("Nats-Sequence"));
    return { subject, value: reply.data.length === 0 ? undefined : reply.json<T>(), sequence };
  }

  async function readNext<T>(filter: string, fromSequence: number): Promise<LogRecord<T> | undefined> {
    const message = await messageGet({ seq: Math.max(1, fromSequence), next_by_subj: filter });
    return message === undefined ? undefined : recordOf<T>(message);
  }

  async function commit(transition: string, writes: readonly Write[]) {
    failpoint(`${transition}:before-commit`);
    const committed = await commitBatch(connection, transition, writes);
    failpoint(`${transition}:after-commit`);
    return committed;
  }

  async function transact<T>(
    transition: string,
    decide: (attempt: number) => Promise<Decision<T>>,
    policy: Partial<RetryPolicy> = {},
  ): Promise<T> {
    const { attemptsMax, backoffMs, isRetryable, onFailure } = { ...defaultRetryPolicy, ...policy };
    for (let attempt = 1; ; attempt++) {
      try {
        const decision = await decide(attempt);
        if ("done" in decision) return decision.done;
        const { firstSequence } = await commit(transition, decision.writes);
        const { answer } = decision;
        return typeof answer === "function" ? (answer as (sequence: number) => T)(firstSequence) : answer;
      } catch (error) {
        if (!isRetryable(error)) throw error;
        onFailure(error, attempt);
        if (attempt >= attemptsMax) {
          throw new PackshotError("unavailable", "The log is too busy or out of reach; try again.", { cause: error });
        }
        const pauseMs = backoffMs(attempt);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }

  return { connection, read, readDirect, readNext, commit, transact };
}

/** A conflict, a lost answer, or a read that timed out while a new leader is elected. */
export function isRetryableLogError(error: unknown): boolean {
  if (error instanceof LogConflict || error instanceof LogOutcomeUnknown) return true;
  const name = error instanceof Error ? error.name : "";
  return ["TimeoutError", "NoRespondersError", "RequestError", "ConnectionError"].includes(name);
}

/** Exponential, with jitter: those who met in a conflict do not meet again. */
export function jitteredBackoffMs(attempt: number, { firstMs, maxMs }: { firstMs: number; maxMs: number }): number {
  return Math.min(maxMs, firstMs * 2 ** (attempt - 1)) * (0.5 + Math.random());
}

const defaultRetryPolicy: RetryPolicy = {
  attemptsMax: 12,
  backoffMs: (attempt) => jitteredBackoffMs(attempt, { firstMs: 8, maxMs: 1_000 }),
  isRetryable: isRetryableLogError,
  onFailure() {},
};

/** For compare-and-set of a record that must exist. */
export function versioned<T>(record: LogRecord<T>): Versioned<T> | undefined {
  return record.value === undefined ? undefined : { value: record.value, sequence: record.sequence };
}
