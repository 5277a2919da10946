/**
 * Exactness with real processes: three APIs and two workers under random operations, each killed at every failpoint of
 * every transition in turn, then at random. EXACTNESS_SEED repeats a run's decisions. EXACTNESS_SECONDS and
 * EXACTNESS_JOBS make it longer: it goes on until both are reached. EXACTNESS_REPLICAS=3 runs it on three nats-servers,
 * EXACTNESS_STREAMS=1 gives the log one state stream instead of four.
 */
import { randomBytes, randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readyWrite } from "@packshot/domain/accounts/queue-entry.ts";
import { windowKinds } from "@packshot/domain/accounts/window.ts";
import { defaultQueueDeadlines } from "@packshot/domain/jobs/job.ts";
import { createRandom } from "@packshot/domain/random.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { PackshotEvent } from "@packshot/domain/webhooks/event.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createArchive } from "../../services/api/features/accounts/ledger-archive.ts";
import { createJobView } from "../../services/api/features/jobs/job-view.ts";
import { createRepair } from "../../services/api/features/jobs/repair.ts";
import { startLog } from "../../testing/log/test-log.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { createHistory, type Evidence, gatherEvidence, violationsOf } from "./check-log.ts";
import { type Fleet, startFleet } from "./exactness-processes.ts";
import { sabotage } from "./exactness-sabotage.ts";
import { createTraffic, type TestAccount, tinyPng } from "./exactness-traffic.ts";
import { sweepOrphanFiles, waitUntilIdle } from "./settle-down.ts";

const seed = Number(process.env.EXACTNESS_SEED ?? randomInt(2 ** 31));
const seconds = Number(process.env.EXACTNESS_SECONDS ?? 20);
const longSeconds = 120;
const stateStreams = process.env.EXACTNESS_STREAMS === "1" ? 1 : 4;
/** Accepted jobs that clients know. */
const jobsMin = Number(process.env.EXACTNESS_JOBS ?? 0);
const cluster = process.env.EXACTNESS_REPLICAS === "3" ? 3 : 1;
const { next: random } = createRandom(seed);
const adminToken = randomBytes(16).toString("hex");
const points = ["before-commit", "after-commit", "before-ack"];
/** Those of batches' requests are walked by `batch-request-kills.spec.ts`, and by long runs. */
const batchTransitions = ["create-batch", "pause-batch", "resume-batch", "cancel-batch", "retry-batch"];
const ofBatches = ["hand-out:before-commit", "hand-out:after-commit", "settle-rows:before-commit"];
const transitions = [
  "settle",
  "expire",
  "accept",
  "cancel",
  "delete",
  ...(seconds < longSeconds ? [] : batchTransitions),
];
const failpoints = {
  api: [...transitions.flatMap((name) => points.map((point) => `${name}:${point}`)), ...ofBatches],
  worker: ["claim", "finish", "give-back"].flatMap((name) => points.map((point) => `${name}:${point}`)),
};
/** For starting, hitting all failpoints and becoming idle: a killed worker's message comes back after 30 s. */
const marginMs = 240_000;
/** A run of ten minutes beside other work had 2,056 jobs. */
const jobMsMax = 1_000;
const retentionSeconds = 3;
/** Short, so that many sandbox jobs that stay queued come to their deadline. */
const queueDeadlines = { ...defaultQueueDeadlines, sandboxMs: 5_000 };
/**
 * Added to three busy ones. Each account's accepts go to one owner among the processes: with this many accounts every
 * process owns some and passes its failpoints. They also fill batches of several accounts.
 */
const quietAccounts = 24;

const log = suiteFixture(() => startLog({ stateStreams, cluster }));
let storage: Storage;
let folder: string;
let fleet: Fleet;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "packshot-exactness-"));
  await createHistory(log);
  storage = createDiskStorage({ dir: join(folder, "storage") });
  fleet = await startFleet({
    natsUrl: log.nats.url,
    folder,
    adminToken,
    retentionSeconds,
    sandboxQueueDeadlineSeconds: queueDeadlines.sandboxMs / 1000,
    counts: { api: 3, worker: 2 },
    failpoints,
    random,
    onDeath: () => void endLeases(),
  });
});

