import { uuidv7 } from "@packshot/domain/ids.ts";
import { createWebhookSecret } from "@packshot/domain/webhooks/webhook.ts";
import { Webhook as Verifier } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { startLog } from "../../testing/log/test-log.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { untilNothingIsDue } from "../../testing/webhooks/delivery-log.ts";
import { startReceiver } from "../../testing/webhooks/receiver.ts";
import { emit, endedEvent, registerWebhook, sealedSecret, testEvent } from "../../testing/webhooks/webhook-records.ts";
import { startWebhookService } from "../../testing/webhooks/webhook-service.ts";

const log = suiteFixture(startLog);
suiteFixture(() => startWebhookService(log.nats.url));

describe("a delivery", () => {
  it("reaches a webhook registered just before the event, signed so that the reference verifier takes it", async () => {
    const accountId = uuidv7();
    const receiver = await startReceiver();
    const { secret } = await registerWebhook(log, accountId, receiver.url);
    const event = endedEvent(accountId);
    await emit(log, event);
    await receiver.until((received) => received.length === 1);
    const [{ body, headers }] = receiver.received as [(typeof receiver.received)[number]];
    const envelope = new Verifier(secret).verify(body, headers as Record<string, string>);
    expect(envelope).toEqual({
      event: "job.completed",
      eventId: event.eventId,
      createdAt: event.createdAt,
      data: {
        id: event.jobId,
        tool: "mask",
        status: "completed",
        resultUrl: expect.stringContaining(`/storage/${event.result!.key}?`),
        thumbnailUrl: expect.stringContaining(`/storage/${event.thumbnail!.key}?`),
        metadata: { sku: "A-1" },
        createdAt: event.jobCreatedAt,
        startedAt: event.startedAt,
        finishedAt: event.finishedAt,
        expiresAt: event.expiresAt,
        creditsCharged: 1,
      },
    });
    await receiver.close();
  });

  it("of webhook.test goes to its webhook only", async () => {
    const accountId = uuidv7();
    const tested = await startReceiver();
    const other = await startReceiver();
    const { webhook } = await registerWebhook(log, accountId, tested.url);
    await registerWebhook(log, accountId, other.url);
    const event = testEvent(webhook);
    await emit(log, event);
    await tested.until((received) => received.length === 1);
    expect(JSON.parse(tested.received[0]!.body)).toMatchObject({ event: "webhook.test", data: { id: webhook.id } });
    const later = endedEvent(accountId);
    await emit(log, later);
    await other.until((received) => received.length === 1);
    expect(other.received.map(({ id }) => id)).toEqual([later.eventId]);
    await tested.close();
    await other.close();
  });

  it("is signed with both secrets while one replaces the other", async () => {
    const accountId = uuidv7();
    const receiver = await startReceiver();
    const older = createWebhookSecret();
    const newer = createWebhookSecret();
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    await registerWebhook(log, accountId, receiver.url, {
      secrets: [sealedSecret(newer, null), sealedSecret(older, inAnHour)],
    });
    const event = endedEvent(accountId);
    await emit(log, event);
    await receiver.until((received) => received.length === 1);
    const [{ body, headers }] = receiver.received as [(typeof receiver.received)[number]];
    for (const secret of [older, newer]) {
      const envelope = new Verifier(secret).verify(body, headers as Record<string, string>);
      expect(envelope).toMatchObject({ eventId: event.eventId });
    }
    await receiver.close();
  });

  it("of webhook.test goes to a disabled webhook too; job events do not", async () => {
    const accountId = uuidv7();
    const receiver = await startReceiver();
    const { webhook } = await registerWebhook(log, accountId, receiver.url, {
      status: { kind: "disabled", reason: "client", at: new Date().toISOString() },
    });
    const test = testEvent(webhook);
    await emit(log, endedEvent(accountId), test);
    await receiver.until((received) => received.length === 1);
    await untilNothingIsDue(log);
    expect(receiver.received.map(({ id }) => id)).toEqual([test.eventId]);
    await receiver.close();
  });

  it("is tried again after a failure, with the same id and the same bytes", async () => {
    const accountId = uuidv7();
    const receiver = await startReceiver((_request, response, _received, count) => {
      response.writeHead(count === 1 ? 500 : 200).end();
    });
    await registerWebhook(log, accountId, receiver.url);
    await emit(log, endedEvent(accountId));
    await receiver.until((received) => received.length === 2);
    const [first, second] = receiver.received;
    expect(second!.id).toBe(first!.id);
    expect(second!.body).toBe(first!.body);
    expect(second!.atMs - first!.atMs).toBeGreaterThanOrEqual(4_900);
    await receiver.close();
  });
});
