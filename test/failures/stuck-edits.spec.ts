/** Edits that never end, in real threads: each costs its job an attempt, and its worker no slot. */

import { readyWrite } from "@packshot/domain/accounts/queue-entry.ts";
import { cancelJob, type Job, type QueuedJob } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { createMetrics } from "@packshot/platform/telemetry/metrics.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sandboxPhoto } from "../../services/inference/consumer/fetch-job-source.ts";
import { createEditPool, type EditPool } from "../../services/inference/edits/threads/edit-pool.ts";
import { queuedJob } from "../../testing/log/job-records.ts";
import { startLog } from "../../testing/log/test-log.ts";
import { type SmallDisk, startSmallDisk } from "../../testing/storage/small-disk.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import type { ThreadFailure } from "../../testing/worker/failing-edit-thread.ts";
import { startTestWorker, type TestWorker } from "../../testing/worker/test-worker.ts";

const log = suiteFixture(startLog);
let disk: SmallDisk;
let pool: EditPool;
let worker: TestWorker;

beforeAll(async () => {
  const metrics = createMetrics("test");
  disk = await startSmallDisk({ megabytes: 64 });
  pool = createEditPool({
    threads: 1,
    // Other edits of a busy machine must not need it.
    stageTimeoutMs: 8_000,
    abortGraceMs: 500,
    metrics,
    logger: createLogger({ name: "test", level: "silent" }),
    threadModule: new URL("../../testing/worker/failing-edit-thread.ts", import.meta.url),
  });
  await pool.start();
  worker = await startTestWorker({ log, storage: disk.storage, slots: 1, metrics, runEdit: pool.runEdit });
});
afterAll(async () => {
  await worker.stop();
  await pool.stop();
  await disk.stop();
});

async function queueJob(theme: ThreadFailure | "none"): Promise<QueuedJob> {
  const job = queuedJob({ parameters: { seed: 1, theme } });
  const { accountId, id: jobId, lane } = job;
  await disk.storage.write(storageKeys.source(accountId, jobId), await sandboxPhoto(), { bytesMax: 1_000_000 });
  await log.commit("accept", [
    { subject: subjects.job(accountId, jobId), value: job, expected: 0 },
    readyWrite({ v: 1, accountId, jobId, lane }),
  ]);
  return job;
}

const recordOf = async ({ accountId, id }: QueuedJob) => (await log.read<Job>(subjects.job(accountId, id))).value!;

async function expectCompleted(job: QueuedJob): Promise<void> {
  await expect.poll(() => recordOf(job)).toMatchObject({ status: "completed", attempts: 1 });
}

async function filesOf({ accountId, id }: QueuedJob): Promise<string[]> {
  const keys = await Array.fromAsync(disk.storage.list(storageKeys.job(accountId, id)), ({ key }) => key);
  return keys.filter((key) => key !== storageKeys.source(accountId, id));
}

test.each(["hangs", "exits"] as const)(
  "a job whose edit %s is tried four times and fails, and the next one completes",
  async (failure) => {
    const stuck = await queueJob(failure);
    const next = await queueJob("none");
    await expect
      .poll(() => recordOf(stuck), { timeout: 120_000 })
      .toMatchObject({
        status: "failed",
        attempts: 4,
        error: { code: "internal_error", message: expect.stringContaining("tried 4 times") },
      });
    await expectCompleted(next);
    expect(await filesOf(stuck)).toEqual([]);
  },
  240_000,
);

test("a job that is cancelled while its edit is stuck ends cancelled, and its slot is free", async () => {
  const stuck = await queueJob("spins");
  await expect.poll(() => recordOf(stuck)).toMatchObject({ status: "processing" });
  const subject = subjects.job(stuck.accountId, stuck.id);
  const { value, sequence } = await log.read<Job>(subject);
  const cancelled = cancelJob(value!, { nowMs: Date.now(), retentionMs: 60_000 });
  await log.commit("cancel", [{ subject, value: cancelled, expected: sequence }]);
  log.connection.publish(subjects.abort(stuck.id));
  const next = await queueJob("none");
  await expectCompleted(next);
  expect(await recordOf(stuck)).toEqual(cancelled);
  expect(await worker.metric("packshot_worker_jobs_total", { outcome: "cancelled" })).toBe(1);
  expect(await filesOf(stuck)).toEqual([]);
});
