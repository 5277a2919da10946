import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import type { DeliveryAttempt } from "@packshot/domain/webhooks/delivery.ts";
import { expect, it } from "vitest";
import { startLog } from "../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { createBatchPublisher } from "../commit/batch-publisher.ts";
import { recordAttempt } from "./attempt-log.ts";
import { redeliver, redeliverFailed } from "./delivery-queue.ts";

const log = suiteFixture(startLog);
const webhook = { accountId: uuidv7(), webhookId: uuidv7() };

/** The last attempt of a delivery, whose earlier ones have expired from the log. */
async function recordExhausted(body?: string): Promise<DeliveryAttempt> {
  const attempt: DeliveryAttempt = {
    v: 1,
    ...webhook,
    eventId: uuidv7(),
    event: "job.completed",
    jobId: uuidv7(),
    attempt: 10,
    at: isoTime(Date.now()),
    outcome: "exhausted",
    status: 500,
    durationMs: 1,
    responseHead: "",
    error: "the endpoint answered 500",
    nextAttemptAt: null,
    ...(body === undefined ? {} : { body }),
  };
  await recordAttempt(createBatchPublisher(log.connection), attempt);
  return attempt;
}

it("redelivers the failed deliveries whose bodies the log has, and passes over the others", async () => {
  await recordExhausted("{}");
  const withoutBody = await recordExhausted();
  await recordExhausted("{}");
  const failed = { ...webhook, sinceMs: Date.now() - 60_000 };
  const all = { ...failed, admit: async (deliveries: number) => deliveries };
  expect(await redeliverFailed(log.connection, all)).toEqual({ redelivered: 2, left: 0 });
  expect(await redeliverFailed(log.connection, { ...failed, admit: async () => 1 })).toEqual({
    redelivered: 1,
    left: 2,
  });
  await expect(redeliver(log.connection, withoutBody)).rejects.toMatchObject({ code: "not_found" });
});
