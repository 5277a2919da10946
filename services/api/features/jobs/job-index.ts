/**
 * Every unexpired job in some 50 bytes: what lists filter by, without the record. It finds candidates; their records show
 * whether they are what was asked for. A change touches one chunk of the account's jobs, and expired jobs are looked for
 * only in accounts that have some.
 */

import type { WindowKind } from "@packshot/domain/accounts/window.ts";
import { isEnded, type Job } from "@packshot/domain/jobs/job.ts";
import {
  type AccountJobs,
  countAllQueued,
  countQueuedBefore,
  findJobs,
  flagsOfJob,
  type JobCandidates,
  type JobQuery,
  putJob,
  removeExpiredJobs,
  removeJob,
  unfinishedAfter,
} from "./account-jobs.ts";
import {
  fromIdWords,
  type IdWords,
  metadataBloom,
  queuedWindow,
  type ReviewMarks,
  toFlags,
  toIdWords,
} from "./job-chunk.ts";

/** A change moves 20 kB at most, and a large account's count adds up one number for so many jobs. */
const chunkRowsMaxDefault = 512;
/** One account's jobs that are taken at once: a walk over them may last for minutes, in which others come and go. */
const unfinishedPageJobs = 256;
/** Accounts are looked through for expired jobs at most once in so long. */
const expiryBucketS = 16;

export interface JobIndex {
  put(job: Job): void;
  remove(accountId: string, jobId: string): void;
  /** Jobs that expired at least `expiryBucketS` ago. */
  removeExpired(nowMs: number): void;
  find(accountId: string, query: JobQuery): JobCandidates;
  /** How many of the account's queued jobs of the same window were created before this one. */
  queuedBefore(accountId: string, job: Pick<Job, "id" | "live">): number;
  /** All queued jobs, by window. */
  queued(): Readonly<Record<WindowKind, number>>;
  /**
   * Jobs that have not ended, account after account. The walk may be left for a while and gone on with: jobs that come or
   * go meanwhile may be in it or not, and all others are, once.
   */
  unfinished(isWanted: (accountId: string) => boolean): IterableIterator<UnfinishedJob>;
  /** How many unexpired jobs each account has, and how many of them are queued. */
  accounts(): IterableIterator<AccountLoad>;
}

export interface UnfinishedJob {
  readonly accountId: string;
  readonly jobId: string;
}

export interface AccountLoad {
  readonly accountId: string;
  readonly jobs: number;
  readonly queued: number;
}

interface IndexedAccount {
  readonly accountId: string;
  readonly chunks: AccountJobs;
  /** When it is looked through for expired jobs; undefined: no job expires so far. */
  dueBucket: number | undefined;
}

export interface JobIndexOptions {
  readonly nowMs: number;
  readonly chunkRowsMax?: number;
}

export function createJobIndex({ nowMs, chunkRowsMax = chunkRowsMaxDefault }: JobIndexOptions): JobIndex {
  const accounts = new Map<string, IndexedAccount>();
  /** Accounts by their due bucket. One that has become due earlier stays in its old bucket too, which is then skipped. */
  const due = new Map<number, IndexedAccount[]>();
  let nextBucket = bucketOf(nowMs / 1000);
  const queued: Record<WindowKind, number> = { live: 0, sandbox: 0 };

  function countQueuedJob(flags: number | undefined, change: 1 | -1): void {
    const window = flags === undefined ? undefined : queuedWindow(flags);
    if (window !== undefined) queued[window] += change;
  }

  function schedule(account: IndexedAccount, expiresAtS: number): void {
    if (expiresAtS === 0) return;
    const bucket = Math.max(nextBucket, bucketOf(expiresAtS));
    if (account.dueBucket !== undefined && account.dueBucket <= bucket) return;
    account.dueBucket = bucket;
    const inBucket = due.get(bucket);
    if (inBucket === undefined) due.set(bucket, [account]);
    else inBucket.push(account);
  }

  function dropIfEmpty(account: IndexedAccount): void {
    // One that was empty before may still be due, when the account has new jobs.
    if (account.chunks.length === 0 && accounts.get(account.accountId) === account) accounts.delete(account.accountId);
  }

  return {
    put(job) {
      let account = accounts.get(job.accountId);
      if (account === undefined) {
        account = { accountId: job.accountId, chunks: [], dueBucket: undefined };
        accounts.set(job.accountId, account);
      }
      const row = {
        id: toIdWords(job.id),
        flags: toFlags(job.status, job.tool, job.live, reviewMarks(job)),
        expiresAtS: isEnded(job) ? Math.ceil(Date.parse(job.expiresAt) / 1000) : 0,
        bloom: metadataBloom(job.metadata, job.batch?.id),
      };
      countQueuedJob(flagsOfJob(account.chunks, row.id), -1);
      countQueuedJob(row.flags, 1);
      putJob(account.chunks, row, chunkRowsMax);
      schedule(account, row.expiresAtS);
    },

    remove(accountId, jobId) {
      const account = accounts.get(accountId);
      if (account === undefined) return;
      const id = toIdWords(jobId);
      countQueuedJob(flagsOfJob(account.chunks, id), -1);
      removeJob(account.chunks, id, chunkRowsMax);
      dropIfEmpty(account);
    },

    removeExpired(now) {
      const nowS = Math.floor(now / 1000);
      for (; nextBucket < bucketOf(nowS); nextBucket++) {
        for (const account of due.get(nextBucket) ?? []) {
          if (account.dueBucket !== nextBucket) continue;
          account.dueBucket = undefined;
          schedule(account, removeExpiredJobs(account.chunks, nowS, chunkRowsMax));
          dropIfEmpty(account);
        }
        due.delete(nextBucket);
      }
    },

    *unfinished(isWanted) {
      for (const { accountId, chunks } of accounts.values()) {
        if (!isWanted(accountId)) continue;
        for (let after: IdWords | undefined; ; ) {
          const page = unfinishedAfter(chunks, after, unfinishedPageJobs);
          for (const id of page) yield { accountId, jobId: fromIdWords(id) };
          after = page.at(-1);
          if (page.length < unfinishedPageJobs) break;
        }
      }
    },

    queued: () => queued,
    *accounts() {
      for (const { accountId, chunks } of accounts.values()) {
        const jobs = chunks.reduce((sum, { count }) => sum + count, 0);
        yield { accountId, jobs, queued: countAllQueued(chunks, true) + countAllQueued(chunks, false) };
      }
    },
    find: (accountId, query) => findJobs(accounts.get(accountId)?.chunks ?? [], query),
    queuedBefore: (accountId, { id, live }) =>
      countQueuedBefore(accounts.get(accountId)?.chunks ?? [], toIdWords(id), live),
  };
}

function reviewMarks(job: Job): ReviewMarks {
  if (job.status !== "completed") return {};
  return { isDoubtful: job.report.quality === "review", isReviewed: job.review !== undefined };
}

function bucketOf(timeS: number): number {
  return Math.floor(timeS / expiryBucketS);
}
