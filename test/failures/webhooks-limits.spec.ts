/** The limits that clients set for their endpoints, kept by processes that share the deliveries. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { expect, it } from "vitest";
import { startLog } from "../../testing/log/test-log.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { loggedDelivery, untilNothingIsDue } from "../../testing/webhooks/delivery-log.ts";
import { startReceiver } from "../../testing/webhooks/receiver.ts";
import { emit, endedEvent, registerWebhook } from "../../testing/webhooks/webhook-records.ts";
import { startWebhookService } from "../../testing/webhooks/webhook-service.ts";

const log = suiteFixture(startLog);

it("no more requests go to an endpoint at once than it takes, none fails, and others do not wait", {
  timeout: 120_000,
}, async () => {
  const service = await startWebhookService(log.nats.url);
  const accountId = uuidv7();
  const held: ServerResponse[] = [];
  let isHolding = true;
  let openMax = 0;
  let open = 0;
  const limited = await startReceiver((_request, response) => {
    openMax = Math.max(openMax, ++open);
    void once(response, "finish").then(() => {
      open -= 1;
    });
    if (isHolding) held.push(response);
    else response.writeHead(204).end();
  });
  const other = await startReceiver();
  const { webhook } = await registerWebhook(log, accountId, limited.url, { maxConcurrent: 2 });
  await registerWebhook(log, accountId, other.url);
  const events = Array.from({ length: 60 }, () => endedEvent(accountId));
  await emit(log, ...events);
  await other.until((received) => received.length === events.length);
  await limited.until((received) => received.length === 2);
  isHolding = false;
  for (const response of held) response.writeHead(204).end();
  await limited.until((received) => received.length === events.length);
  expect(openMax).toBe(2);
  await untilNothingIsDue(log);
  const deliveries = await Promise.all(events.map(({ eventId }) => loggedDelivery(log, webhook, eventId, 1)));
  // A postponement has the number 0, and is no attempt.
  const sent = deliveries.map(({ attempts }) => attempts.filter(({ attempt }) => attempt > 0));
  expect(sent.flat()).toHaveLength(events.length);
  expect(deliveries.filter(({ status }) => status !== "succeeded")).toEqual([]);
  const postponed = deliveries.flatMap(({ attempts }) => attempts.filter(({ attempt }) => attempt === 0));
  expect(postponed[0]).toMatchObject({
    outcome: "postponed",
    error: "the webhook's maxPerSecond or maxConcurrent is reached; nothing was sent yet",
  });
  await service.stop();
  await limited.close();
  await other.close();
});

it("two processes together send no more a second than an endpoint takes", { timeout: 120_000 }, async () => {
  const services = await Promise.all([startWebhookService(log.nats.url), startWebhookService(log.nats.url)]);
  const accountId = uuidv7();
  const receiver = await startReceiver();
  const maxPerSecond = 10;
  const { webhook } = await registerWebhook(log, accountId, receiver.url, { maxPerSecond });
  const events = Array.from({ length: 40 }, () => endedEvent(accountId));
  await emit(log, ...events);
  await receiver.until((received) => received.length === events.length);
  await untilNothingIsDue(log);
  const deliveries = await Promise.all(events.map(({ eventId }) => loggedDelivery(log, webhook, eventId, 1)));
  const sent = deliveries.flatMap(({ attempts }) => attempts.filter(({ attempt }) => attempt > 0));
  expect(sent).toHaveLength(events.length);
  const begunMs = sent.map(({ at }) => Date.parse(at)).sort((a, b) => a - b);
  // Each process may begin with one.
  const seconds = (begunMs.at(-1)! - begunMs[0]!) / 1_000;
  expect(sent.length).toBeLessThanOrEqual(seconds * maxPerSecond + services.length);
  for (const service of services) await service.stop();
  await receiver.close();
});

it("what waits for its turn goes to another process when this one stops", { timeout: 120_000 }, async () => {
  const first = await startWebhookService(log.nats.url);
  const accountId = uuidv7();
  const held: ServerResponse[] = [];
  const receiver = await startReceiver((_request, response, _received, count) => {
    if (count === 1) held.push(response);
    else response.writeHead(204).end();
  });
  const { webhook } = await registerWebhook(log, accountId, receiver.url, { maxConcurrent: 1 });
  const events = Array.from({ length: 4 }, () => endedEvent(accountId));
  await emit(log, ...events);
  await receiver.until((received) => received.length === 1);
  const stopped = first.stop();
  const second = await startWebhookService(log.nats.url);
  held[0]!.writeHead(204).end();
  await stopped;
  await receiver.until((received) => received.length === events.length);
  await untilNothingIsDue(log);
  for (const { eventId } of events) {
    expect((await loggedDelivery(log, webhook, eventId, 1)).attempts).toMatchObject([
      { attempt: 1, outcome: "succeeded" },
    ]);
  }
  await second.stop();
  await receiver.close();
});
