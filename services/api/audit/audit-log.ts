/** Appends to the audit log, and lists it. */
import {
  type AuditEntry,
  type AuditLimits,
  type AuditOwner,
  type AuditPool,
  type AuditSegment,
  appendEntry,
  auditLimits,
  auditTtlSeconds,
  countEntry,
  countedPool,
  operatorAudit,
  poolOfSegment,
  removeEntry,
  replaceEntry,
  runningCount,
  segmentName,
} from "@packshot/domain/accounts/audit.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Write } from "@packshot/domain/write.ts";
import { listRecordSubjects } from "@packshot/log/follow/list-subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { createKeyedMutex } from "@packshot/platform/flow/keyed-mutex.ts";

export interface AuditLog {
  /** Where the entry is; undefined: the pool's day is full. Throws `rate_limit_exceeded` while too many changes run. */
  append(owner: AuditOwner, pool: AuditPool, entry: AuditEntry): Promise<AuditPlace | undefined>;
  /** Replaces the entry with its id. Where that is gone, as with its account, nothing is written. */
  replace(place: AuditPlace, entry: AuditEntry): Promise<void>;
  /** Counts the entry instead of keeping it. Where it is gone, nothing is written. */
  withdraw(place: AuditPlace, entry: AuditEntry): Promise<void>;
  /** Counts an entry that was not stored. */
  count(owner: AuditOwner, entry: AuditEntry): Promise<void>;
  /** Newest first. */
  list(owner: AuditOwner, page: AuditPageRequest): Promise<AuditPage>;
}

export interface AuditPlace {
  readonly owner: AuditOwner;
  readonly pool: AuditPool;
  /** The segment's subject. */
  readonly subject: string;
}

export interface AuditPageRequest {
  readonly limit: number;
  /** Only entries older than the one with this id. */
  readonly beforeId?: string | undefined;
  readonly wants?: (entry: AuditEntry) => boolean;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** The next page begins before this entry; undefined on the last one. */
  readonly nextId: string | undefined;
}

interface AuditLogDeps {
  readonly log: Log;
  readonly nowMs: () => number;
  /** Smaller ones for tests. */
  readonly limits?: AuditLimits;
}

const ownersTrackedMax = 10_000;
/** What they audit always happens, so that nothing is refused for them. */
const neverBusy: readonly AuditPool[] = ["protection", "test-protection", "operator"];
const empty: AuditSegment = { v: 1, entries: [] };

