/**
 * A backup that is taken while edits are accepted, restored into a cluster that has never seen the log: accounts, keys,
 * webhooks and jobs are there, everything goes on, and the log is exact.
 */
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { defaultQueueDeadlines } from "@packshot/domain/jobs/job.ts";
import { streams } from "@packshot/domain/subjects.ts";
import { createLog } from "@packshot/log/log.ts";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { backUpLog, restoreLog } from "@packshot/log/operate/backup.ts";
import { migrateLog } from "@packshot/log/operate/migrate.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { expect, onTestFinished, test } from "vitest";
import { openAccount } from "../../testing/api/accounts.ts";
import { apiEnvironment, startApi, startApis } from "../../testing/api/api-processes.ts";
import { apiClient } from "../../testing/api/contract-client.ts";
import { endTestJob, readAccount } from "../../testing/log/accepted-jobs.ts";
import { startNats } from "../../testing/servers/nats.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { createHistory, gatherEvidence, violationsOf } from "./check-log.ts";

const imageUrl = "https://shop.example/mug.jpg";
const retentionMs = 3_600_000;
const silent = () => {};

const old = suiteFixture(() => startApis({ stateStreams: 4 }));
const cluster = suiteFixture(() => startNats({ cluster: 3 }));
const folder = suiteFixture(async () => {
  const path = await mkdtemp(join(tmpdir(), "packshot-backup-"));
  return { path, stop: () => rm(path, { recursive: true }) };
});

test("what a backup holds goes on in another cluster, and nothing of it is lost or doubled", async () => {
  const limits = { concurrentJobs: 5, rateLimitPerHour: 1_000_000, maxQueuedJobs: 100_000 };
  const accounts = await Promise.all(Array.from({ length: 6 }, () => openAccount(old.all[0]!, { limits })));
  const submit = async (key: string) => {
    const reply = await apiClient(old.all[0]!.url, key).call("POST", "/v1/tools/mask/edit", { json: { imageUrl } });
    expect(reply.status).toBe(202);
    return reply.body.id as string;
  };
  for (const { key } of accounts) {
    const json = { url: `https://shop.example/${uuidv7()}` };
    await apiClient(old.all[0]!.url, key).call("POST", "/v1/webhooks", { json });
  }
  const before = await Promise.all(accounts.flatMap(({ key }) => [submit(key), submit(key), submit(key)]));
  await endTestJob(old.log, accounts[0]!.accountId, before[0]!, "failed", retentionMs);

  // While the backup is taken, edits go on.
  const over = new AbortController();
  const traffic = (async () => {
    for (let turn = 0; !over.signal.aborted; turn++) await submit(accounts[turn % accounts.length]!.key);
  })();
  const taking = backUpLog(old.log.connection, { folder: join(folder.path, "backup"), say: silent });
  // None of the two goes on without the test, also when the other fails.
  const [taken, went] = await Promise.allSettled([taking.finally(() => over.abort()), traffic]);
  if (taken.status === "rejected") throw taken.reason;
  if (went.status === "rejected") throw went.reason;
  const backup = taken.value;
  expect(backup.streams.map(({ config }) => config.name).at(0)).toBe(streams.ready);

  const connection = await connectNats({ url: cluster.url, name: "test" });
  onTestFinished(() => connection.close());
  await restoreLog(connection, { folder: join(folder.path, "backup"), replicas: 3, say: silent });
  const changes = await migrateLog(connection, { replicas: 3 });
  // Streams that took a tail listen to their own subjects again.
  for (const change of changes) expect(change).toMatch(/^changed stream PS_\w+: subjects/);
  expect(await migrateLog(connection, { replicas: 3 })).toEqual([]);
  const log = createLog(connection, { stateStreamCount: 4 });
  await createHistory(log);
  const api = await startApi({
    ...apiEnvironment({ natsUrl: cluster.url, storageDir: old.storageDir }),
    PACKSHOT_API_PORT: "0",
    PACKSHOT_PUBLIC_URL: "http://127.0.0.1:1",
  });
  onTestFinished(() => api.stop());

  for (const { key, accountId } of accounts) {
    const client = apiClient(api.url, key);
    expect((await client.call("GET", "/v1/webhooks")).body.data).toHaveLength(1);
    const own = before.filter((_id, index) => accounts[Math.floor(index / 3)]!.accountId === accountId);
    const found = async () => {
      const { body } = await client.call("GET", "/v1/jobs?limit=100");
      return (body.data as { id: string }[]).map(({ id }) => id).filter((id) => own.includes(id));
    };
    await expect.poll(async () => (await found()).sort()).toEqual([...own].sort());
    const { status } = await client.call("POST", "/v1/tools/mask/edit", { json: { imageUrl } });
    expect(status).toBe(202);
  }
  const accountIds = accounts.map(({ accountId }) => accountId);
  const storage = createDiskStorage({ dir: old.storageDir });
  const gather = (accepted: readonly string[]) =>
    gatherEvidence({ log, storage, accepted, queueDeadlines: defaultQueueDeadlines });
  const { unfinished: restored } = await gather([]);
  expect(restored.length).toBeGreaterThan(accounts.length);
  /** As a worker, which gets a job only once the keeper has let it into its account's window; resolves with how many were left. */
  const endThoseInWindows = async () => {
    const { unfinished, waits } = await gather([]);
    const waiting = new Set(waits.map(({ value }) => value!.jobId));
    const ready = unfinished.filter(({ value }) => !waiting.has(value!.id));
    await Promise.all(ready.map(({ value }) => endTestJob(log, value!.accountId, value!.id, "completed", retentionMs)));
    return unfinished.length;
  };
  await expect.poll(endThoseInWindows).toBe(0);
  const busy = async () => {
    const records = await Promise.all(accountIds.map((accountId) => readAccount(log, accountId)));
    return records.reduce((sum, { running, waiting }) => sum + running + waiting, 0);
  };
  await expect.poll(busy).toBe(0);
  const { streams: manager } = await jetstreamManager(connection);
  const violations = async () => {
    // No worker runs here that would take the messages of ended jobs.
    await manager.purge(streams.ready);
    return violationsOf(await gather(before));
  };
  await expect.poll(violations).toEqual([]);
});

test("a backup that is damaged or cut short, or a log that is there, is refused before anything is made", async () => {
  const into = { replicas: 1, say: silent };
  const path = join(folder.path, "backup");
  const { connection } = old.log;
  await expect(restoreLog(connection, { ...into, folder: path })).rejects.toThrow(/PS_READY exists/);
  await expect(backUpLog(connection, { folder: path, say: silent })).rejects.toThrow(/not empty/);
  await expect(restoreLog(connection, { ...into, folder: folder.path })).rejects.toThrow(/no backup/);
  await appendFile(join(path, "PS_LEDGER.snapshot"), "x");
  await expect(restoreLog(connection, { ...into, folder: path })).rejects.toThrow(/PS_LEDGER.snapshot is damaged/);
});
