/** What happens when the log has no room left: edits are refused early, jobs that are there end, nothing is lost. */

import { jetstreamManager } from "@nats-io/jetstream";
import type { Job } from "@packshot/domain/jobs/job.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { migrateLog } from "@packshot/log/operate/migrate.ts";
import { createLimiter } from "@packshot/platform/flow/limiter.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAccount } from "../../testing/api/accounts.ts";
import { type ApiProcesses, startApis } from "../../testing/api/api-processes.ts";
import { apiClient, type Reply } from "../../testing/api/contract-client.ts";
import { endTestJob, readAccount } from "../../testing/log/accepted-jobs.ts";

/** As several workers end them. */
const endsAtOnceMax = 16;
let apis: ApiProcesses;

beforeAll(async () => {
  apis = await startApis({ count: 2 });
});

afterAll(() => apis.stop());

test("a log that fills up refuses edits with unavailable, lets jobs end, and takes edits again when there is room", async () => {
  const { log } = apis;
  const limits = { concurrentJobs: 10_000, maxQueuedJobs: 10_000, rateLimitPerHour: 1_000_000_000 };
  const { accountId, key } = await openAccount(apis.all[0]!, { limits });
  await migrateLog(log.connection, { replicas: 1, bytesMax: 12_000_000 });
  const manager = await jetstreamManager(log.connection);
  const json = { imageUrl: "https://shop.example/mug.jpg", metadata: { note: "x".repeat(2_000) } };
  const clients = apis.all.map(({ url }) => apiClient(url, key));
  const jobIds: string[] = [];
  const submit = async (index: number): Promise<Reply> => {
    const reply = await clients[index % 2]!.call("POST", "/v1/tools/mask/edit", { json });
    if (reply.status === 202) jobIds.push(reply.body.id);
    return reply;
  };
  const refused = async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => submit(index)));
    expect(replies.map(({ status }) => status).filter((status) => status !== 202 && status !== 503)).toEqual([]);
    return replies.find(({ status }) => status === 503);
  };
  await expect.poll(refused).toBeDefined();
  const { status, headers, body } = (await refused())!;
  expect({ status, code: body.code, retryAfter: headers.has("Retry-After") }).toEqual({
    status: 503,
    code: "unavailable",
    retryAfter: true,
  });
  expect((await readAccount(log, accountId)).running).toBe(jobIds.length);

  // No account's record was dropped to make room, and every job that was taken can end and is settled.
  const limit = createLimiter(endsAtOnceMax);
  await Promise.all(jobIds.map((jobId) => limit(() => endTestJob(log, accountId, jobId, "failed", 1_000))));
  const settled = async () => (await readAccount(log, accountId)).running;
  await expect.poll(settled).toBe(0);
  const gone = async () => (await log.read<Job>(subjects.job(accountId, jobIds.at(-1)!))).value;
  await expect.poll(gone).toBeUndefined();

  // The outbox expires after an hour, and old events after three days: as if that had passed.
  await manager.streams.purge(streams.events);
  await manager.streams.purge(streams.ready);
  for (const filter of [
    subjects.event("*", "*", "*"),
    subjects.ready("*", "*", "*"),
    subjects.ledger("*", "*", "*", "*"),
  ])
    await manager.streams.purge(streams.state, { filter });
  await expect.poll(async () => (await submit(0)).status).toBe(202);
}, 180_000);
