/**
 * Kills of the webhook service and of nats-server. The tests run side by side, each on a log of its own: a delivery that its
 * process dies with comes again after half a minute, and nothing is done meanwhile. The fleet here has a thousand pairs of event and
 * endpoint; `make soak-webhooks` has ten thousand, and more kills.
 */
import { uuidv7 } from "@packshot/domain/ids.ts";
import { describe, it } from "vitest";
import { startLog } from "../../testing/log/test-log.ts";
import { untilNothingIsDue } from "../../testing/webhooks/delivery-log.ts";
import { startReceiver } from "../../testing/webhooks/receiver.ts";
import { emit, endedEvent, registerWebhook } from "../../testing/webhooks/webhook-records.ts";
import { startWebhookService } from "../../testing/webhooks/webhook-service.ts";
import { runFleet } from "./webhooks-fleet.ts";

describe.concurrent("a fleet of fifty receivers, the webhook service and nats-server killed under it", () => {
  it("loses nothing, and sends twice only what a crash kept from being logged", { timeout: 300_000 }, async ({
    expect,
  }) => {
    const report = await runFleet({ events: 20, serviceKills: 2, natsKills: 1, say: () => {} });
    expect(report).toMatchObject({
      pairs: 1_000,
      lost: [],
      offSchedule: [],
      unknownIds: 0,
      changedBodies: 0,
      healthyMissing: 0,
    });
    expect(report.delivered + report.scheduled + report.ended + report.notDue).toBe(1_000);
  });
});

describe.concurrent("a webhook service that dies", () => {
  it.for([
    ["after it queued the deliveries, before its cursor moved", "fan-out:before-cursor", 1],
    ["after the endpoint took it, before that was logged", "deliver:after-send", 2],
    ["after it was logged, before its message was acked", "deliver:before-ack", 1],
  ] as const)(
    "%s, delivers it under the same id",
    { timeout: 120_000 },
    async ([, place, requests], { expect, onTestFinished }) => {
      const log = await startLog();
      onTestFinished(log.stop);
      const accountId = uuidv7();
      const receiver = await startReceiver();
      await registerWebhook(log, accountId, receiver.url);
      const dying = await startWebhookService(log.nats.url, { PACKSHOT_FAILPOINT: place });
      const event = endedEvent(accountId);
      const later = endedEvent(accountId);
      await emit(log, event);
      await dying.ended;
      const service = await startWebhookService(log.nats.url);
      await emit(log, later);
      await receiver.until((received) => {
        const ofEvent = received.filter(({ id }) => id === event.eventId).length;
        return ofEvent === requests && received.some(({ id }) => id === later.eventId);
      });
      const bodies = receiver.received.filter(({ id }) => id === event.eventId).map(({ body }) => body);
      expect(new Set(bodies).size).toBe(1);
      await untilNothingIsDue(log);
      await service.stop();
      expect(receiver.received.length).toBe(requests + 1);
      await receiver.close();
    },
  );
});
