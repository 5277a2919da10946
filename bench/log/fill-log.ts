/**
 * Fills a log with as many records as it has after a day of millions of jobs: one in ten is an unexpired job, the others
 * are idempotency records, all of about 1.2 kB. The accounts' own records stand between them all over the log, each list's
 * in blocks of its own, so that the first read of each is cold.
 */
import { hash } from "node:crypto";
import { readdirSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { type Account, openAccount } from "@packshot/domain/accounts/account.ts";
import { builtInPlans } from "@packshot/domain/accounts/plan.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { completeJob } from "@packshot/domain/jobs/job.ts";
import { subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import { webhookWrites } from "@packshot/domain/webhooks/webhook.ts";
import type { Write } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/log/log.ts";
import { processingJob } from "../../testing/log/job-records.ts";
import { descendantPids } from "../measuring/processor-time.ts";

const batchRecords = 980;
const commitsMax = 3;
/** Records of every account. */
const keys = 5;
const webhooks = 3;
const usageDays = 60;
const jobEvery = 10;
const retentionMs = 24 * 3_600_000;
const hourMs = 3_600_000;

export interface FillOptions {
  readonly records: number;
  readonly accounts: number;
}

/** Resolves with the accounts. Runs at a low priority, as does nats-server meanwhile. */
export async function fillLog(log: Log, { records, accounts: count }: FillOptions): Promise<string[]> {
  const accounts = Array.from({ length: count }, () => openFilledAccount());
  const batches = Math.max(1, Math.ceil(records / batchRecords));
  const ownRecords = new Map<number, Write[][]>();
  for (const account of accounts) {
    for (const writes of accountWrites(account)) {
      const at = Math.floor(Math.random() * batches);
      ownRecords.set(at, [...(ownRecords.get(at) ?? []), writes]);
    }
  }
  // A batch lies in one state stream.
  const byStream = Object.values(
    Object.groupBy(accounts, ({ accountId }) => log.streamOf(subjects.account(accountId)).index),
  );
  const restorePriority = lowerPriority();
  // Beside other work a niced server may take longer than a commit waits: the same records are then written again.
  const store = (writes: readonly Write[]) => log.transact<void>("fill", async () => ({ writes, result: undefined }));
  let next = 0;
  const committing = async () => {
    for (let batch = next++; batch < batches; batch = next++) {
      const owners = byStream[batch % byStream.length]!;
      const first = Math.floor(batch / byStream.length) * batchRecords;
      await store(Array.from({ length: batchRecords }, (_, i) => filler(owners, first + i)));
      for (const writes of ownRecords.get(batch) ?? []) await store(writes);
      if (batch % 500 === 499) process.stderr.write(`filled ${((batch + 1) * batchRecords).toLocaleString("en")}\n`);
    }
  };
  await Promise.all(Array.from({ length: commitsMax }, committing));
  restorePriority();
  return accounts.map(({ accountId }) => accountId);
}

function openFilledAccount(): Account {
  const who = { accountId: uuidv7(), workspaceId: uuidv7(), name: "bench" };
  const plan = { ...builtInPlans[0]!, creditsPerPeriod: 1_000_000_000 };
  const limits = { ...plan.limits, concurrentJobs: 64, maxQueuedJobs: 1_000_000, rateLimitPerHour: 1_000_000_000 };
  const { account } = openAccount({ ...plan, limits }, who, Date.now());
  return { ...account, apiKeys: keys, webhooks };
}

/** What an account has, in groups that are written together: its own record, its keys, its webhooks, its usage. */
function accountWrites(account: Account): Write[][] {
  const { accountId } = account;
  const ids = (length: number) => Array.from({ length }, () => uuidv7());
  const keyIds = ids(keys);
  const webhookIds = ids(webhooks);
  const days = Array.from({ length: usageDays }, (_, i) => ({
    day: isoTime(Date.now() - (usageDays - i) * 24 * hourMs).slice(0, 10),
    edits: { mask: 7 },
    creditsDebited: 14,
    creditsRefunded: 0,
  }));
  return [
    [{ subject: subjects.account(accountId), value: account }],
    [
      ...keyIds.map((id) => ({ subject: subjects.apiKey(accountId, id), value: { v: 1, id, accountId, name: "key" } })),
      { subject: subjects.index(accountId, "keys"), value: { v: 1, ids: keyIds } },
    ],
    [
      ...webhookIds.map((id) => webhookRecord(accountId, id)),
      { subject: subjects.index(accountId, "webhooks"), value: { v: 1, ids: webhookIds } },
    ],
    [{ subject: subjects.index(accountId, "usage"), value: { v: 1, before: account.usage.day, days } }],
  ];
}

function webhookRecord(accountId: string, id: string): Write {
  const createdAt = isoTime(Date.now());
  const endpoint = { url: "https://shop.example/hooks", live: true, events: ["job.completed"] as const };
  const rest = { description: "", metadata: {}, status: { kind: "enabled" }, secrets: [], failingSince: null } as const;
  return webhookWrites({ accountId, id }, { v: 1, id, accountId, ...endpoint, ...rest, createdAt })[0]!;
}

function filler(accounts: readonly Account[], at: number): Write {
  const { accountId } = accounts[at % accounts.length]!;
  if (at % jobEvery === Math.floor(at / accounts.length) % jobEvery) return endedJob(accountId);
  const id = uuidv7();
  const body = { id, status: "queued", text };
  const value = { v: 1, fingerprint: hash("sha256", id), status: 202, body, subjectId: id };
  return { subject: subjects.idempotency(accountId, hash("sha256", id)), value, ttlSeconds: ttlSeconds.idempotency };
}

const text = "x".repeat(850);
const file = { key: "none", contentType: "image/png", bytes: 812_345, width: 2_000, height: 2_000 };
const edited = {
  result: file,
  thumbnail: file,
  model: "u2netp@1",
  report: { text: text.slice(400) },
  timings: { total: 1 },
  inferenceMs: 0,
};

function endedJob(accountId: string): Write {
  const nowMs = Date.now();
  const id = uuidv7(nowMs - Math.floor(Math.random() * hourMs));
  const job = processingJob({ id, accountId, metadata: { order: "4711" } });
  const value = completeJob(job, edited, edited.model, { nowMs, retentionMs });
  return { subject: subjects.job(accountId, id), value, ttlSeconds: retentionMs / 1000 };
}

/** Others use the machine meanwhile. Returns what ends it, as far as the system allows. */
function lowerPriority(): () => void {
  const before = getPriority();
  const set = (priority: number) => {
    for (const pid of [process.pid, ...descendantPids("nats-server")]) {
      // Linux has a priority for each thread.
      for (const thread of readdirSync(`/proc/${pid}/task`)) {
        try {
          setPriority(Number(thread), priority);
        } catch {
          // The thread has ended, or it is not root who would raise a priority again.
        }
      }
    }
  };
  set(constants.priority.PRIORITY_BELOW_NORMAL);
  return () => set(before);
}
