import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { headers, type NatsConnection } from "@nats-io/transport-node";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { claimJob, type Job } from "@packshot/domain/job.ts";
import { shardOf } from "@packshot/domain/shard.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createArchive } from "../../services/api/followers/ledger-archive.ts";
import { createKeeper } from "../../services/api/followers/keeper.ts";
import {
  acceptTestJobs,
  endTestJob,
  openTestAccount,
  readAccount,
  testRetentionMs,
} from "../../testing/log/accepted-jobs.ts";
import { makeStreamsOfFirstVersion } from "../../testing/log/first-version.ts";
import { startLog } from "../../testing/log/test-log.ts";
import { startNats, type TestNats } from "../../testing/servers/nats.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { connectNats } from "@packshot/platform/nats/connection.ts";
import { readLastMessage } from "@packshot/platform/nats/leader-read.ts";
import { readLedgerArchive } from "@packshot/platform/ledger/ledger-archive.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { listSubjects } from "@packshot/platform/nats/list-subjects.ts";
import { createLog, type Log } from "@packshot/platform/nats/log.ts";
import { migrateLog } from "@packshot/platform/nats/migrate-log.ts";
import { assertQuiet, moveRecords } from "@packshot/platform/nats/migrate-records.ts";

/** Has this version's schema; its records are copied into `old` under the names of the first version. */
const made = suiteFixture(startLog);
let nats: TestNats;
let old: NatsConnection;

beforeAll(async () => {
  nats = await startNats();
  old = await connectNats({ url: nats.url, name: "log-migration.spec" });
  await makeStreamsOfFirstVersion(old);
});

afterAll(async () => {
  await old.close();
  await nats.stop();
});

function nameOfFirstVersion(subject: string): string {
  return subject.replace(/^ps\.[^.]+\./, "ps.");
}

async function copyAsFirstVersion(log: Log): Promise<void> {
  const manager = await jetstreamManager(log.connection);
  const { state } = await manager.streams.info(streams.state);
  for (let seq = 1; seq <= state.last_seq; seq++) {
    const message = await manager.streams.getMessage(streams.state, { seq });
    if (message === null || message.subject === subjects.schema) continue;
    const options = headers();
    const ttl = message.header.get("Nats-TTL");
    if (ttl !== "") options.set("Nats-TTL", ttl);
    await old.request(nameOfFirstVersion(message.subject), message.data, { headers: options, timeout: 5_000 });
  }
}

async function messagesIn(stream: string, connection = old): Promise<number> {
  return (await (await jetstreamManager(connection)).streams.info(stream)).state.messages;
}

async function allSubjects(log: Log): Promise<string[]> {
  return await Array.fromAsync(listSubjects(log.connection, streams.state, "ps.>"));
}

