/** Wait records that a killed nats-server has brought back take no slot of a window, and free none. */
import type { Account } from "@packshot/domain/accounts/account.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { expect, test } from "vitest";
import { acceptTestJobs, endTestJob, openTestAccount, readAccount } from "../../../../testing/log/accepted-jobs.ts";
import { startLog } from "../../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { createKeeper } from "./keeper.ts";

const logger = createLogger({ name: "killed-log.spec", level: "error" });
const log = suiteFixture(startLog);
const waiting = { timeout: 60_000, interval: 100 };
const jobsCount = 8;

test("each job is promoted once, whatever waits again after nats-server was killed", { timeout: 180_000 }, async () => {
  const accountId = await openTestAccount(log, { concurrentJobs: 2 });
  const account = async (): Promise<Partial<Account>> => readAccount(log, accountId);
  const jobs = await acceptTestJobs(log, accountId, jobsCount);
  const before = createKeeper({ log, logger });
  await before.start();
  for (const [index, jobId] of jobs.slice(0, 3).entries()) {
    await endTestJob(log, accountId, jobId, "completed");
    await expect.poll(account, waiting).toMatchObject({ running: 2, waiting: jobsCount - 3 - index });
  }
  await endTestJob(log, accountId, jobs.at(-1)!, "cancelled");
  await expect.poll(account, waiting).toMatchObject({ running: 2, waiting: 2 });
  // The tombstones of the three that were promoted, and of the one that was cancelled, expire.
  const waits = () => Promise.all(jobs.map((jobId) => log.read(subjects.wait.live(accountId, jobId))));
  await expect.poll(async () => (await waits()).filter(({ sequence }) => sequence > 0).length, waiting).toBe(2);
  await before.stop();
  await log.nats.kill();
  await log.nats.restart();
  expect((await waits()).filter(({ value }) => value !== undefined).length).toBeGreaterThan(2);

  const after = createKeeper({ log, logger });
  await after.start();
  for (const [index, jobId] of jobs.slice(3, -1).entries()) {
    await endTestJob(log, accountId, jobId, index === 0 ? "failed" : "completed");
    const left = jobsCount - 5 - index;
    await expect.poll(account, waiting).toMatchObject({ running: Math.min(2, left), waiting: Math.max(0, left - 2) });
  }
  await after.stop();
});
