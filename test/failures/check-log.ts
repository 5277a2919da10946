/** Checks an idle log: reads all of it and names every broken rule. */

import { jetstreamManager } from "@nats-io/jetstream";
import { type Account, windowCounts } from "@packshot/domain/accounts/account.ts";
import type { LedgerEntry } from "@packshot/domain/accounts/ledger.ts";
import type { QueueEntry } from "@packshot/domain/accounts/queue-entry.ts";
import type { RecordIndex } from "@packshot/domain/accounts/record-index.ts";
import { windowKinds, windowOfLane } from "@packshot/domain/accounts/window.ts";
import type { Batch } from "@packshot/domain/batches/batch.ts";
import {
  attemptsMax,
  isEnded,
  type Job,
  jobDeadlineMs,
  type QueueDeadlines,
  queueDeadlineMs,
  repairGraceMs,
} from "@packshot/domain/jobs/job.ts";
import { streams, subjects, subjectTokens } from "@packshot/domain/subjects.ts";
import type { Upload } from "@packshot/domain/uploads/upload.ts";
import type { UploadTally } from "@packshot/domain/uploads/upload-tally.ts";
import { isJobEndedEvent, type JobEndedEvent, type PackshotEvent } from "@packshot/domain/webhooks/event.ts";
import type { Log } from "@packshot/log/log.ts";
import { readNextMessage } from "@packshot/log/nats/leader-read.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { type BatchEvidence, batchViolations, gatherBatch } from "./check-batches.ts";
import { indexViolations } from "./check-indexes.ts";
import { readLedger } from "./check-ledger.ts";
import { readAllOf, readWhole, type Stored } from "./read-streams.ts";

/** Sourced from the state streams: the versions of jobs and accounts that were not overwritten before they were read. */
export const historyStream = "TEST_HISTORY";

export interface Evidence {
  readonly accounts: readonly Account[];
  /** In the order of each account: what is archived, then what is still in the log. */
  readonly ledger: readonly LedgerEntry[];
  readonly archivedEntries: number;
  readonly archiveProblems: readonly string[];
  readonly events: readonly Stored<PackshotEvent>[];
  readonly history: readonly Stored<Job | Account>[];
  /** API keys by their ids, tombstones included. */
  readonly keys: readonly Stored<object>[];
  readonly indexes: readonly Stored<RecordIndex | UploadTally>[];
  readonly uploads: readonly Stored<Upload>[];
  readonly batches: readonly BatchEvidence[];
  /** Ids of jobs that a client got in an answer. */
  readonly accepted: readonly string[];
  /** Still there. */
  readonly unfinished: readonly Stored<Job>[];
  readonly waits: readonly Stored<QueueEntry>[];
  readonly queueDeadlines: QueueDeadlines;
  readonly leftReady: number;
  /** Without those of open upload sessions. */
  readonly leftFiles: readonly string[];
}

export async function createHistory({ connection, stateStreams }: Log): Promise<void> {
  const manager = await jetstreamManager(connection);
  // One source of both kinds, which keeps their order: a job may run because of the account's version before it.
  const subject_transforms = [subjects.job("*", "*"), subjects.account("*")].map((src) => ({ src, dest: "" }));
  const sources = stateStreams.map(({ state: name }) => ({ name, subject_transforms }));
  await manager.streams.add({ name: historyStream, sources });
}

/** Whether the history has a version of that record: a copy may lag behind its source, and miss what is overwritten meanwhile. */
export async function historyHas({ connection }: Log, subject: string): Promise<boolean> {
  return (await readNextMessage(connection, historyStream, subject, 1)) !== undefined;
}

export interface EvidenceSources {
  readonly log: Log;
  readonly storage: Storage;
  readonly accepted: readonly string[];
  readonly queueDeadlines: QueueDeadlines;
}

export async function gatherEvidence({ log, storage, accepted, queueDeadlines }: EvidenceSources): Promise<Evidence> {
  const { connection, stateStreams } = log;
  const manager = await jetstreamManager(connection);
  const records = await readAllOf<object>(connection, stateStreams, ({ state }) => state);
  const ofKind = <T>(kind: string) =>
    records.filter(({ subject }) => subjectTokens(subject).kind === kind) as Stored<T>[];
  const accounts = ofKind<Account>("account");
  const waits = [...ofKind<QueueEntry>("wait"), ...ofKind<QueueEntry>("sandboxwait")];
  const jobs = ofKind<Job>("job");
  const open = ofKind<Upload>("upload").filter(({ value }) => value !== undefined);
  const sessions = new Set(open.map(({ subject }) => subjectTokens(subject).ids[0]!));
  const keys = await Array.fromAsync(storage.list("api/"), ({ key }) => key);
  const ledger = await readLedger(log, storage);
  const batches = ofKind<Batch>("batch").flatMap(({ value }) => (value === undefined ? [] : [value]));
  return {
    accounts: accounts.map(({ value }) => value!),
    ledger: ledger.entries,
    archivedEntries: ledger.archived,
    archiveProblems: ledger.problems,
    events: await readAllOf<PackshotEvent>(connection, stateStreams, (stream) => stream.events),
    history: await readWhole<Job | Account>(connection, historyStream),
    keys: ofKind("apikey"),
    indexes: ofKind("index"),
    uploads: open,
    batches: await Promise.all(batches.map((batch) => gatherBatch(storage, batch))),
    accepted,
    unfinished: jobs.filter(({ value }) => value !== undefined && !isEnded(value)),
    waits: waits.filter(({ value }) => value !== undefined),
    queueDeadlines,
    leftReady: (await manager.streams.info(streams.ready)).state.messages,
    leftFiles: keys.filter((key) => !sessions.has(key.split("/")[3]!)),
  };
}

