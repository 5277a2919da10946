import { expect, test } from "vitest";
import { openAccount } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient } from "../../../../testing/api/contract-client.ts";
import { acceptTestJobs, endTestJob } from "../../../../testing/log/accepted-jobs.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

const apis = suiteFixture(startApis);

test("usage tells how long a day's completed jobs took, and only theirs", async () => {
  const { accountId, key } = await openAccount(apis.all[0]!);
  const client = apiClient(apis.all[0]!.url, key);
  const createdAt = new Date(Date.now() - 5_000).toISOString();
  const [completed, failed] = await acceptTestJobs(apis.log, accountId, 2, { createdAt });
  await endTestJob(apis.log, accountId, failed!, "failed");
  await endTestJob(apis.log, accountId, completed!, "completed");
  // The keeper settles what ended.
  const days = async () => (await client.call("GET", "/v1/account/usage")).body.data;
  await expect.poll(async () => (await days()).at(-1)?.latency?.jobs, { timeout: 30_000 }).toBe(1);
  const day = (await days()).at(-1);
  expect(day.latency.meanMs).toBeGreaterThanOrEqual(5_000);
  expect(day.latency.medianMs).toBeGreaterThan(3_500);
  expect(day.latency.queue.meanMs + day.latency.work.meanMs).toBeCloseTo(day.latency.meanMs, -1);
  expect(Object.keys(day.latency.byTool)).toHaveLength(1);
  expect(day.creditsRefunded).toBe(2);
});