export function createAuditLog({ log, nowMs, limits = auditLimits }: AuditLogDeps): AuditLog {
  /** By owner and pool: what protects does not wait for a flood of other changes. */
  const { runExclusive } = createKeyedMutex();
  /** The segment that had room last, by owner, pool and day: a hint, which saves reading the full ones before it. */
  const newest = new Map<string, number>();

  async function append(owner: AuditOwner, pool: AuditPool, entry: AuditEntry): Promise<AuditPlace | undefined> {
    const day = entry.at.slice(0, 10);
    const hint = `${owner} ${pool} ${day}`;
    const indexMax = owner === operatorAudit ? limits.operatorSegmentsPerDayMax : limits.segmentsPerDayMax[pool];
    const mayBeBusy = owner !== operatorAudit && !neverBusy.includes(pool);
    const appendOnce = () =>
      log.transact<AuditPlace | undefined>("audit", async () => {
        for (let index = newest.get(hint) ?? 0; index < indexMax; index++) {
          const place = { owner, pool, subject: subjects.audit(owner, segmentName(day, pool, index)) };
          const { value: before = empty, sequence } = await log.read<AuditSegment>(place.subject);
          // An attempt before, whose answer was lost, has stored it.
          if (before.entries.some(({ id }) => id === entry.id)) return { done: place };
          remember(hint, index);
          if (mayBeBusy && runningCount(before, nowMs()) >= limits.runningMax) throw tooManyAtOnce();
          const value = appendEntry(before, entry, limits);
          if (value !== undefined) return { writes: [segmentWrite(place.subject, value, sequence)], result: place };
        }
        return { done: undefined };
      });
    return await runExclusive(`${owner} ${pool}`, appendOnce);
  }

  async function replace({ owner, pool, subject }: AuditPlace, entry: AuditEntry): Promise<void> {
    const replaceOnce = () =>
      log.transact<void>("audit", async () => {
        const { value: before = empty, sequence } = await log.read<AuditSegment>(subject);
        const value = replaceEntry(before, entry);
        if (value === undefined) return { done: undefined };
        return { writes: [segmentWrite(subject, value, sequence)], result: undefined };
      });
    await runExclusive(`${owner} ${pool}`, replaceOnce);
  }

  async function withdraw({ owner, pool, subject }: AuditPlace, entry: AuditEntry): Promise<void> {
    const withdrawOnce = () =>
      log.transact<void>("audit", async () => {
        const { value: before = empty, sequence } = await log.read<AuditSegment>(subject);
        const value = removeEntry(before, entry);
        if (value === undefined) return { done: undefined };
        return { writes: [segmentWrite(subject, value, sequence), await countWrite(owner, entry)], result: undefined };
      });
    await runExclusive(`${owner} ${pool}`, withdrawOnce);
  }

  /** Counts an entry twice when an answer was lost: the number is then one too high, and nothing is hidden. */
  async function count(owner: AuditOwner, entry: AuditEntry): Promise<void> {
    const countOnce = async () => ({ writes: [await countWrite(owner, entry)], result: undefined });
    await runExclusive(`${owner} ${countedPool(entry)}`, () => log.transact<void>("audit", countOnce));
  }

  async function countWrite(owner: AuditOwner, entry: AuditEntry): Promise<Write> {
    const subject = subjects.audit(owner, segmentName(entry.at.slice(0, 10), countedPool(entry), 0));
    const { value = empty, sequence } = await log.read<AuditSegment>(subject);
    return segmentWrite(subject, countEntry(value, entry, limits), sequence);
  }

  function remember(hint: string, index: number): void {
    newest.delete(hint);
    newest.set(hint, index);
    if (newest.size > ownersTrackedMax) newest.delete(newest.keys().next().value!);
  }

  async function* newestFirst(segments: readonly string[], wants: (entry: AuditEntry) => boolean) {
    for (const subject of segments.toSorted().reverse()) {
      const { value } = await log.read<AuditSegment>(subject);
      yield* (value?.entries ?? []).filter(wants).sort((a, b) => (a.id < b.id ? 1 : -1));
    }
  }

  async function list(owner: AuditOwner, request: AuditPageRequest): Promise<AuditPage> {
    const { limit, beforeId, wants = () => true } = request;
    // The names of one owner: at most 90 days of its segments.
    const names = await Array.fromAsync(listRecordSubjects(log, subjects.audit(owner, "*")));
    const isWanted = (entry: AuditEntry) => (beforeId === undefined || entry.id < beforeId) && wants(entry);
    const pools = Object.values(Object.groupBy(names, (subject) => poolOfSegment(subject.split(".").at(-1)!)));
    const readers = pools.map((segments) => newestFirst(segments!, isWanted));
    const heads = await Promise.all(readers.map((reader) => reader.next()));
    const found: AuditEntry[] = [];
    while (found.length <= limit) {
      const ids = heads.map(({ done, value }) => (done ? "" : value.id));
      const at = ids.indexOf(ids.toSorted().at(-1)!);
      const head = heads[at];
      if (head === undefined || head.done) break;
      found.push(head.value);
      heads[at] = await readers[at]!.next();
    }
    const entries = found.slice(0, limit);
    return { entries, nextId: found.length > limit ? entries.at(-1)!.id : undefined };
  }

  return { append, replace, withdraw, count, list };
}

function segmentWrite(subject: string, value: AuditSegment, expected: number): Write {
  return { subject, value, expected, ttlSeconds: auditTtlSeconds };
}

function tooManyAtOnce(): PackshotError {
  const message = "Too many changes of this account at once; try again in a second.";
  return new PackshotError("rate_limit_exceeded", message, { retryAfterSeconds: 1 });
}