/** One sentence for each broken rule and subject; empty when the log is exact. */
export function violationsOf(evidence: Evidence): string[] {
  return [
    ...evidence.archiveProblems,
    ...evidence.accounts.flatMap((account) => ofAccount(account, evidence)),
    ...evidence.accounts.flatMap((account) => ofWindows(account, evidence)),
    ...evidence.accounts.flatMap((account) => indexViolations(account, evidence)),
    ...evidence.batches.flatMap((batch) => batchViolations(batch, evidence)),
    ...ofJobs(evidence),
    ...ofHistory(evidence),
    ...ofDeadlines(evidence),
    ...[...evidence.waits, ...evidence.unfinished].map(({ subject }) => `left: ${subject}`),
    ...(evidence.leftReady === 0 ? [] : [`left: ${evidence.leftReady} messages in ${streams.ready}`]),
    ...evidence.leftFiles.map((key) => `file of an ended job left: ${key}`),
  ];
}

function ofAccount(account: Account, { ledger, events }: Evidence): string[] {
  const { accountId, credits, settledThrough } = account;
  const found: string[] = [];
  let balance = 0;
  for (const { accountId: owner, amount, balanceAfter, entryId } of ledger) {
    if (owner !== accountId) continue;
    balance += amount;
    if (balanceAfter !== balance) {
      found.push(`ledger of ${accountId}: balanceAfter ${balanceAfter} of ${entryId} should be ${balance}`);
      balance = balanceAfter;
    }
  }
  const sum = ledger.reduce((total, entry) => total + (entry.accountId === accountId ? entry.amount : 0), 0);
  if (sum !== credits.remaining) found.push(`Σ ledger of ${accountId} is ${sum}, its balance ${credits.remaining}`);
  for (const { value, sequence } of events) {
    if (value!.accountId !== accountId || !isJobEndedEvent(value!)) continue;
    if (sequence > settledThrough) found.push(`event ${sequence} of ${accountId} is not settled (${settledThrough})`);
  }
  return found;
}

/** When every event is settled, the counters of each window equal its records. */
function ofWindows(account: Account, { unfinished, waits }: Evidence): string[] {
  const { accountId } = account;
  return windowKinds.flatMap((window) => {
    const isCounted = (value: { readonly accountId: string; readonly lane: Job["lane"] } | undefined) =>
      value?.accountId === accountId && windowOfLane(value.lane) === window;
    const { running, waiting } = windowCounts(account, window);
    const waitRecords = waits.filter(({ value }) => isCounted(value)).length;
    const jobs = unfinished.filter(({ value }) => isCounted(value));
    const found: string[] = [];
    if (waiting !== waitRecords || running !== jobs.length - waitRecords) {
      const recorded = `${jobs.length} unfinished jobs and ${waitRecords} wait records`;
      found.push(`${accountId} has running ${running} and waiting ${waiting} (${window}) with ${recorded}`);
    }
    const bytes = account.sourceBytes[window];
    const bytesOfJobs = jobs.reduce((sum, { value }) => sum + value!.sourceBytes, 0);
    if (bytes !== bytesOfJobs)
      found.push(`${accountId} counts ${bytes} bytes (${window}) of ${bytesOfJobs} in its jobs`);
    return found;
  });
}

/**
 * Every accepted job (one with a debit, or in a client's answer) has one terminal event, one debit and the right
 * refund.
 */
