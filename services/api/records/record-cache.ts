/**
 * Keys and accounts in memory. The cache follows their records, so that every process refuses a revoked
 * key or a suspended account at once. An entry older than a second is read again from the leader, in case the follower
 * lags. That a record does not exist is known for longer and kept apart from the records: the follower brings a record
 * that is written, and made-up keys must neither be read again and again nor displace those that exist.
 */
import { subjects } from "@packshot/domain/subjects.ts";
import { createStateProjection } from "@packshot/log/follow/projection.ts";
import type { Log } from "@packshot/log/log.ts";
import { createSingleFlight } from "@packshot/platform/flow/single-flight.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { CacheAccount } from "./commit-account.ts";

const freshMs = 1_000;
const entriesMax = 20_000;
const absentFreshMs = 10_000;
const absentMax = 10_000;

export interface RecordCache extends Component {
  /** Why the cache is behind the log; undefined when it is not. */
  lag(): string | undefined;
  read<T>(subject: string): Promise<T | undefined>;
  /** The newest value known here, however old: only for what a compare-and-set checks afterward. */
  peek<T>(subject: string): { readonly value: T | undefined; readonly sequence: number } | undefined;
  /** Stores what this process has just committed, so that its next read does not wait for the follower. */
  put(subject: string, value: object | undefined, sequence: number): void;
}

interface Entry {
  value: unknown;
  sequence: number;
  readAtMs: number;
}

export interface RecordCacheDeps {
  readonly log: Log;
  readonly logger: Logger;
  readonly nowMs: () => number;
}

export function createRecordCache({ log, logger, nowMs }: RecordCacheDeps): RecordCache {
  const entries = new Map<string, Entry>();
  /** Subjects that have no record. */
  const absent = new Map<string, Entry>();
  const loads = createSingleFlight<unknown>();

  const find = (subject: string) => entries.get(subject) ?? absent.get(subject);

  function store(subject: string, value: unknown, sequence: number, readAtMs: number) {
    const known = find(subject);
    if (known !== undefined && known.sequence > sequence) return known.value;
    entries.delete(subject);
    absent.delete(subject);
    const [kept, keptMax] = value === undefined ? [absent, absentMax] : [entries, entriesMax];
    kept.set(subject, { value, sequence, readAtMs });
    if (kept.size > keptMax) kept.delete(kept.keys().next().value!);
    return value;
  }

  function isFresh({ value, readAtMs }: Entry): boolean {
    // A follower that lags would not tell that the record has been written.
    const isFollowed = value === undefined && projection.lag() === undefined;
    return nowMs() - readAtMs < (isFollowed ? absentFreshMs : freshMs);
  }

  const projection = createStateProjection({
    name: "record cache",
    log,
    logger,
    filters: [subjects.keyByHash("*", "*"), subjects.account("*")],
    from: "next",
    apply(message) {
      const { subject, seq, data } = message;
      if (find(subject) === undefined && !loads.isRunning(subject)) return;
      store(subject, data.length === 0 ? undefined : message.json<object>(), seq, nowMs());
    },
  });

  return {
    name: projection.name,
    start: projection.start,
    stop: projection.stop,
    lag: projection.lag,
    peek: <T>(subject: string) => find(subject) as { value: T | undefined; sequence: number } | undefined,
    put: (subject, value, sequence) => void store(subject, value, sequence, nowMs()),
    async read<T>(subject: string) {
      const known = find(subject);
      if (known !== undefined && isFresh(known)) return known.value as T | undefined;
      const load = loads.run(subject, async () => {
        const requestedAtMs = nowMs();
        const { value, sequence } = await log.read<T>(subject);
        return store(subject, value, sequence, requestedAtMs);
      });
      return (await load) as T | undefined;
    },
  };
}

export function cacheAccountIn(records: Pick<RecordCache, "put">): CacheAccount {
  return (account, sequence) => records.put(subjects.account(account.accountId), account, sequence);
}
