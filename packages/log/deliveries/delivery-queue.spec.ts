import { jetstream } from "@nats-io/jetstream";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { streams } from "@packshot/domain/subjects.ts";
import type { DeliveryMessage } from "@packshot/domain/webhooks/delivery.ts";
import { describe, expect, it } from "vitest";
import { startLog } from "../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { deliveriesConsumerName } from "../nats/streams.ts";
import { promotePostponed, scheduleDelivery } from "./delivery-queue.ts";

const hourMs = 3_600_000;
const log = suiteFixture(startLog);

function newMessage(change: Partial<DeliveryMessage> = {}): DeliveryMessage {
  const key = { accountId: uuidv7(), webhookId: uuidv7(), eventId: uuidv7() };
  return { v: 1, ...key, event: "job.completed", jobId: uuidv7(), body: "{}", attempts: 0, failures: 0, ...change };
}

const inAnHour = () => Date.now() + hourMs;

describe("promotePostponed", () => {
  it("makes a postponed delivery due, with its content unchanged", async () => {
    const message = newMessage({ postponed: true, attempts: 3, failures: 2 });
    await scheduleDelivery(log.connection, message, inAnHour());
    expect(await promotePostponed(log.connection, message, Date.now())).toBe(true);
    const consumer = await jetstream(log.connection).consumers.get(streams.deliveries, deliveriesConsumerName);
    const due = await consumer.next({ expires: 30_000 });
    expect(due?.json()).toEqual(message);
    expect(await promotePostponed(log.connection, message, Date.now())).toBe(false);
  });

  it("promotes neither a scheduled retry nor a delivery that is not there", async () => {
    const retry = newMessage({ attempts: 1, failures: 1 });
    await scheduleDelivery(log.connection, retry, inAnHour());
    expect(await promotePostponed(log.connection, retry, Date.now())).toBe(false);
    expect(await promotePostponed(log.connection, newMessage(), Date.now())).toBe(false);
  });
});

describe("scheduleDelivery", () => {
  it("refuses to replace a schedule that has changed since, so that nothing is sent twice", async () => {
    const message = newMessage({ postponed: true });
    await scheduleDelivery(log.connection, message, inAnHour());
    await expect(scheduleDelivery(log.connection, message, Date.now(), 1_000_000)).rejects.toThrow(/10071/);
    await scheduleDelivery(log.connection, message, inAnHour());
  });
});
