/**
 * Three nats-servers, streams with three replicas: accept, claim and reading one's own write, where a direct get may
 * come from a replica that is behind; and a server that is killed in the middle.
 */
import type { Account } from "@packshot/domain/accounts/account.ts";
import type { PackshotError } from "@packshot/domain/errors.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { Job } from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createLog, type Log } from "@packshot/log/log.ts";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { migrateLog } from "@packshot/log/operate/migrate.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKeyedMutex } from "../../packages/platform/flow/keyed-mutex.ts";
import { createCommitAccepts } from "../../services/api/features/edits/accept-batch.ts";
import { createAcceptQueue } from "../../services/api/features/edits/accept-queue.ts";
import { createKeeper } from "../../services/api/features/jobs/keeper.ts";
import { createRecordCache } from "../../services/api/records/record-cache.ts";
import { createClaims } from "../../services/inference/consumer/claims.ts";
import { endTestJob, openTestAccount, readAccount } from "../../testing/log/accepted-jobs.ts";
import { newTestJob } from "../../testing/log/job-records.ts";
import { startNats, type TestNats } from "../../testing/servers/nats.ts";

const logger = createLogger({ name: "replicated-log", level: "error" });
const retentionMs = 600_000;
let nats: TestNats;
/** One connection to each server: whatever a process is connected to, it sees the same. */
let logs: readonly Log[];

beforeAll(async () => {
  nats = await startNats({ cluster: 3 });
  logs = await Promise.all(
    nats.servers.map(async ({ url }) =>
      createLog(await connectNats({ url, name: "replicated-log" }), { stateStreamCount: 1 }),
    ),
  );
  await migrateLog(logs[0]!.connection, { replicas: 3 });
}, 180_000);

afterAll(async () => {
  for (const { connection } of logs) await connection.close();
  await nats.stop();
});

function acceptorOn(log: Log) {
  const records = createRecordCache({ log, logger, nowMs: Date.now });
  const commit = createCommitAccepts({
    log,
    records,
    nowMs: Date.now,
    responseBody: ({ id }) => ({ id }),
    onConflict: () => {},
  });
  return createAcceptQueue({
    commit,
    accountMutex: createKeyedMutex(),
    isContested: () => false,
    streamIndexOf: () => 0,
    onBatch: () => {},
  });
}

test("a confirmed write is read at once from every server, a thousand times", async () => {
  const accountId = uuidv7();
  for (let i = 0; i < 334; i++) {
    const id = uuidv7();
    const subject = subjects.job(accountId, id);
    const { firstSequence } = await logs[i % 3]!.commit("test", [
      { subject, value: { id }, expected: 0, ttlSeconds: 60 },
    ]);
    for (const log of logs)
      expect(await log.read(subject)).toEqual({ subject, value: { id }, sequence: firstSequence });
  }
}, 120_000);

test("accepts of one account on three servers at once debit each job once", async () => {
  const accountId = await openTestAccount(logs[0]!, { concurrentJobs: 10 }, 1_000);
  const acceptors = logs.map(acceptorOn);
  const jobs = Array.from({ length: 120 }, () => newTestJob(accountId));
  const outcomes = await Promise.all(
    jobs.map((job, i) => acceptors[i % 3]!(accountId, { job, idempotency: undefined })),
  );
  expect(outcomes.map(({ kind }) => kind)).toEqual(jobs.map(() => "accepted"));
  expect(await readAccount(logs[1]!, accountId)).toMatchObject({
    running: 10,
    waiting: 110,
    credits: expect.objectContaining({ remaining: 880 }),
  });
}, 120_000);

test("the same idempotency key on three servers at once makes one job and one debit, sixteen times", async () => {
  const accountId = await openTestAccount(logs[0]!, {}, 1_000);
  const acceptors = logs.map(acceptorOn); // one request each: equal keys of one process wait for each other before this
  for (let round = 1; round <= 16; round++) {
    const subject = subjects.idempotency(accountId, round.toString(16).padStart(64, "0"));
    const outcomes = await Promise.all(
      acceptors.map((accept) =>
        accept(accountId, { job: newTestJob(accountId), idempotency: { subject, fingerprint: "f" } }),
      ),
    );
    const ids = outcomes.map((outcome) => (outcome.kind === "accepted" ? outcome.job.id : outcome.record.subjectId));
    expect(new Set(ids).size).toBe(1);
    expect(outcomes.filter(({ kind }) => kind === "accepted")).toHaveLength(1);
    expect((await readAccount(logs[round % 3]!, accountId)).credits.remaining).toBe(1_000 - round);
  }
}, 120_000);