afterAll(async () => {
  await fleet?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Releases what dead processes held at once: waiting for the leases' TTL at all failpoints would take minutes. */
async function endLeases(): Promise<void> {
  const names = ["keeper", "janitor-expired", "janitor-deleted", "batch-feeder", "batches"];
  for (const { index } of log.stateStreams) {
    const tombstones = names.map((name) => ({ subject: subjects.lease(index, name), value: null, ttlSeconds: 1 }));
    await log.commit("test", tombstones).catch(() => {});
  }
}

async function openAccounts(): Promise<TestAccount[]> {
  const headers = { Authorization: `Bearer ${adminToken}`, "Content-Type": "application/json" };
  /** Repeats the request on any process while one after the other dies. */
  async function post<T>(path: string, body: object): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      await expect.poll(() => fleet.apis().length).toBeGreaterThan(0);
      try {
        const request = { method: "POST", headers, body: JSON.stringify(body) };
        const answer = await fetch(`${fleet.apis()[0]!.adminUrl}${path}`, request);
        if (answer.status === 201) return (await answer.json()) as T;
        throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      } catch (error) {
        if (attempt === 10) throw error;
      }
    }
  }
  const limits = { rateLimitPerHour: 1_000_000_000, maxQueuedJobs: 30 };
  const plans = [
    { plan: "dev", limits: { ...limits, concurrentJobs: 3 } },
    { plan: "dev", limits: { ...limits, concurrentJobs: 6, maxWaitingBytes: 12 * tinyPng.length } },
    { plan: "starter", limits: { ...limits, concurrentJobs: 2 } },
  ];
  const quiet = Array.from({ length: quietAccounts }, () => ({
    plan: "dev",
    limits: { ...limits, concurrentJobs: 1 },
  }));
  const accounts: TestAccount[] = [];
  for (const plan of [...plans, ...quiet]) {
    const { accountId } = await post<{ accountId: string }>("/admin/v1/accounts", { name: "exactness", ...plan });
    const keys = `/admin/v1/accounts/${accountId}/keys`;
    const { key: liveKey } = await post<{ key: string }>(keys, { name: "live" });
    const { key: testKey } = await post<{ key: string }>(keys, { name: "test", live: false });
    accounts.push({ accountId, liveKey, testKey });
  }
  // This one runs out of credits sometimes.
  await post(`/admin/v1/accounts/${accounts[2]!.accountId}/grants`, { amount: -960, note: "poor" });
  return accounts;
}

/** Only for a job inside its account's window: no wait record, and none will come. */
async function duplicate(accountId: string, jobId: string): Promise<void> {
  const waits = windowKinds.map((window) => log.read(subjects.wait[window](accountId, jobId)));
  const doesWait = (await Promise.all(waits)).some(({ value }) => value !== undefined);
  if (!doesWait) await log.commit("test", [readyWrite({ v: 1, accountId, jobId, lane: 0 })]);
}

/** The sweep that each API makes every minute, more often. */
async function repairUntil(signal: AbortSignal): Promise<void> {
  const logger = createLogger({ name: "exactness", level: "error" });
  const jobs = createJobView({ log, logger, nowMs: Date.now });
  await jobs.start();
  const deps = { log, logger, jobs, retentionMs: retentionSeconds * 1000, queueDeadlines };
  const sweeps = log.stateStreams.map((stream) => createRepair(deps, stream));
  await repeatUntil(signal, async () => {
    for (const sweep of sweeps) await sweep(signal);
  });
  await jobs.stop();
}

/** As a periodic task does: what a leader lost among three servers cuts short is done again. One server loses nothing. */
async function repeatUntil(signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await work().catch((error: unknown) => {
      if (cluster === 1) throw error;
      console.info(`again after ${error}`);
    });
    await pause(1_000, signal);
  }
}

/** As each API does every minute with full files and closed days: here each entry is of a closed day, and files are small. */
async function archiveUntil(signal: AbortSignal): Promise<void> {
  const logger = createLogger({ name: "exactness", level: "warn" });
  const nowMs = () => Date.now() + 3 * 24 * 3_600_000;
  const archive = createArchive({ log, storage, logger, nowMs, fileBytes: 20_000 });
  await repeatUntil(signal, () => archive(signal));
}