function ofJobs({ accepted, ledger, events }: Evidence): string[] {
  const ends = new Map<string, JobEndedEvent[]>();
  for (const { value } of events) {
    if (isJobEndedEvent(value!)) ends.set(value.jobId, [...(ends.get(value.jobId) ?? []), value]);
  }
  const entriesOf = new Map<string, LedgerEntry[]>();
  for (const entry of ledger) entriesOf.set(entry.entryId, [...(entriesOf.get(entry.entryId) ?? []), entry]);
  const debited = ledger.filter(({ kind }) => kind === "debit").map(({ entryId }) => entryId);
  const found: string[] = [];
  for (const jobId of new Set([...accepted, ...debited, ...ends.keys()])) {
    const jobEnds = ends.get(jobId) ?? [];
    if (jobEnds.length !== 1) {
      found.push(`job ${jobId} has ${jobEnds.length} terminal states: ${jobEnds.map(({ kind }) => kind).join(", ")}`);
    }
    const entries = entriesOf.get(jobId) ?? [];
    const count = (kind: LedgerEntry["kind"]) => entries.filter((entry) => entry.kind === kind).length;
    const charged = (jobEnds[0]?.credits ?? 1) > 0;
    const refunds = charged && jobEnds[0] !== undefined && jobEnds[0].kind !== "completed" ? 1 : 0;
    if (count("debit") !== (charged ? 1 : 0)) found.push(`job ${jobId} has ${count("debit")} debits`);
    if (count("refund") !== refunds) {
      found.push(`job ${jobId} (${jobEnds[0]?.kind}) has ${count("refund")} refunds, not ${refunds}`);
    }
  }
  return found;
}

/**
 * In neither window a version has more running jobs than its account allowed, a terminal state is followed only by
 * deletion, and only a job that lost all of its attempts fails for a fault of ours.
 */
function ofHistory({ history }: Evidence): string[] {
  const found: string[] = [];
  const limits = new Map<string, number>();
  const processing = new Map<string, Set<string>>();
  const ended = new Map<string, string>();
  for (const { subject, value, sequence } of history) {
    const {
      kind,
      accountId,
      ids: [jobId = ""],
    } = subjectTokens(subject);
    if (kind === "account") {
      const account = value as Account;
      limits.set(accountId, Math.max(limits.get(accountId) ?? 0, account.limits.concurrentJobs));
      for (const window of windowKinds) {
        const { running } = windowCounts(account, window);
        const bytes = account.sourceBytes[window];
        const bytesMax = Math.max(account.limits.maxWaitingBytes, account.limits.maxFileSizeBytes);
        if (bytes > bytesMax) found.push(`${accountId} held ${bytes} bytes (${window}) at ${sequence}`);
        if (running <= limits.get(accountId)!) continue;
        found.push(`${accountId} had running ${running} (${window}) at ${sequence}`);
      }
      if (account.credits.remaining < 0)
        found.push(`${accountId} had ${account.credits.remaining} credits at ${sequence}`);
      continue;
    }
    const job = value as Job | undefined;
    const limit = limits.get(accountId) ?? 0;
    for (const window of windowKinds) {
      const key = `${window} ${accountId}`;
      const running = processing.get(key) ?? new Set();
      processing.set(key, running);
      if (job?.status !== "processing") running.delete(jobId);
      else if (windowOfLane(job.lane) === window) running.add(jobId);
      if (running.size > limit)
        found.push(`${accountId} ran ${running.size} of ${limit} ${window} jobs at ${sequence}`);
    }
    const endedAs = ended.get(jobId);
    if (job?.status === "failed" && job.error.code === "internal_error" && job.attempts < attemptsMax - 1)
      found.push(`job ${jobId} failed for a fault of ours in its attempt ${job.attempts}`);
    if (endedAs !== undefined && job !== undefined) found.push(`job ${jobId} was ${endedAs} and became ${job.status}`);
    if (job === undefined) ended.set(jobId, "deleted");
    else if (isEnded(job)) ended.set(jobId, job.status);
  }
  return found;
}

/** The repair sweep comes by every minute. */
const repairEveryMs = 60_000;

/** Version by version: no job is claimed after its queue deadline, outlives its last deadline, or is failed before any. */
function ofDeadlines({ history, queueDeadlines }: Evidence): string[] {
  return history.flatMap(({ subject, value }) => {
    if (subjectTokens(subject).kind !== "job" || value === undefined) return [];
    const job = value as Job;
    const queuedUntilMs = queueDeadlineMs(job, queueDeadlines);
    if (job.status === "processing") {
      const lateMs = Date.parse(job.deadlineAt) - jobDeadlineMs - queuedUntilMs;
      return lateMs > 0 ? [`job ${job.id} was claimed ${lateMs} ms after its queue deadline`] : [];
    }
    if (!isEnded(job)) return [];
    const endedMs = Date.parse(job.finishedAt);
    const overMs = endedMs - (queuedUntilMs + jobDeadlineMs + repairGraceMs + repairEveryMs);
    if (overMs > 0) return [`job ${job.id} outlived its deadline by ${overMs} ms`];
    const hasTimedOut = job.status === "failed" && job.error.code === "deadline_exceeded";
    const earlyMs = Math.min(queuedUntilMs, Date.parse(job.createdAt) + jobDeadlineMs) - endedMs;
    return hasTimedOut && earlyMs >= 0 ? [`job ${job.id} failed ${earlyMs} ms before its deadline`] : [];
  });
}
