/**
 * All accounts' jobs in memory, projected from their records for lists, long polls and server-sent events. The view may
 * lag: single jobs are read from the log's leader.
 */
import { isEnded, type Job, type JobStatus, type Metadata } from "@packshot/domain/job.ts";
import { subjects, subjectTokens } from "@packshot/domain/subjects.ts";
import type { ToolId } from "@packshot/domain/tools.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { createStateProjection } from "@packshot/platform/nats/state-projection.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";

const sweepMs = 10_000;

interface ViewedJob {
  readonly id: string;
  readonly tool: ToolId;
  readonly live: boolean;
  readonly status: JobStatus;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | undefined;
  readonly metadata: Metadata;
  /** The record as stored, which is parsed when a page shows it. */
  readonly record: Uint8Array;
}

export interface JobFilter {
  readonly live: boolean;
  readonly status?: JobStatus | undefined;
  readonly tool?: ToolId | undefined;
  readonly createdAfterMs?: number | undefined;
  readonly metadata: Metadata;
  /** Only jobs created before this one. */
  readonly beforeId?: string | undefined;
  readonly limit: number;
}

export interface JobView extends Component {
  /** Why the view is behind the log; undefined when it is not. */
  lag(): string | undefined;
  /** Newest first. */
  list(accountId: string, filter: JobFilter): { jobs: readonly Job[]; hasMore: boolean };
  /** false: `timeoutMs` passed before the view had applied this sequence of the account's state stream. */
  reached(accountId: string, sequence: number, timeoutMs: number): Promise<boolean>;
  /** `listener` is told of each change of the job; undefined: it was deleted. The result ends that. */
  onChange(jobId: string, listener: (job: Job | undefined) => void): () => void;
  /** How many of the account's queued jobs were created before this one. */
  queuedBefore(accountId: string, job: Pick<Job, "id" | "live">): number;
  /** Notes a commit of this process, which its next list must show. */
  committed(accountId: string, sequence: number): void;
  committedSequence(accountId: string): number;
}

export interface JobViewDeps {
  readonly log: Log;
  readonly logger: Logger;
  readonly nowMs: () => number;
}

export function createJobView({ log, logger, nowMs }: JobViewDeps): JobView {
  const accounts = new Map<string, ViewedJob[]>();
  const listeners = new Map<string, Set<(job: Job | undefined) => void>>();
  const committed = new Map<string, number>();
  let sweep: NodeJS.Timeout | undefined;

  function findIndex(jobs: readonly ViewedJob[], id: string): number {
    let [low, high] = [0, jobs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (jobs[middle]!.id < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function apply(subject: string, data: Uint8Array) {
    const { accountId, ids } = subjectTokens(subject);
    const jobId = ids[0]!;
    let jobs = accounts.get(accountId);
    if (jobs === undefined) {
      jobs = [];
      accounts.set(accountId, jobs);
    }
    const at = findIndex(jobs, jobId);
    const isKnown = jobs[at]?.id === jobId;
    const job = data.length === 0 ? undefined : (JSON.parse(new TextDecoder().decode(data)) as Job);
    if (job === undefined) {
      if (isKnown) jobs.splice(at, 1);
    } else jobs.splice(at, isKnown ? 1 : 0, toViewedJob(job, data));
    for (const listener of listeners.get(jobId) ?? []) listener(job);
  }

  const projection = createStateProjection({
    name: "job view",
    log,
    logger,
    filters: [subjects.job("*", "*")],
    from: "first",
    // A copy, because the bytes are a view of the connection's whole receive buffer.
    apply: (message) => apply(message.subject, message.data.slice()),
  });

  function dropExpired() {
    const now = nowMs();
    for (const [accountId, jobs] of accounts) {
      const kept = jobs.filter((job) => job.expiresAtMs === undefined || job.expiresAtMs > now);
      if (kept.length === 0) accounts.delete(accountId);
      else if (kept.length < jobs.length) accounts.set(accountId, kept);
    }
  }

  return {
    name: projection.name,

    async start() {
      await projection.start();
      sweep = setInterval(dropExpired, sweepMs);
    },

    async stop() {
      clearInterval(sweep);
      await projection.stop();
    },

    list(accountId, filter) {
      const jobs = accounts.get(accountId) ?? [];
      const wanted = Object.entries(filter.metadata);
      const now = nowMs();
      const page: Job[] = [];
      const from = filter.beforeId === undefined ? jobs.length : findIndex(jobs, filter.beforeId);
      for (let i = from - 1; i >= 0; i--) {
        const job = jobs[i]!;
        if (filter.createdAfterMs !== undefined && job.createdAtMs <= filter.createdAfterMs) break;
        if (job.live !== filter.live) continue;
        if (filter.status !== undefined && job.status !== filter.status) continue;
        if (filter.tool !== undefined && job.tool !== filter.tool) continue;
        if (job.expiresAtMs !== undefined && job.expiresAtMs <= now) continue;
        if (wanted.some(([name, value]) => job.metadata[name] !== value)) continue;
        if (page.length === filter.limit) return { jobs: page, hasMore: true };
        page.push(JSON.parse(new TextDecoder().decode(job.record)) as Job);
      }
      return { jobs: page, hasMore: false };
    },

    lag: projection.lag,
    reached: (accountId, sequence, timeoutMs) => projection.reached(subjects.account(accountId), sequence, timeoutMs),

    onChange(jobId, listener) {
      const all = listeners.get(jobId) ?? new Set();
      all.add(listener);
      listeners.set(jobId, all);
      return () => {
        all.delete(listener);
        if (all.size === 0) listeners.delete(jobId);
      };
    },

    queuedBefore(accountId, { id, live }) {
      const jobs = accounts.get(accountId) ?? [];
      let count = 0;
      for (let i = findIndex(jobs, id) - 1; i >= 0; i--) {
        if (jobs[i]!.status === "queued" && jobs[i]!.live === live) count += 1;
      }
      return count;
    },

    committed(accountId, sequence) {
      committed.delete(accountId);
      committed.set(accountId, sequence);
      if (committed.size > 10_000) committed.delete(committed.keys().next().value!);
    },
    committedSequence: (accountId) => committed.get(accountId) ?? 0,
  };
}

function toViewedJob(job: Job, record: Uint8Array): ViewedJob {
  return {
    id: job.id,
    tool: job.tool,
    live: job.live,
    status: job.status,
    createdAtMs: Date.parse(job.createdAt),
    expiresAtMs: isEnded(job) ? Date.parse(job.expiresAt) : undefined,
    metadata: job.metadata,
    record,
  };
}
