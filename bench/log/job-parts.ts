/** The product's parts that move a job through the log, without HTTP and without an edit. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account } from "@packshot/domain/accounts/account.ts";
import type { JobResult } from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { createContestedKeys } from "@packshot/platform/flow/contested-keys.ts";
import { createKeyedMutex } from "@packshot/platform/flow/keyed-mutex.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { createMetrics } from "@packshot/platform/telemetry/metrics.ts";
import { createCommitAccepts } from "../../services/api/features/edits/accept-batch.ts";
import { createAcceptQueue } from "../../services/api/features/edits/accept-queue.ts";
import { createKeeper } from "../../services/api/features/jobs/keeper.ts";
import type { CacheAccount } from "../../services/api/records/commit-account.ts";
import { cacheAccountIn, createRecordCache } from "../../services/api/records/record-cache.ts";
import { type Claims, createClaims } from "../../services/inference/consumer/claims.ts";
import type { JobRunner } from "../../services/inference/consumer/job-runner.ts";
import { createReadyConsumer } from "../../services/inference/consumer/ready-consumer.ts";
import { createReadyQueue, type ReadyQueue } from "../../services/inference/consumer/ready-queue.ts";
import { createWorkerMetrics } from "../../services/inference/consumer/worker-metrics.ts";
import { createProbes, createWorkerPause } from "../../services/inference/consumer/worker-pause.ts";

const benchRetentionMs = 3_600_000;

/** Accepts, as an API process commits them, and its keeper. `onSettled` is told of each account that the keeper commits. */
export function createAccepting({ log, logger }: { log: Log; logger: Logger }, onSettled: CacheAccount = () => {}) {
  const nowMs = Date.now;
  const records = createRecordCache({ log, logger, nowMs });
  const cacheAccount = cacheAccountIn(records);
  const accountMutex = createKeyedMutex();
  const { runExclusive } = accountMutex;
  const { recordConflict, isContested } = createContestedKeys({ nowMs });
  const responseBody = ({ id, createdAt }: { id: string; createdAt: string }) => ({ id, createdAt, status: "queued" });
  const commit = createCommitAccepts({ log, records, nowMs, responseBody, onConflict: recordConflict });
  const keeper = createKeeper({
    log,
    logger,
    nowMs,
    runExclusive,
    cacheAccount(account, sequence) {
      cacheAccount(account, sequence);
      onSettled(account, sequence);
    },
  });
  return {
    accept: createAcceptQueue({
      commit,
      accountMutex,
      isContested,
      onBatch: () => {},
      streamIndexOf: (accountId) => log.streamOf(subjects.account(accountId)).index,
    }),
    /** As this process knows it. */
    peekAccount: (accountId: string) => records.peek<Account>(subjects.account(accountId))?.value,
    components: [records, keeper] as readonly Component[],
  };
}

/** Jobs of the account that have been accepted today, run and settled. */
export function settledJobs({ usage, running, waiting }: Account): number {
  return (usage.edits.mask ?? 0) - running - waiting;
}

export interface WorkingDeps {
  readonly log: Log;
  readonly logger: Logger;
  readonly slots: number;
  readonly retentionMs?: number;
  readonly observe?: (queue: ReadyQueue, claims: Claims) => { readonly queue: ReadyQueue; readonly claims: Claims };
}

const file = { key: "none", contentType: "image/png", bytes: 812_345, width: 2_000, height: 2_000 };
const result: JobResult = {
  result: file,
  thumbnail: { ...file, bytes: 12_345 },
  model: "u2netp@1",
  report: { matte: { coverage: 0.31, softShare: 0.02 } },
  timings: { fetchSource: 0, decode: 0, predict: 0, refine: 0, encode: 0, storeResult: 0, total: 0 },
  inferenceMs: 0,
};
const noEdit: JobRunner = { run: async () => result };

/** A worker whose edits take no time and make no files. */
export function createWorking(deps: WorkingDeps): readonly Component[] {
  const { log, logger, slots, retentionMs = benchRetentionMs, observe = (queue, claims) => ({ queue, claims }) } = deps;
  const storage = createDiskStorage({ dir: join(tmpdir(), "packshot-bench-storage") });
  const metrics = createMetrics("bench-worker");
  const pause = createWorkerPause({
    probes: createProbes({ storage, log, tryDecoder: async () => {} }),
    metrics,
    logger,
  });
  const consumer = createReadyConsumer({
    connection: log.connection,
    ...observe(createReadyQueue(log.connection), createClaims({ log, retentionMs })),
    runner: noEdit,
    storage,
    slots,
    pause,
    logger,
    drainTimeoutMs: 5_000,
    waitForModelServer: async () => {},
    metrics: createWorkerMetrics(metrics),
  });
  return [pause, consumer];
}