test("a log of version 1 is taken over with its records, also when an earlier try was cut short", async () => {
  const accountId = await openTestAccount(made, { concurrentJobs: 2 });
  const [running, ended, ...waiting] = (await acceptTestJobs(made, accountId, 4)) as [string, string, string, string];
  const subject = subjects.job(accountId, running);
  const { value, sequence } = await made.read<Job>(subject);
  const request = { attemptId: uuidv7(), readySequence: 1, nowMs: Date.now(), retentionMs: testRetentionMs };
  const claimed = claimJob(value, request);
  if (claimed.kind !== "claimed") throw new Error(claimed.kind);
  const sha256 = "a".repeat(64);
  await made.commit("test", [
    { subject, value: claimed.job, expected: sequence },
    { subject: subjects.keyByHash(shardOf(accountId), sha256), value: { v: 1, accountId, sha256 } },
    { subject: subjects.apiKey(accountId, uuidv7()), value: { v: 1, accountId, sha256 } },
    { subject: subjects.index(accountId, "keys"), value: { v: 1, ids: [] } },
  ]);
  await endTestJob(made, accountId, ended, "completed");
  await copyAsFirstVersion(made);
  // The services that wrote this have ended, and the copies have what they sent.
  const entriesMade = async () => await messagesIn(streams.ledger, made.connection);
  await expect.poll(() => messagesIn(streams.events)).toBe(1);
  await expect.poll(async () => (await messagesIn(streams.ledger)) - (await entriesMade())).toBe(0);
  await moveRecords(old);

  const log = createLog(old, { stateStreamCount: 1 });
  const done = await migrateLog(old, { replicas: 0 });
  expect(done).toContainEqual(expect.stringMatching(/^gave [0-9]+ records the names of version 2$/));
  expect(await migrateLog(old, { replicas: 0 })).toEqual([]);

  // Nothing has an old name, and what lasts has its value under the new one.
  const kept = (await allSubjects(made)).filter((name) => !/\.(event|ledger|ready)\./.test(name));
  const now = await allSubjects(log);
  expect(now.filter((name) => !/^ps\.(\d\d|log0|schema)/.test(name))).toEqual([]);
  expect(kept.filter((name) => !now.includes(name))).toEqual([]);
  for (const name of kept) {
    if (name === subject || name === subjects.schema) continue;
    expect([name, (await log.read(name)).value]).toEqual([name, (await made.read(name)).value]);
  }
  expect((await log.read<Job>(subject)).value).toMatchObject({ status: "queued", attempts: 0 });
  const lifetime = (await readLastMessage(old, streams.state, subjects.job(accountId, ended)))?.headerText;
  expect(Number(/Nats-TTL: *(\d+)s/.exec(lifetime ?? "")?.[1])).toBeLessThanOrEqual(testRetentionMs / 1000);

  // The copies go on where they were: no ready message but the running job's, no event and no ledger entry twice.
  await expect.poll(() => messagesIn(streams.ready)).toBeGreaterThan(0);
  const manager = await jetstreamManager(old);
  const { state } = await manager.streams.info(streams.ready, { subjects_filter: ">" });
  expect(Object.keys(state.subjects ?? {})).toEqual([subjects.ready(0, accountId, running)]);
  expect(await messagesIn(streams.events)).toBe(1);
  expect(await messagesIn(streams.ledger)).toBe(await entriesMade());

  // An event from before the move is settled after it.
  const keeper = createKeeper({ log, logger: createLogger({ name: "log-migration.spec", level: "error" }) });
  await keeper.start();
  await expect.poll(() => readAccount(log, accountId)).toMatchObject({ running: 2, waiting: waiting.length - 1 });
  await keeper.stop();

  // The ledger is archived whole: entries from before the move, under their old subjects, and after it.
  await acceptTestJobs(log, accountId, 2);
  await expect.poll(() => messagesIn(streams.ledger)).toBe((await entriesMade()) + 2);
  const folder = await mkdtemp(join(tmpdir(), "packshot-ledger-"));
  const storage = createDiskStorage({ dir: folder });
  const nowMs = () => Date.now() + 3 * 24 * 3_600_000;
  const logger = createLogger({ name: "log-migration.spec", level: "error" });
  await createArchive({ log, storage, logger, nowMs })(new AbortController().signal);
  const files = await Array.fromAsync(readLedgerArchive(storage));
  expect(files.flatMap(({ problems }) => problems)).toEqual([]);
  const entries = files.flatMap(({ file }) => file!.entries);
  expect(entries).toHaveLength((await entriesMade()) + 2);
  const sum = entries.reduce((total, { entry }) => total + (entry.accountId === accountId ? entry.amount : 0), 0);
  expect(sum).toBe((await readAccount(log, accountId)).credits.remaining);
  await rm(folder, { recursive: true });
});

test("it is left alone while a service of version 1 runs", async () => {
  const held = createLog(old, { stateStreamCount: 1 });
  await held.commit("test", [{ subject: "ps.lease.keeper", value: { v: 1, holder: "x" }, ttlSeconds: 60 }]);
  await expect(assertQuiet(old, 200)).rejects.toThrow(/service of the version before still runs \(ps\.lease\.keeper\)/);
});
