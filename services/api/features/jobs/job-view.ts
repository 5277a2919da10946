/**
 * All accounts' jobs as every API process sees them, projected from the log: an index for lists, and changes for long
 * polls and server-sent events. The view may lag, and it does until it has read every job after a start: single jobs are
 * read from the log's leader.
 */
import type { Job } from "@packshot/domain/jobs/job.ts";
import { subjects, subjectTokens } from "@packshot/domain/subjects.ts";
import { createStateProjection } from "@packshot/log/follow/projection.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { Gauge, type Registry } from "prom-client";
import { createJobIndex, type JobIndex } from "./job-index.ts";

const expiryCheckMs = 10_000;
const committedMax = 10_000;

export interface JobView extends Component, Pick<JobIndex, "find" | "queuedBefore" | "accounts" | "unfinished"> {
  /** Why the view is behind the log; undefined when it is not. */
  lag(): string | undefined;
  /**
   * Resolves when the view has read the account's jobs, with what this process has committed. false: it still lags after
   * `timeoutMs`.
   */
  caughtUp(accountId: string, timeoutMs: number): Promise<boolean>;
  /** Notes a commit of this process, for which `caughtUp` waits. */
  committed(accountId: string, sequence: number): void;
  /** `listener` is told of each change of the job; undefined: it was deleted. The result ends that. */
  onChange(jobId: string, listener: (job: Job | undefined) => void): () => void;
}

export interface JobViewDeps {
  readonly log: Log;
  readonly logger: Logger;
  readonly registry?: Registry;
  readonly nowMs: () => number;
  /** Told of each job that has failed or was cancelled, with the sequence of its record. */
  readonly onRefund?: (accountId: string, sequence: number) => void;
}

export function createJobView({ log, logger, registry, nowMs, onRefund = () => {} }: JobViewDeps): JobView {
  const index = createJobIndex({ nowMs: nowMs() });
  if (registry !== undefined) registerQueuedJobs(registry, index);
  const listeners = new Map<string, Set<(job: Job | undefined) => void>>();
  const committed = new Map<string, number>();
  const decoder = new TextDecoder();
  let expiryCheck: NodeJS.Timeout | undefined;

  function apply(subject: string, data: Uint8Array, sequence: number): void {
    const { accountId, ids } = subjectTokens(subject);
    const jobId = ids[0]!;
    const job = data.length === 0 ? undefined : (JSON.parse(decoder.decode(data)) as Job);
    if (job === undefined) index.remove(accountId, jobId);
    else index.put(job);
    if (job?.status === "failed" || job?.status === "cancelled") onRefund(accountId, sequence);
    for (const listener of listeners.get(jobId) ?? []) listener(job);
  }

  const projection = createStateProjection({
    name: "job view",
    log,
    logger,
    filters: [subjects.job("*", "*")],
    from: "first",
    apply: (message) => apply(message.subject, message.data, message.seq),
  });

  return {
    name: projection.name,
    find: index.find,
    queuedBefore: index.queuedBefore,
    accounts: index.accounts,
    unfinished: index.unfinished,
    lag: projection.lag,

    async start() {
      await projection.start();
      expiryCheck = setInterval(() => index.removeExpired(nowMs()), expiryCheckMs);
    },

    async stop() {
      clearInterval(expiryCheck);
      await projection.stop();
    },

    async caughtUp(accountId, timeoutMs) {
      const subject = subjects.account(accountId);
      const deadlineMs = performance.now() + timeoutMs;
      if (!(await projection.caughtUp(subject, timeoutMs))) return false;
      // The record of a commit may have expired since and is then never read: the view is no worse without it.
      await projection.reached(subject, committed.get(accountId) ?? 0, deadlineMs - performance.now());
      return true;
    },

    committed(accountId, sequence) {
      committed.delete(accountId);
      committed.set(accountId, sequence);
      if (committed.size > committedMax) committed.delete(committed.keys().next().value!);
    },

    onChange(jobId, listener) {
      const all = listeners.get(jobId) ?? new Set();
      all.add(listener);
      listeners.set(jobId, all);
      return () => {
        all.delete(listener);
        if (all.size === 0) listeners.delete(jobId);
      };
    },
  };
}

function registerQueuedJobs(registry: Registry, index: JobIndex): void {
  new Gauge({
    name: "packshot_jobs_queued",
    help: "Queued jobs in and beyond the windows of their accounts, by mode (live, test). Every API process reports all of them.",
    labelNames: ["mode"],
    registers: [registry],
    collect() {
      const { live, sandbox } = index.queued();
      this.set({ mode: "live" }, live);
      this.set({ mode: "test" }, sandbox);
    },
  });
}
