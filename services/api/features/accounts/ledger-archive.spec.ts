import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { jetstreamManager } from "@nats-io/jetstream";
import type { Account } from "@packshot/domain/accounts/account.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { streamRange } from "@packshot/log/follow/stream-source.ts";
import { migrateLog } from "@packshot/log/operate/migrate.ts";
import { readLedgerArchive } from "@packshot/platform/ledger/ledger-archive.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { acceptTestJobs, openTestAccount, readAccount } from "../../../../testing/log/accepted-jobs.ts";
import { startLog, type TestLog } from "../../../../testing/log/test-log.ts";
import { createArchive } from "./ledger-archive.ts";

const threeDaysMs = 3 * 24 * 3_600_000;
/** A small file has about four entries. */
const fileBytes = 2_000;
const signal = new AbortController().signal;
let log: TestLog;
let folder: string;
let storage: Storage;
let logged: unknown[];

beforeEach(async () => {
  log = await startLog();
  folder = await mkdtemp(join(tmpdir(), "packshot-ledger-"));
  storage = createDiskStorage({ dir: folder });
  logged = [];
});

afterEach(async () => {
  await log.stop();
  await rm(folder, { recursive: true, force: true });
});

function archiver(laterMs = threeDaysMs) {
  const logger = createLogger({ name: "ledger-archive.spec", level: "warn" });
  for (const level of ["warn", "error"] as const) {
    logger[level] = (fields: unknown) => void logged.push(fields);
  }
  return createArchive({ log, storage, logger, nowMs: () => Date.now() + laterMs, fileBytes });
}

async function copied(entries: number): Promise<void> {
  const manager = await jetstreamManager(log.connection);
  await expect.poll(async () => (await manager.streams.info(streams.ledger)).state.last_seq).toBe(entries);
}

/** What the archive says: the ids of its entries, the sum of each account, its problems. */
async function readArchive() {
  const found = await Array.fromAsync(readLedgerArchive(storage));
  const entries = found.flatMap(({ file }) => file?.entries ?? []).map(({ entry }) => entry);
  const sums = new Map<string, number>();
  for (const { accountId, amount } of entries) sums.set(accountId, (sums.get(accountId) ?? 0) + amount);
  return {
    files: found.map(({ key }) => key),
    ids: entries.map(({ kind, entryId }) => `${kind} ${entryId}`),
    sums,
    problems: found.flatMap(({ problems }) => problems),
  };
}

test("full files leave the log at once, the others when their day is closed; the last message stays", async () => {
  const accountId = await openTestAccount(log);
  await acceptTestJobs(log, accountId, 10);
  await copied(11);
  const filesToday = await archiver(0)(signal);
  expect(filesToday).toBeGreaterThan(0);
  const open = await streamRange(log.connection, streams.ledger);
  expect(open.first).toBeGreaterThan(1);
  expect(open.first).toBeLessThan(open.last);
  expect(await archiver(0)(signal)).toBe(0);
  expect(await archiver()(signal)).toBe(1);
  expect(await streamRange(log.connection, streams.ledger)).toEqual({ first: 11, last: 11 });
  const { files, ids, sums, problems } = await readArchive();
  expect(problems).toEqual([]);
  expect(files).toHaveLength(filesToday + 1);
  expect(new Set(ids).size).toBe(11);
  expect(sums.get(accountId)).toBe((await readAccount(log, accountId)).credits.remaining);
  expect(await archiver()(signal)).toBe(0);
});

test("entries that nats-server copies a second time are archived once", async () => {
  const accountId = await openTestAccount(log);
  await acceptTestJobs(log, accountId, 5);
  await copied(6);
  await archiver()(signal);
  const manager = await jetstreamManager(log.connection);
  const { config } = await manager.streams.info(streams.ledger);
  await manager.streams.purge(streams.ledger);
  await manager.streams.update(streams.ledger, { sources: [] });
  const fromTheFirst = config.sources!.map((source) => ({ ...source, opt_start_seq: 1 }));
  await manager.streams.update(streams.ledger, { sources: fromTheFirst });
  await copied(12);
  await acceptTestJobs(log, accountId, 2);
  await copied(14);
  await archiver()(signal);
  const { ids, sums, problems } = await readArchive();
  expect(problems).toEqual([]);
  expect(ids).toHaveLength(8);
  expect(new Set(ids).size).toBe(8);
  expect(sums.get(accountId)).toBe((await readAccount(log, accountId)).credits.remaining);
});

test("nothing is removed from a stream that was made anew, also when it has as many entries as were archived", async () => {
  const accountId = await openTestAccount(log);
  await acceptTestJobs(log, accountId, 4);
  await copied(5);
  await archiver()(signal);
  const manager = await jetstreamManager(log.connection);
  await manager.streams.purge(streams.state, { filter: subjects.ledger("*", "*", "*", "*") });
  await manager.streams.delete(streams.ledger);
  await migrateLog(log.connection, { replicas: 1 });
  for (const entries of [3, 6]) {
    await acceptTestJobs(log, accountId, 3);
    await copied(entries);
    expect(await archiver()(signal)).toBe(0);
    expect(await streamRange(log.connection, streams.ledger)).toEqual({ first: 1, last: entries });
  }
  expect(logged).toHaveLength(2);
});