function isTimeout(event: PackshotEvent | undefined): boolean {
  return event?.kind === "failed" && event.error?.code === "deadline_exceeded";
}

let evidence: Evidence;

function gather(accepted: readonly string[]): Promise<Evidence> {
  return gatherEvidence({ log, storage, accepted, queueDeadlines });
}

test(
  "whichever process dies and whenever, every job ends once, every credit is accounted for and no file is left",
  async () => {
    const sizes = `EXACTNESS_SECONDS=${seconds} EXACTNESS_JOBS=${jobsMin} EXACTNESS_REPLICAS=${cluster}`;
    console.info(`EXACTNESS_SEED=${seed} ${sizes}`);
    const accounts = await openAccounts();
    const ending = new AbortController();
    const repairs = new AbortController();
    const { signal } = ending;
    const { traffic, run, endBatches } = createTraffic({
      fleet,
      accounts,
      busyAccounts: accounts.length - quietAccounts,
      random,
      adminToken,
      signal,
      duplicate,
    });
    const clients = run(12);
    const repairing = Promise.all([repairUntil(repairs.signal), archiveUntil(repairs.signal)]);
    const startedAtMs = performance.now();
    await fleet.allFailpointsHit;
    const walkedMs = performance.now() - startedAtMs;
    const killing = setInterval(() => fleet.kill(random() < 0.5 ? "api" : "worker"), 2_000);
    const rest = Math.max(1, Math.ceil(seconds * 1000 - walkedMs));
    await new Promise<void>((resolve) => AbortSignal.timeout(rest).addEventListener("abort", () => resolve()));
    const accepted = () => traffic.accepted.size;
    await expect.poll(accepted, { timeout: jobsMin * jobMsMax, interval: 250 }).toBeGreaterThanOrEqual(jobsMin);
    clearInterval(killing);
    ending.abort();
    await clients;
    await endBatches(marginMs);
    const accountIds = accounts.map(({ accountId }) => accountId);
    await waitUntilIdle(log, accountIds, marginMs);
    repairs.abort();
    await repairing;
    const litter = await sweepOrphanFiles(log, storage);
    evidence = await gather([...traffic.accepted]);
    const figures = {
      seed,
      seconds: Math.round((performance.now() - startedAtMs) / 1000),
      walkedSeconds: Math.round(walkedMs / 1000),
      jobs: new Set(evidence.ledger.filter(({ kind }) => kind === "debit").map(({ entryId }) => entryId)).size,
      ledgerEntries: evidence.ledger.length,
      archivedEntries: evidence.archivedEntries,
      events: evidence.events.length,
      queuedTooLong: evidence.events.filter(({ value }) => isTimeout(value)).length,
      versions: evidence.history.length,
      batches: evidence.batches.length,
      batchRows: evidence.batches.reduce((sum, { rows }) => sum + rows, 0),
      diedAtFailpoints: [...fleet.died.values()].reduce((sum, count) => sum + count, 0),
      killed: fleet.killed(),
      filesForTheSweep: litter,
      ...traffic.counts,
    };
    console.info(JSON.stringify(figures));
    expect(violationsOf(evidence)).toEqual([]);
    expect(traffic.unexpectedAnswers).toEqual([]);
    expect(fleet.faults).toEqual([]);
    expect(figures.queuedTooLong).toBeGreaterThan(0);
    expect(figures.archivedEntries).toBeGreaterThan(0);
    expect(figures.batches).toBeGreaterThan(0);
    expect([...fleet.died.keys()].sort()).toEqual([...failpoints.api, ...failpoints.worker].sort());
  },
  seconds * 1000 + jobsMin * jobMsMax + marginMs * 3,
);

test.each(sabotage)("the checker sees $rule", async ({ says, act }) => {
  const { accountId } = evidence.accounts[0]!;
  const before = violationsOf(evidence);
  await act({ log, storage, evidence, accountId });
  const found = async () => {
    const now = violationsOf(await gather(evidence.accepted));
    return now.filter((violation) => !before.includes(violation)).some((violation) => says.test(violation));
  };
  await expect.poll(found).toBe(true);
});
