/** A copy that nats-server really cannot write, for longer than what it lacks lives. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { createLogWatch } from "@packshot/log/operate/watch.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { beforeAll, expect, test } from "vitest";
import { acceptTestJobs, endTestJob, openTestAccount, readAccount } from "../../../../testing/log/accepted-jobs.ts";
import { startLog } from "../../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { createArchive } from "../accounts/ledger-archive.ts";
import { createKeeper } from "./keeper.ts";

const log = suiteFixture(startLog);
const logger = createLogger({ name: "stalled-copy.spec", level: "fatal" });
let manager: JetStreamManager;

beforeAll(async () => {
  manager = await jetstreamManager(log.connection);
});

const messagesIn = async (stream: string) => (await manager.streams.info(stream)).state.messages;

/** The copy is full from now on. */
async function stall(stream: string): Promise<void> {
  const { state } = await manager.streams.info(stream);
  await manager.streams.update(stream, { max_bytes: state.bytes + 1 });
}

/** As when the outbox's hour is over: what the copy lacks is gone when it has room again. */
async function expireAndResume(stream: string, filter: string): Promise<void> {
  await manager.streams.purge(streams.state, { filter });
  await manager.streams.update(stream, { max_bytes: -1 });
}

test("jobs that end while the copy of the events stands still are settled once, and those after it too", async () => {
  const watch = createLogWatch({ log, logger, times: { everyMs: 50, bypassAfterMs: 200 } });
  const keeper = createKeeper({ log, logger, bypassFrom: watch.bypassFrom });
  await watch.start();
  await keeper.start();
  const accountId = await openTestAccount(log, { concurrentJobs: 2 }, 100);
  const jobs = await acceptTestJobs(log, accountId, 4);
  const settled = (expected: object) => expect.poll(() => readAccount(log, accountId)).toMatchObject(expected);
  await endTestJob(log, accountId, jobs[0]!, "completed");
  await settled({ running: 2, waiting: 1 });
  await expect.poll(() => messagesIn(streams.events)).toBeGreaterThan(0);
  await stall(streams.events);
  const copied = await messagesIn(streams.events);
  await endTestJob(log, accountId, jobs[1]!, "failed");
  await endTestJob(log, accountId, jobs[2]!, "failed");
  await settled({ running: 1, waiting: 0, credits: { remaining: 96 } });
  expect(await messagesIn(streams.events)).toBe(copied);
  await expireAndResume(streams.events, subjects.event("*", "*", "*"));
  await expect.poll(() => watch.bypassFrom(streams.events)).toBeUndefined();
  await endTestJob(log, accountId, jobs[3]!, "failed");
  await settled({ running: 0, waiting: 0, credits: { remaining: 98 } });
  await keeper.stop();
  await watch.stop();
});

test("ledger entries that expired before they were copied are named, and the balance is right", async () => {
  const folder = await mkdtemp(join(tmpdir(), "packshot-ledger-"));
  const named: unknown[] = [];
  const archive = createArchive({
    log,
    storage: createDiskStorage({ dir: folder }),
    logger: { ...logger, error: (fields: unknown) => void named.push(fields) } as typeof logger,
    nowMs: () => Date.now() + 3 * 24 * 3_600_000,
  });
  const accountId = await openTestAccount(log, {}, 100);
  const subject = subjects.ledgerCopy(accountId);
  const copied = async () => {
    const { state } = await manager.streams.info(streams.ledger, { subjects_filter: subject });
    return state.subjects?.[subject] ?? 0;
  };
  const follows = (count: number) => expect.poll(copied).toBe(count);
  // The grant of an account that opens is the first entry.
  await follows(1);
  await acceptTestJobs(log, accountId, 1);
  await follows(2);
  await stall(streams.ledger);
  await acceptTestJobs(log, accountId, 2);
  await expireAndResume(streams.ledger, subjects.ledger("*", "*", "*", "*"));
  await acceptTestJobs(log, accountId, 1);
  await follows(3);
  await archive(new AbortController().signal);
  expect(named).toMatchObject([{ accountId, credits: -4 }]);
  expect((await readAccount(log, accountId)).credits.remaining).toBe(92);
  await rm(folder, { recursive: true });
});
