/** One account's failing endpoint fills the delivery queue that all accounts share: nobody else is stopped. */

import { jetstreamManager } from "@nats-io/jetstream";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { streams } from "@packshot/domain/subjects.ts";
import type { Webhook } from "@packshot/domain/webhooks/webhook.ts";
import { listDeliveries } from "@packshot/log/deliveries/attempt-log.ts";
import { redeliverFailed } from "@packshot/log/deliveries/delivery-queue.ts";
import { readStreamInfo } from "@packshot/log/nats/jetstream-request.ts";
import { bytesMaxMetadata } from "@packshot/log/nats/streams.ts";
import { expect, it } from "vitest";
import { openAccount } from "../../testing/api/accounts.ts";
import { startApis } from "../../testing/api/api-processes.ts";
import { apiClient } from "../../testing/api/contract-client.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { loggedDelivery } from "../../testing/webhooks/delivery-log.ts";
import { startReceiver } from "../../testing/webhooks/receiver.ts";
import { emit, endedEvent, registerWebhook, testEvent } from "../../testing/webhooks/webhook-records.ts";
import { startWebhookService } from "../../testing/webhooks/webhook-service.ts";

const apis = suiteFixture(() => startApis());
const service = suiteFixture(() => startWebhookService(apis.nats.url));

/** Fills the queue. */
const waiting = 60;

/** Resolves when the queue holds nothing but what waits: a message that was delivered still counts until its ack is handled. */
async function untilOnlyRetriesWait(): Promise<void> {
  const messages = async () => (await readStreamInfo(apis.log.connection, streams.deliveries)).state.messages;
  await expect.poll(messages).toBe(waiting);
}

/** Lets the queue have so many bytes that what it holds now is this part of them; both processes know it afterward. */
async function setFill(fill: number): Promise<void> {
  const { connection } = apis.log;
  const { config, state } = await readStreamInfo(connection, streams.deliveries);
  const max = String(Math.ceil(state.bytes / fill));
  const manager = await jetstreamManager(connection);
  await manager.streams.update(streams.deliveries, { metadata: { ...config.metadata, [bytesMaxMetadata]: max } });
  for (const { metrics } of [service, apis.all[0]!]) {
    const text = async () => await (await fetch(`http://${metrics}/metrics`)).text();
    const line = new RegExp(`^packshot_log_stream_bytes_max\\{.*stream="PS_DELIVERIES".*\\} ${max}$`, "m");
    await expect.poll(text).toMatch(line);
  }
}

/** Sends events to the webhook; resolves with what the log has of each once its first entry is there. */
async function deliver(webhook: Webhook, count: number) {
  const events = Array.from({ length: count }, () => endedEvent(webhook.accountId));
  await emit(apis.log, ...events);
  return await Promise.all(events.map(({ eventId }) => loggedDelivery(apis.log, webhook, eventId, 1)));
}

it("takes edits, delivers to others, and lists what the failing endpoint did not get as failed", async () => {
  const { log } = apis;
  let status = 404;
  const failing = await startReceiver((_request, response) => {
    response.writeHead(status, { "retry-after": "3600" }).end();
  });
  const { webhook: dead } = await registerWebhook(log, uuidv7(), failing.url);
  const ofDead = { accountId: dead.accountId, webhookId: dead.id };
  await deliver(dead, waiting);
  // They wait an hour, as the endpoint asks. A retry that became due would change how full the queue is, and a 5xx would open
  // the circuit, whose probes change it, too.
  const lastOutcomes = async () => {
    const { data } = await listDeliveries(log.connection, { ...ofDead, limit: 100 });
    return data.map(({ attempts }) => attempts.at(-1)!.outcome);
  };
  await expect.poll(lastOutcomes).toEqual(Array(waiting).fill("retrying"));
  status = 503;

  // More than it may have.
  await untilOnlyRetriesWait();
  await setFill(1.2);
  const { key } = await openAccount(apis.all[0]!);
  const json = { imageUrl: "https://shop.example/mug.jpg" };
  const edit = await apiClient(apis.all[0]!.url, key).call("POST", "/v1/tools/mask/edit", { json });
  expect(edit.status).toBe(202);
  const healthy = await startReceiver((_request, response, _received, count) => {
    response.writeHead(count % 2 === 1 ? 204 : 500).end();
  });
  const { webhook: neighbor } = await registerWebhook(log, uuidv7(), healthy.url);
  expect(await deliver(neighbor, 1)).toMatchObject([{ status: "succeeded" }]);
  const whyTried = "the endpoint answered 500; not tried again: too many deliveries wait";
  expect(await deliver(neighbor, 1)).toMatchObject([
    { status: "failed", attempts: [{ outcome: "abandoned", status: 500, error: whyTried }] },
  ]);
  const refusedWhenFull = await deliver(dead, 5);

  // More than half of what it may have: healthy endpoints keep their retries.
  await untilOnlyRetriesWait();
  await setFill(0.7);
  expect(await deliver(neighbor, 1)).toMatchObject([{ status: "succeeded" }]);
  expect(await deliver(neighbor, 1)).toMatchObject([{ status: "pending", attempts: [{ outcome: "retrying" }] }]);
  const refused = [...refusedWhenFull, ...(await deliver(dead, 5))];
  for (const { status, nextAttemptAt, attempts } of refused) {
    expect({ status, nextAttemptAt }).toEqual({ status: "failed", nextAttemptAt: null });
    expect(attempts[0]).toMatchObject({ outcome: "abandoned", error: expect.stringContaining("too many deliveries") });
  }
  const listed = await listDeliveries(log.connection, { ...ofDead, limit: 100, status: "failed" });
  expect(listed.data.map(({ id }) => id)).toEqual(expect.arrayContaining(refused.map(({ id }) => id)));

  // The endpoint answers again, there is room, and the client asks for what it did not get.
  await setFill(0.1);
  status = 204;
  const test = testEvent(dead);
  await emit(log, test);
  await failing.until((received) => received.some(({ id }) => id === test.eventId));
  const { left } = await redeliverFailed(log.connection, { ...ofDead, sinceMs: 0, admit: async (count) => count });
  expect(left).toBe(0);
  for (const { id } of refused)
    expect((await loggedDelivery(log, dead, id, 2)).attempts.at(-1)!.outcome).toMatch(/succeeded|postponed/);
  await failing.until((received) => refused.every((delivery) => received.some(({ id }) => id === delivery.id)));
  await Promise.all([failing.close(), healthy.close()]);
}, 180_000);
