/** For each rule of the checker, an act that breaks it, in the log or in storage. */
import type { Account } from "@packshot/domain/accounts/account.ts";
import { type Lane, sandboxLane } from "@packshot/domain/accounts/lane.ts";
import { ledgerWrite } from "@packshot/domain/accounts/ledger.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { createJobError, failJob, type Job, type QueuedJob } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { eventWrite, type JobEndedEvent } from "@packshot/domain/webhooks/event.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { processingJob, queuedJob } from "../../testing/log/job-records.ts";
import type { Evidence } from "./check-log.ts";

interface Scene {
  readonly log: Log;
  readonly storage: Storage;
  readonly evidence: Evidence;
  readonly accountId: string;
}

interface Sabotage {
  readonly rule: string;
  /** What the checker then says. */
  readonly says: RegExp;
  act(scene: Scene): Promise<unknown>;
}

const dayMs = 24 * 3600 * 1000;

export const sabotage: readonly Sabotage[] = [
  {
    rule: "a refund twice",
    says: /has 2 refunds|Σ ledger/,
    async act({ log, evidence }) {
      const refund = evidence.ledger.find(({ kind }) => kind === "refund")!;
      const subject = subjects.ledger(refund.accountId, 99, refund.entryId, "refund");
      await log.commit("sabotage", [{ ...ledgerWrite(refund), subject }]);
    },
  },
  {
    rule: "a second terminal state",
    says: /has 2 terminal states/,
    async act({ log, evidence }) {
      const isFailed = (value: object): value is JobEndedEvent => "kind" in value && value.kind === "failed";
      const failed = evidence.events.map(({ value }) => value!).find(isFailed)!;
      await log.commit("sabotage", [eventWrite({ ...failed, kind: "completed" })]);
    },
  },
  {
    rule: "a job counted as running that does not run",
    says: /has running 1 and waiting 0 \(live\)/,
    act: (scene) => changeAccount(scene, (account) => ({ ...account, running: account.running + 1 })),
  },
  {
    rule: "a sandbox job counted as waiting that does not wait",
    says: /has running 0 and waiting 1 \(sandbox\)/,
    act: (scene) => changeAccount(scene, (account) => ({ ...account, sandboxJobs: { running: 0, waiting: 1 } })),
  },
  {
    rule: "bytes counted of no job",
    says: /counts 5 bytes \(live\) of 0 in its jobs/,
    act: (scene) => changeAccount(scene, (account) => ({ ...account, sourceBytes: { live: 5, sandbox: 0 } })),
  },
  {
    rule: "an upload session that no tally counts",
    says: /counts 0 upload sessions with 0 bytes \(sandbox\) and has 1 with 7/,
    act: ({ log, accountId }) =>
      log.commit("sabotage", [
        {
          subject: subjects.upload(accountId, uuidv7()),
          value: { v: 1, accountId, live: false, sizeBytes: 7 },
          ttlSeconds: 1,
        },
      ]),
  },
  {
    rule: "a key that no index lists",
    says: /the index of .* does not list its keys/,
    act: ({ log, accountId }) =>
      log.commit("sabotage", [{ subject: subjects.apiKey(accountId, uuidv7()), value: { v: 1 }, ttlSeconds: 1 }]),
  },
  {
    rule: "credits out of nowhere",
    says: /Σ ledger/,
    act: (scene) =>
      changeAccount(scene, (account) => ({
        ...account,
        credits: { ...account.credits, remaining: account.credits.remaining + 7 },
      })),
  },
  {
    rule: "more live jobs running than allowed",
    says: /ran \d+ of \d+ live jobs/,
    act: (scene) => runMany(scene, 0),
  },
  {
    rule: "more sandbox jobs running than allowed",
    says: /ran \d+ of \d+ sandbox jobs/,
    act: (scene) => runMany(scene, sandboxLane),
  },
  {
    rule: "a window with more jobs than it has slots",
    says: /had running 1000 \(sandbox\)/,
    act: (scene) => changeAccount(scene, (account) => ({ ...account, sandboxJobs: { running: 1_000, waiting: 0 } })),
  },
  {
    rule: "a job claimed after its queue deadline",
    says: /was claimed \d+ ms after its queue deadline/,
    act: (scene) => writeJob(scene, processingJob({ createdAt: isoTime(Date.now() - 2 * dayMs) })),
  },
  {
    rule: "a job that outlives its deadline",
    says: /outlived its deadline/,
    act: (scene) => writeJob(scene, timedOut({ createdAt: isoTime(Date.now() - 2 * dayMs) })),
  },
  {
    rule: "a job failed before its deadline",
    says: /failed \d+ ms before its deadline/,
    act: (scene) => writeJob(scene, timedOut({ live: true })),
  },
  {
    rule: "an archived file that is gone",
    says: /it begins at \d+, the file before ends at \d+/,
    async act({ storage }) {
      const [, second] = (await Array.fromAsync(storage.list(storageKeys.ledger), ({ key }) => key)).sort();
      await storage.deletePrefix(second!);
    },
  },
  {
    rule: "a row of a batch without an outcome",
    says: /ended as .* and its outcome is undefined|have no outcome/,
    async act({ storage, evidence }) {
      const { batch } = evidence.batches.find(({ outcomes }) => outcomes.length > 0)!;
      await storage.deletePrefix(storageKeys.batchOutcomes(batch.accountId, batch.id, 0));
    },
  },
  {
    rule: "a row of a batch that ends twice",
    says: /row \d+ in try \d+ of batch .* ended twice/,
    async act({ log, evidence }) {
      const isOfBatch = (value: object): value is JobEndedEvent =>
        "kind" in value && value.kind === "completed" && "batch" in value && value.batch !== undefined;
      const ended = evidence.events.map(({ value }) => value!).find(isOfBatch)!;
      await log.commit("sabotage", [eventWrite({ ...ended, jobId: uuidv7() })]);
    },
  },
  {
    rule: "a batch that counts a row too many",
    says: /batch .* counts .* and its outcomes are/,
    async act({ log, evidence }) {
      const { batch } = evidence.batches[0]!;
      const counts = { ...batch.counts, failed: batch.counts.failed + 1 };
      await log.commit("sabotage", [
        { subject: subjects.batch(batch.accountId, batch.id), value: { ...batch, counts, credits: 1_000 } },
      ]);
    },
  },
  {
    rule: "a file left behind",
    says: /file of an ended job left/,
    act: ({ storage, accountId }) =>
      storage.write(`api/${accountId}/${uuidv7()}/source`, Buffer.from("left"), { bytesMax: 10 }),
  },
];

async function changeAccount({ log, accountId }: Scene, change: (account: Account) => Account): Promise<void> {
  const { value, sequence } = await log.read<Account>(subjects.account(accountId));
  await log.commit("sabotage", [{ subject: subjects.account(accountId), value: change(value!), expected: sequence }]);
}

async function runMany({ log, accountId }: Scene, lane: Lane): Promise<void> {
  const jobs = Array.from({ length: 10 }, () => processingJob({ accountId, lane }));
  const writes = jobs.map((value) => ({ subject: subjects.job(accountId, value.id), value, ttlSeconds: 1 }));
  await log.commit("sabotage", writes);
}

function timedOut(change: Partial<QueuedJob>): Job {
  const error = createJobError("deadline_exceeded", "As asked.");
  return failJob(queuedJob(change), error, { nowMs: Date.now(), retentionMs: 1_000 });
}

async function writeJob({ log, accountId }: Scene, job: Job): Promise<void> {
  const value = { ...job, accountId };
  await log.commit("sabotage", [{ subject: subjects.job(accountId, job.id), value, ttlSeconds: 1 }]);
}
