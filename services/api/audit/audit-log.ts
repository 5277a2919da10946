/** Appends to the audit log, and lists it. */
import {
  appendEntry,
  type AuditEntry,
  type AuditOwner,
  type AuditSegment,
  auditTtlSeconds,
  operatorAudit,
  replaceEntry,
  segmentName,
  segmentsPerDayMax,
} from "@packshot/domain/audit.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createKeyedMutex } from "@packshot/platform/flow/keyed-mutex.ts";
import { listRecordSubjects } from "@packshot/platform/nats/list-subjects.ts";
import type { Log } from "@packshot/platform/nats/log.ts";

export interface AuditLog {
  /** Throws `rate_limit_exceeded` when the owner's day is full. */
  append(owner: AuditOwner, entry: AuditEntry): Promise<void>;
  /** Replaces the entry with its id. Where that is gone, as with its account, nothing is written. */
  replace(owner: AuditOwner, entry: AuditEntry): Promise<void>;
  /** Newest first. */
  list(owner: AuditOwner, page: AuditPageRequest): Promise<AuditPage>;
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

const ownersTrackedMax = 10_000;
const dayMs = 24 * 3600 * 1000;

export function createAuditLog({ log, nowMs }: { readonly log: Log; readonly nowMs: () => number }): AuditLog {
  const { runExclusive } = createKeyedMutex();
  /** The segment that had room last, by owner and day: a hint, which saves reading the full ones before it. */
  const newest = new Map<string, number>();

  /** Writes the first segment of the entry's day that `change` changes. False: there is none. */
  async function write(
    owner: AuditOwner,
    entry: AuditEntry,
    { from, change }: { readonly from: number; readonly change: (segment: AuditSegment) => AuditSegment | undefined },
  ): Promise<boolean> {
    const day = entry.at.slice(0, 10);
    const indexMax = owner === operatorAudit ? segmentsPerDayMax.operator : segmentsPerDayMax.account;
    return await log.transact<boolean>("audit", async () => {
      for (let index = from; index < indexMax; index++) {
        const subject = subjects.audit(owner, segmentName(day, index));
        const { value: before, sequence } = await log.read<AuditSegment>(subject);
        // An attempt before, whose answer was lost, has stored it.
        if (before?.entries.some(({ id, outcome }) => id === entry.id && outcome?.status === entry.outcome?.status))
          return { done: true };
        const value = change(before ?? { v: 1, entries: [] });
        if (value === undefined) {
          if (before === undefined) break;
          continue;
        }
        remember(`${owner} ${day}`, index);
        return { writes: [{ subject, value, expected: sequence, ttlSeconds: auditTtlSeconds }], result: true };
      }
      return { done: false };
    });
  }

  async function append(owner: AuditOwner, entry: AuditEntry): Promise<void> {
    const from = newest.get(`${owner} ${entry.at.slice(0, 10)}`) ?? 0;
    const change = (segment: AuditSegment) => appendEntry(segment, entry);
    if (!(await runExclusive(owner, () => write(owner, entry, { from, change })))) throw dayIsFull(nowMs());
  }

  async function replace(owner: AuditOwner, entry: AuditEntry): Promise<void> {
    // Others may have filled the segment since: then the entry is in it, and not in the newest.
    const newestIndex = newest.get(`${owner} ${entry.at.slice(0, 10)}`) ?? 0;
    const change = (segment: AuditSegment) => replaceEntry(segment, entry);
    const from = Math.max(0, newestIndex - 1);
    await runExclusive(owner, () => write(owner, entry, { from, change }));
  }

  function remember(hint: string, index: number): void {
    newest.delete(hint);
    newest.set(hint, index);
    if (newest.size > ownersTrackedMax) newest.delete(newest.keys().next().value!);
  }

  async function list(owner: AuditOwner, request: AuditPageRequest): Promise<AuditPage> {
    const { limit, beforeId, wants = () => true } = request;
    // The names of one owner: at most 90 days of its segments.
    const names = await Array.fromAsync(listRecordSubjects(log, subjects.audit(owner, "*")));
    const found: AuditEntry[] = [];
    for (const subject of names.sort().reverse()) {
      const { value } = await log.read<AuditSegment>(subject);
      const older = (value?.entries ?? []).filter(({ id }) => beforeId === undefined || id < beforeId);
      found.push(...older.filter(wants).sort((a, b) => (a.id < b.id ? 1 : -1)));
      if (found.length > limit) break;
    }
    const entries = found.slice(0, limit);
    return { entries, nextId: found.length > limit ? entries.at(-1)!.id : undefined };
  }

  return { append, replace, list };
}

function dayIsFull(nowMs: number): PackshotError {
  const retryAfterSeconds = Math.ceil((dayMs - (nowMs % dayMs)) / 1000);
  return new PackshotError("rate_limit_exceeded", "Too many changes of this account today.", { retryAfterSeconds });
}
