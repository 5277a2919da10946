import { uuidv7 } from "@packshot/domain/ids.ts";
import { describe, expect, it } from "vitest";
import { startLog } from "../../testing/log/test-log.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { loggedDelivery, untilNothingIsDue } from "../../testing/webhooks/delivery-log.ts";
import { type Receiver, startReceiver } from "../../testing/webhooks/receiver.ts";
import { emit, endedEvent, registerWebhook, testEvent } from "../../testing/webhooks/webhook-records.ts";
import { startWebhookService } from "../../testing/webhooks/webhook-service.ts";
import { startTrickling } from "./webhooks-endpoints.ts";

const log = suiteFixture(startLog);
suiteFixture(() => startWebhookService(log.nats.url));

const idsOf = (receiver: Receiver) => new Set(receiver.received.map(({ id }) => id));

describe("endpoints of one account", () => {
  it("get their events while others are dead, slow or trickle; the log says of those what is wrong", async () => {
    const accountId = uuidv7();
    const healthy = await startReceiver();
    const trickling = await startTrickling();
    const slow = await startReceiver(() => {});
    const gone = await startReceiver();
    await gone.close();
    const dead = await registerWebhook(log, accountId, gone.url);
    const slowOne = await registerWebhook(log, accountId, slow.url);
    const tricklingOne = await registerWebhook(log, accountId, trickling.url);
    await registerWebhook(log, accountId, healthy.url);
    const events = Array.from({ length: 60 }, () => endedEvent(accountId));
    await emit(log, ...events);
    await healthy.until(() => idsOf(healthy).size === events.length);
    // Before anything of them could time out, after 15 s: those that the healthy one got did not wait for it.
    const firstAtMs = slow.received[0]?.atMs ?? 0;
    expect(slow.received.filter(({ atMs }) => atMs - firstAtMs < 10_000).length).toBeLessThanOrEqual(16);

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
  /** 40 events while it answers 503: a few are sent and refused, the circuit opens, the others are postponed. */
  async function failing() {
    const accountId = uuidv7();
    const state = { isWell: false, curedBy: "" };
    const taken: { readonly id: string; readonly atMs: number }[] = [];
    const refused = new Set<string>();
    const receiver = await startReceiver((_request, response, { id, atMs }) => {
      state.isWell ||= id === state.curedBy;
      if (state.isWell) taken.push({ id, atMs });
      else refused.add(id);
      response.writeHead(state.isWell ? 200 : 503).end();
    });
    const { webhook } = await registerWebhook(log, accountId, receiver.url);
    const events = Array.from({ length: 40 }, () => endedEvent(accountId));
    await emit(log, ...events);
    const fallbackAtMs = new Map<string, number>();
    for (const { eventId } of events) {
      const { attempts, nextAttemptAt } = await loggedDelivery(log, webhook, eventId, 1);
      if (attempts.at(-1)!.attempt === 0) fallbackAtMs.set(eventId, Date.parse(nextAttemptAt!));
    }
    expect(fallbackAtMs.size).toBeGreaterThan(0);
    /** Those that were refused wait for their retry: on a slow machine that may be the third, after five minutes. */
    const postponed = () => [...fallbackAtMs].filter(([id]) => !refused.has(id));
    const takings = (id: string) => taken.filter((each) => each.id === id);
    const untilTaken = () => receiver.until(() => postponed().every(([id]) => takings(id).length > 0));
    /** What nobody promotes comes at its fallback time, after two minutes. */
    const unpromoted = () => postponed().filter(([id, atMs]) => takings(id)[0]!.atMs >= atMs);
    return { state, taken, receiver, webhook, untilTaken, unpromoted };
  }

  it("gets its postponed deliveries as soon as it answers again, each once", { timeout: 300_000 }, async () => {
    const { state, taken, receiver, untilTaken, unpromoted } = await failing();
    state.isWell = true;
    await untilTaken();
    expect(unpromoted()).toEqual([]);
    await untilNothingIsDue(log);
    expect(taken.length).toBe(new Set(taken.map(({ id }) => id)).size);
    await receiver.close();
  });

  it("is probed at once by a webhook.test, and an answer to that brings its postponed deliveries", {
    timeout: 300_000,
  }, async () => {
    const { state, taken, receiver, webhook, untilTaken, unpromoted } = await failing();
    const test = testEvent(webhook);
    // Until the test comes, whatever else is tried fails: behind forty others it would not come in time.
    state.curedBy = test.eventId;
    const triedBefore = receiver.received.length;
    await emit(log, test);
    await receiver.until(() => taken.length > 0);
    const before = receiver.received.slice(triedBefore).findIndex(({ id }) => id === test.eventId);
    expect(before, "tried meanwhile: the circuit's own trial at most, or another on a busy machine").toBeLessThan(3);
    expect(taken[0]!.id).toBe(test.eventId);
    await untilTaken();
    expect(unpromoted()).toEqual([]);
    await receiver.close();
  });
});