test("the same idempotency key twice in what one process commits makes one job, and the other is its replay", async () => {
  const accountId = await openTestAccount(logs[0]!, {}, 1_000);
  const accept = acceptorOn(logs[0]!);
  const idempotency = { subject: subjects.idempotency(accountId, "e".repeat(64)), fingerprint: "f" };
  const outcomes = await Promise.all(
    [1, 2, 3].map(() => accept(accountId, { job: newTestJob(accountId), idempotency })),
  );
  expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["accepted", "replayed", "replayed"]);
  expect((await readAccount(logs[0]!, accountId)).credits.remaining).toBe(999);
});

test("of three claims of one message, and of two messages for one job, one wins", async () => {
  const accountId = await openTestAccount(logs[0]!);
  const claims = logs.map((log) => createClaims({ log, retentionMs }));
  const accept = acceptorOn(logs[0]!);
  for (let round = 0; round < 20; round++) {
    const job = newTestJob(accountId);
    await accept(accountId, { job, idempotency: undefined });
    const message = (sequence: number) => ({
      accountId,
      jobId: job.id,
      lane: 0 as const,
      sequence,
      deliveries: 1,
      ack: async () => {},
      nak: () => {},
      working: () => {},
    });
    const outcomes = await Promise.all(claims.map((claim, i) => claim.claim(message(1 + (round % 2) * i))));
    const won = outcomes.filter(({ kind }) => kind === "claimed");
    // The same message again means that its holder is lost, so each may take over from the one before; another is
    // dropped.
    if (round % 2 === 1) expect(won).toHaveLength(1);
    const { value } = await logs[2]!.read<Job>(subjects.job(accountId, job.id));
    const holders = won.map((outcome) => (outcome.kind === "claimed" ? outcome.claim.job.attemptId : ""));
    expect(holders).toContain(value?.status === "processing" ? value.attemptId : "");
  }
}, 120_000);

test("a server killed in the middle loses nothing: every accept that was answered is there, and all settle", async () => {
  const accountId = await openTestAccount(logs[1]!, { concurrentJobs: 1_000 }, 1_000);
  const keeper = createKeeper({ log: logs[1]!, logger });
  await keeper.start();
  const accept = acceptorOn(logs[1]!);
  const accepted: string[] = [];
  /** As a client tries again after `unavailable`: on a busy machine an election may outlast one request. */
  const acceptInTheEnd = async (job: ReturnType<typeof newTestJob>, mayBeCommitted = false): Promise<unknown> => {
    const accepting = accept(accountId, { job, idempotency: undefined }, { mayBeCommitted });
    return await accepting.catch((error: Partial<PackshotError>) => {
      if (error.code !== "unavailable") throw error;
      return acceptInTheEnd(job, true);
    });
  };
  const acceptSome = async (count: number) => {
    for (let i = 0; i < count; i++) {
      const job = newTestJob(accountId);
      await acceptInTheEnd(job);
      accepted.push(job.id);
    }
  };
  await acceptSome(20);
  const during = acceptSome(60);
  await nats.kill(0);
  await during;
  for (const jobId of accepted) {
    expect((await logs[2]!.read<Job>(subjects.job(accountId, jobId))).value?.status).toBe("queued");
    await endTestJob(logs[2]!, accountId, jobId, "failed", retentionMs);
  }
  await nats.restart(0);
  const account = async (): Promise<Partial<Account>> => readAccount(logs[1]!, accountId);
  await expect
    .poll(account)
    .toMatchObject({ running: 0, waiting: 0, credits: expect.objectContaining({ remaining: 1_000 }) });
  await keeper.stop();
}, 240_000);
