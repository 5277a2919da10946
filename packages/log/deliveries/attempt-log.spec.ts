import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import type { DeliveryAttempt, DeliveryMessage } from "@packshot/domain/webhooks/delivery.ts";
import { expect, it } from "vitest";
import { startLog } from "../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { createBatchPublisher } from "../commit/batch-publisher.ts";
import { findDeliveryWithRequest, listDeliveries, recordAttempt } from "./attempt-log.ts";
import { promotePostponed, scheduleDelivery, unscheduleDelivery } from "./delivery-queue.ts";

const log = suiteFixture(startLog);
const webhook = { accountId: uuidv7(), webhookId: uuidv7() };
const hourMs = 3_600_000;

/** Its first entry, from an hour ago: what was planned then has passed. */
async function record(outcome: "postponed" | "retrying" | "exhausted"): Promise<DeliveryMessage> {
  const attempt = outcome === "postponed" ? 0 : 1;
  const message = { ...webhook, v: 1, eventId: uuidv7(), event: "job.completed", jobId: uuidv7(), body: "{}" } as const;
  const entry: DeliveryAttempt = {
    ...message,
    attempt,
    at: isoTime(Date.now() - hourMs),
    outcome,
    status: null,
    durationMs: 0,
    responseHead: "",
    error: "the endpoint is failing",
    nextAttemptAt: outcome === "exhausted" ? null : isoTime(Date.now() - hourMs / 2),
  };
  await recordAttempt(createBatchPublisher(log.connection), entry);
  return { ...message, attempts: attempt, failures: attempt, ...(attempt === 0 ? { postponed: true } : {}) };
}

/** As the list shows it and as it is shown alone: they are the same. */
async function nextAttemptOf(message: DeliveryMessage): Promise<string | null> {
  const page = await listDeliveries(log.connection, { ...webhook, limit: 100 });
  const listed = page.data.find(({ id }) => id === message.eventId)!.nextAttemptAt;
  expect((await findDeliveryWithRequest(log.connection, message))!.nextAttemptAt).toBe(listed);
  return listed;
}

it.each(["postponed", "retrying"] as const)("a %s delivery's next attempt moves with its schedule", async (outcome) => {
  const message = await record(outcome);
  const others = [await record("postponed"), await record("retrying")];
  for (const [n, other] of others.entries())
    await scheduleDelivery(log.connection, other, Date.now() + (n + 9) * hourMs);
  for (const hours of [1, 3, 2]) {
    const atMs = Date.now() + hours * hourMs;
    await scheduleDelivery(log.connection, { ...message, postponed: true }, atMs);
    expect(await nextAttemptOf(message)).toBe(isoTime(atMs));
  }
  const probeAtMs = Date.now() + hourMs / 2;
  expect(await promotePostponed(log.connection, message, probeAtMs)).toBe(true);
  expect(await nextAttemptOf(message)).toBe(isoTime(probeAtMs));
});

it("a delivery that is due or being sent has no time that has passed", async () => {
  const message = await record("postponed");
  await scheduleDelivery(log.connection, message, Date.now() + hourMs);
  await unscheduleDelivery(log.connection, message);
  expect(await nextAttemptOf(message)).toBeNull();
  await scheduleDelivery(log.connection, message, Date.now() - 1_000);
  expect(await nextAttemptOf(message)).toBeNull();
});

it("a delivery that has ended has none, whatever is scheduled", async () => {
  const message = await record("exhausted");
  await scheduleDelivery(log.connection, message, Date.now() + hourMs);
  expect(await nextAttemptOf(message)).toBeNull();
});
