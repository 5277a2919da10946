import type { Account } from "@packshot/domain/accounts/account.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { JobEndedEvent } from "@packshot/domain/webhooks/event.ts";
import type { FollowedEvent } from "@packshot/log/follow/read-events.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  acceptTestJobs,
  commitEvent,
  endTestJob,
  openTestAccount,
  readAccount,
} from "../../../../testing/log/accepted-jobs.ts";
import { startLog } from "../../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { createKeeper, createSettleAccounts } from "./keeper.ts";

const logger = createLogger({ name: "keeper.spec", level: "error" });
const log = suiteFixture(startLog);
let keeper: ReturnType<typeof createKeeper>;

beforeAll(async () => {
  keeper = createKeeper({ log, logger });
  await keeper.start();
});

afterAll(async () => {
  await keeper.stop();
});

async function expectAccount(accountId: string, expected: Partial<Account>): Promise<void> {
  await expect.poll(() => readAccount(log, accountId)).toMatchObject(expected);
}

async function readyJobs(accountId: string): Promise<string[]> {
  const found: string[] = [];
  for (let from = 1; ; ) {
    const record = await log.readNext<{ jobId: string }>(subjects.ready("*", accountId, "*"), from);
    if (record === undefined) return found;
    found.push(record.value!.jobId);
    from = record.sequence + 1;
  }
}

test("a completed job frees its slot and is charged; a failed or cancelled one costs nothing", async () => {
  const accountId = await openTestAccount(log, { concurrentJobs: 8 }, 100);
  const [first, second, third] = await acceptTestJobs(log, accountId, 3);
  expect(await readAccount(log, accountId)).toMatchObject({ running: 3, credits: { remaining: 94 } });
  await endTestJob(log, accountId, first!, "completed");
  await endTestJob(log, accountId, second!, "failed");
  await endTestJob(log, accountId, third!, "cancelled");
  await expectAccount(accountId, { running: 0, waiting: 0, credits: expect.objectContaining({ remaining: 98 }) });
  const refund = await log.read<{ amount: number }>(subjects.ledger(accountId, 1, second!, "refund"));
  expect(refund.value?.amount).toBe(2);
});

test("the job that has waited longest gets the slot that an ended job frees", async () => {
  const accountId = await openTestAccount(log, { concurrentJobs: 2 });
  const jobs = await acceptTestJobs(log, accountId, 5);
  expect(await readyJobs(accountId)).toEqual(jobs.slice(0, 2));
  await endTestJob(log, accountId, jobs[1]!, "completed");
  await expectAccount(accountId, { running: 2, waiting: 2 });
  expect(await readyJobs(accountId)).toEqual(jobs.slice(0, 3));
});

test("each window hands its slots to its own waiting jobs, in their order", async () => {
  const accountId = await openTestAccount(log, { concurrentJobs: 1 });
  const sandbox = await acceptTestJobs(log, accountId, 3, { live: false });
  const live = await acceptTestJobs(log, accountId, 2);
  expect(await readyJobs(accountId)).toEqual([sandbox[0], live[0]]);
  await endTestJob(log, accountId, live[0]!, "completed");
  await expectAccount(accountId, { running: 1, waiting: 0, sandboxJobs: { running: 1, waiting: 2 } });
  await endTestJob(log, accountId, sandbox[1]!, "cancelled");
  await endTestJob(log, accountId, sandbox[0]!, "completed");
  await expectAccount(accountId, { running: 1, waiting: 0, sandboxJobs: { running: 1, waiting: 0 } });
  expect(await readyJobs(accountId)).toEqual([sandbox[0], live[0], live[1], sandbox[2]]);
});

test("a job cancelled while it waits is settled as waiting and never promoted", async () => {
  const accountId = await openTestAccount(log, { concurrentJobs: 1 });
  const jobs = await acceptTestJobs(log, accountId, 3);
  await endTestJob(log, accountId, jobs[1]!, "cancelled");
  await endTestJob(log, accountId, jobs[0]!, "completed");
  await expectAccount(accountId, { running: 1, waiting: 0 });
  expect(await readyJobs(accountId)).toEqual([jobs[0], jobs[2]]);
  await endTestJob(log, accountId, jobs[2]!, "completed");
  await expectAccount(accountId, { running: 0, waiting: 0 });
});

test("a raised limit promotes at once, further than one batch reaches", async () => {
  const accountId = await openTestAccount(log, { concurrentJobs: 1 }, 10_000);
  const jobs = await acceptTestJobs(log, accountId, 1_001);
  const subject = subjects.account(accountId);
  await log.transact("raise", async () => {
    const { value, sequence } = await log.read<Account>(subject);
    const raised = { ...value!, limits: { ...value!.limits, concurrentJobs: 1_000 } };
    return { writes: [{ subject, value: raised, expected: sequence }], result: undefined };
  });
  const eventId = uuidv7();
  await commitEvent(log, { v: 1, kind: "limits", eventId, createdAt: isoTime(Date.now()), accountId });
  await expectAccount(accountId, { running: 1_000, waiting: 1 });
  expect((await readyJobs(accountId)).sort()).toEqual(jobs.slice(0, 1_000).sort());
});

test("two keepers that handle the same events at once settle each job once", async () => {
  const limits = { concurrentJobs: 4 };
  const rounds = Array.from({ length: 10 }, async () => {
    const accountId = await openTestAccount(log, limits, 100);
    const jobs = await acceptTestJobs(log, accountId, 12);
    const events: FollowedEvent[] = [];
    for (const jobId of jobs) {
      await endTestJob(log, accountId, jobId, "failed");
      const { value, sequence } = await log.read<JobEndedEvent>(subjects.event(accountId, jobId, "failed"));
      events.push({ event: value!, sequence });
    }
    // The running keeper is a third.
    await Promise.all([
      createSettleAccounts({ log, logger })(events),
      createSettleAccounts({ log, logger })(events.slice(0, 7)),
    ]);
    expect(await readAccount(log, accountId)).toMatchObject({
      running: 0,
      waiting: 0,
      credits: expect.objectContaining({ remaining: 100 }),
    });
  });
  await Promise.all(rounds);
});