test("a message that is no entry is named and passed over, also when it is the last", async () => {
  const accountId = await openTestAccount(log);
  await log.commit("test", [{ subject: subjects.ledger(accountId, 1, accountId, "empty"), value: null }]);
  await copied(2);
  const archive = archiver();
  expect(await archive(signal)).toBe(1);
  await acceptTestJobs(log, accountId, 1);
  await copied(3);
  expect(await archive(signal)).toBe(1);
  expect(logged).toMatchObject([{ sequence: 2 }]);
});

test("an entry that never came is named, in the log of the process and by the check of the archive", async () => {
  const accountId = await openTestAccount(log);
  await acceptTestJobs(log, accountId, 1);
  const { value, sequence } = await log.read<Account>(subjects.account(accountId));
  const account = { ...value!, credits: { ...value!.credits, remaining: value!.credits.remaining - 7 } };
  await log.commit("lost", [{ subject: subjects.account(accountId), value: account, expected: sequence }]);
  await acceptTestJobs(log, accountId, 1);
  await copied(3);
  await archiver()(signal);
  expect(logged).toMatchObject([{ accountId, credits: -7 }]);
  expect((await readArchive()).problems).toEqual([
    expect.stringContaining(`entries of ${accountId} over -7 credits are missing before entry 3`),
  ]);
});

test("an open day that is read again and again says nothing of entries that are there, and once of one that is not", async () => {
  const accountId = await openTestAccount(log);
  const other = await openTestAccount(log);
  await acceptTestJobs(log, accountId, 1);
  await copied(3);
  const archive = archiver(0);
  for (let run = 0; run < 2; run++) expect(await archive(signal)).toBe(0);
  expect(logged).toEqual([]);
  const { value, sequence } = await log.read<Account>(subjects.account(accountId));
  const account = { ...value!, credits: { ...value!.credits, remaining: value!.credits.remaining - 7 } };
  await log.commit("lost", [{ subject: subjects.account(accountId), value: account, expected: sequence }]);
  await acceptTestJobs(log, accountId, 1);
  await copied(4);
  for (let run = 0; run < 2; run++) expect(await archive(signal)).toBe(0);
  expect(logged).toMatchObject([{ accountId, credits: -7 }]);
  await acceptTestJobs(log, other, 10);
  await copied(14);
  expect(await archive(signal)).toBeGreaterThan(0);
  await archive(signal);
  expect(logged).toHaveLength(1);
});

test("a process that archives again after another one has does not miss what that one archived", async () => {
  const accountId = await openTestAccount(log);
  await acceptTestJobs(log, accountId, 4);
  await copied(5);
  const first = archiver();
  await first(signal);
  await acceptTestJobs(log, accountId, 4);
  await copied(9);
  await archiver()(signal);
  await acceptTestJobs(log, accountId, 4);
  await copied(13);
  await first(signal);
  expect(logged).toEqual([]);
  expect((await readArchive()).problems).toEqual([]);
});

const kills = ["archive:before-write", "archive:before-commit", "archive:after-commit", "archive:after-purge"];

test.each(kills)("a process killed at %s loses no entry and doubles none", async (failpoint) => {
  const accountIds = await Promise.all([1, 2].map(() => openTestAccount(log)));
  await Promise.all(accountIds.map((accountId) => acceptTestJobs(log, accountId, 12)));
  await copied(26);
  const main = fileURLToPath(new URL("../../../../testing/log/archive-ledger-main.ts", import.meta.url));
  const args = [main, log.nats.url, folder, String(fileBytes), `${failpoint}@2`];
  const [, killedBy] = (await once(spawn(process.execPath, args, { stdio: "inherit" }), "exit")) as [number, string];
  expect(killedBy).toBe("SIGKILL");
  await archiver()(signal);
  const { ids, sums, problems } = await readArchive();
  expect(problems).toEqual([]);
  expect(ids).toHaveLength(26);
  expect(new Set(ids).size).toBe(26);
  for (const accountId of accountIds) {
    expect(sums.get(accountId)).toBe((await readAccount(log, accountId)).credits.remaining);
  }
  expect(await streamRange(log.connection, streams.ledger)).toEqual({ first: 26, last: 26 });
  expect(logged).toEqual([]);
});

test("two archivers at once write one archive", async () => {
  const accountId = await openTestAccount(log);
  await acceptTestJobs(log, accountId, 20);
  await copied(21);
  await Promise.allSettled([archiver()(signal), archiver()(signal), archiver()(signal)]);
  await archiver()(signal);
  const { ids, problems } = await readArchive();
  expect(problems).toEqual([]);
  expect(new Set(ids).size).toBe(21);
  expect(ids).toHaveLength(21);
});
