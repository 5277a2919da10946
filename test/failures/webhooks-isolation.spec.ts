import { uuidv7 } from "@packshot/domain/ids.ts";
import { describe, expect, it } from "vitest";
import { startLog } from "../../testing/log/test-log.ts";
import { startTrickling } from "./webhooks-endpoints.ts";
import { emit, endedEvent, registerWebhook, testEvent } from "../../testing/webhooks/webhook-records.ts";
import { loggedDelivery, untilNothingIsDue } from "../../testing/webhooks/delivery-log.ts";
import { type Receiver, startReceiver } from "../../testing/webhooks/receiver.ts";
import { startWebhookService } from "../../testing/webhooks/webhook-service.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";

const log = suiteFixture(startLog);
suiteFixture(() => startWebhookService(log.nats.url));

const idsOf = (receiver: Receiver) => new Set(receiver.received.map(({ id }) => id));

describe("endpoints of one account", () => {
  it("get their events while others are dead, slow or trickle; the log says of those what is wrong", async () => {
    const accountId = uuidv7();
    const [healthy, trickling] = [await startReceiver(), await startTrickling()];
    const [slow, gone] = [await startReceiver(() => {}), await startReceiver()];
    await gone.close();
    const dead = await registerWebhook(log, accountId, gone.url);
    const slowOne = await registerWebhook(log, accountId, slow.url);
    const tricklingOne = await registerWebhook(log, accountId, trickling.url);
    await registerWebhook(log, accountId, healthy.url);
    const events = Array.from({ length: 60 }, () => endedEvent(accountId));
    await emit(log, ...events);
    await healthy.until(() => idsOf(healthy).size === events.length);
    // Nothing of them has timed out yet: those that the healthy one got did not wait for it.
    expect(slow.received.length).toBeLessThanOrEqual(16);

    const firstLogged = async (webhookId: string, attempt: number) => {
      for (const { eventId } of events) {
        const webhook = [dead, slowOne, tricklingOne].find(({ webhook: { id } }) => id === webhookId)!.webhook;
        const delivery = await loggedDelivery(log, webhook, eventId, 1);
        const found = delivery.attempts.find((entry) => entry.attempt === attempt);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    expect((await firstLogged(dead.webhook.id, 1))?.error).toContain("ECONNREFUSED");
    expect((await firstLogged(slowOne.webhook.id, 0))?.error).toContain("nothing was sent yet");
    const [sent] = slow.received as [(typeof slow.received)[number]];
    const timedOut = await loggedDelivery(log, slowOne.webhook, sent.id, 1);
    expect(timedOut.status).toBe("pending");
    expect(timedOut.attempts[0]).toMatchObject({ status: null, error: "no answer within 15 s" });
    await trickling.close();
    await slow.close();
    await healthy.close();
  });
});

describe("an endpoint that was left alone", () => {
  /** 40 events while it answers 503: a few are sent, the circuit opens, the others wait. */
  async function failing() {
    const accountId = uuidv7();
    const state = { isWell: false, curedBy: "" };
    const taken: string[] = [];
    const receiver = await startReceiver((_request, response, { id }) => {
      state.isWell ||= id === state.curedBy;
      if (state.isWell) taken.push(id);
      response.writeHead(state.isWell ? 200 : 503).end();
    });
    const { webhook } = await registerWebhook(log, accountId, receiver.url);
    const events = Array.from({ length: 40 }, () => endedEvent(accountId));
    await emit(log, ...events);
    for (const { eventId } of events) await loggedDelivery(log, webhook, eventId, 1);
    expect(receiver.received.length).toBeLessThan(events.length);
    return { state, taken, receiver, webhook, events };
  }

  // What nobody calls comes back after two minutes: that it comes sooner shows that it was called.
  it("gets its postponed deliveries as soon as it answers again, each once", { timeout: 110_000 }, async () => {
    const { state, taken, receiver, events } = await failing();
    state.isWell = true;
    await receiver.until(() => new Set(taken).size === events.length);
    await untilNothingIsDue(log);
    expect(taken.length).toBe(events.length);
    await receiver.close();
  });

  it("is probed at once by a webhook.test, and an answer to that brings its postponed deliveries", {
    timeout: 110_000,
  }, async () => {
    const { state, taken, receiver, webhook, events } = await failing();
    const test = testEvent(webhook);
    // Until the test comes, whatever else is tried fails: behind forty others it would not come in time.
    state.curedBy = test.eventId;
    const triedBefore = receiver.received.length;
    await emit(log, test);
    await receiver.until(() => new Set(taken).size === events.length + 1);
    const before = receiver.received.slice(triedBefore).findIndex(({ id }) => id === test.eventId);
    expect(before, "tried meanwhile: the circuit's own trial at most, or another on a busy machine").toBeLessThan(3);
    expect(taken[0]).toBe(test.eventId);
    await receiver.close();
  });
});
