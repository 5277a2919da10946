import { uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { deliveryStatusFor } from "@packshot/domain/webhooks/delivery.ts";
import { type Webhook, webhookWrites } from "@packshot/domain/webhooks/webhook.ts";
import { createBatchPublisher } from "@packshot/log/commit/batch-publisher.ts";
import { listDeliveries, recordAttempt } from "@packshot/log/deliveries/attempt-log.ts";
import { redeliver, redeliverFailed } from "@packshot/log/deliveries/delivery-queue.ts";
import { describe, expect, it } from "vitest";
import { startLog } from "../../testing/log/test-log.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { loggedDelivery, patientRequest } from "../../testing/webhooks/delivery-log.ts";
import { startReceiver } from "../../testing/webhooks/receiver.ts";
import { emit, endedEvent, registerWebhook, testEvent } from "../../testing/webhooks/webhook-records.ts";
import { startWebhookService } from "../../testing/webhooks/webhook-service.ts";

const log = suiteFixture(startLog);
const service = suiteFixture(() => startWebhookService(log.nats.url));

const logged = (webhook: Webhook, eventId: string, attempts: number) => loggedDelivery(log, webhook, eventId, attempts);

async function webhookRecord({ accountId, id }: Webhook): Promise<Webhook> {
  return (await log.read<Webhook>(subjects.webhook(accountId, id))).value!;
}

describe("the delivery log", () => {
  it("shows time, status, duration and first bytes of each attempt", async () => {
    const accountId = uuidv7();
    const receiver = await startReceiver((_request, response) => void response.writeHead(503).end("on holiday"));
    const { webhook } = await registerWebhook(log, accountId, receiver.url);
    const event = endedEvent(accountId);
    await emit(log, event);
    const delivery = await logged(webhook, event.eventId, 1);
    expect(delivery).toMatchObject({
      id: event.eventId,
      status: "pending",
      event: "job.completed",
      jobId: event.jobId,
    });
    expect(delivery.attempts).toEqual([
      {
        attempt: 1,
        at: expect.any(String),
        outcome: "retrying",
        status: 503,
        durationMs: expect.any(Number),
        responseHead: "on holiday",
        error: "the endpoint answered 503",
      },
    ]);
    expect(Date.parse(delivery.nextAttemptAt!)).toBeGreaterThan(Date.now());
    expect((await webhookRecord(webhook)).failingSince).not.toBeNull();
    await receiver.close();
  });

  it.each([
    ["as it asks", "90", 90_000],
    ["a day at most, whatever it asks", "9999999", 24 * 3600 * 1000],
    ["not less than the schedule says", "1", 5_000],
  ])("waits for an endpoint's Retry-After %s", async (_how, retryAfter, waitMs) => {
    const accountId = uuidv7();
    const receiver = await startReceiver((_request, response) => {
      response.writeHead(503, { "retry-after": retryAfter }).end();
    });
    const { webhook } = await registerWebhook(log, accountId, receiver.url);
    const event = endedEvent(accountId);
    await emit(log, event);
    const { attempts, nextAttemptAt } = await logged(webhook, event.eventId, 1);
    const waitedMs = Date.parse(nextAttemptAt!) - Date.parse(attempts[0]!.at);
    expect(waitedMs).toBeGreaterThanOrEqual(waitMs);
    // Stretched by a tenth at most; the rest is a minute for what the machine does in between.
    expect(waitedMs).toBeLessThan(waitMs * 1.1 + 60_000);
    await receiver.close();
  });

  it("sends nothing to a name that leads to an address that may not be called", async () => {
    const accountId = uuidv7();
    const receiver = await startReceiver();
    // The name is not listed, only the address is, and only where it stands in the URL.
    const url = receiver.url.replace("127.0.0.1", "localhost");
    const { webhook } = await registerWebhook(log, accountId, url);
    const event = endedEvent(accountId);
    await emit(log, event);
    const delivery = await logged(webhook, event.eventId, 1);
    expect(delivery.attempts[0]!.error).toContain("may not be called");
    expect(receiver.connections()).toBe(0);
    await receiver.close();
  });

  it("shows a redirect as a failure, and nothing is sent to where it leads", async () => {
    const accountId = uuidv7();
    const elsewhere = await startReceiver();
    const receiver = await startReceiver((_request, response) => {
      response.writeHead(307, { location: elsewhere.url }).end();
    });
    const { webhook } = await registerWebhook(log, accountId, receiver.url);
    const event = endedEvent(accountId);
    await emit(log, event);
    const delivery = await logged(webhook, event.eventId, 1);
    expect(delivery.attempts).toMatchObject([{ outcome: "retrying", status: 307 }]);
    expect(elsewhere.connections()).toBe(0);
    await receiver.close();
    await elsewhere.close();
  });

  it("delivers a webhook's test event in the same way", async () => {
    const receiver = await startReceiver();
    const { webhook } = await registerWebhook(log, uuidv7(), receiver.url);
    const event = testEvent(webhook);
    await emit(log, event);
    expect(await logged(webhook, event.eventId, 1)).toMatchObject({ status: "succeeded", event: "webhook.test" });
    await receiver.close();
  });

  it("redelivers the same bytes under the same id, in place of a retry that waits", async () => {
    const accountId = uuidv7();
    const receiver = await startReceiver((_request, response, _received, count) => {
      response.writeHead(count === 1 ? 500 : 200, count === 1 ? { "retry-after": "3600" } : {}).end();
    });
    const { webhook } = await registerWebhook(log, accountId, receiver.url);
    const event = endedEvent(accountId);
    await emit(log, event);
    await logged(webhook, event.eventId, 1);
    await redeliver(log.connection, { accountId, webhookId: webhook.id, eventId: event.eventId });
    const delivery = await logged(webhook, event.eventId, 2);
    expect(delivery.status).toBe("succeeded");
    expect(receiver.received[1]!.body).toBe(receiver.received[0]!.body);
    expect(receiver.received[1]!.id).toBe(receiver.received[0]!.id);
    const left = await log.connection.request(
      "$JS.API.STREAM.INFO.PS_DELIVERIES",
      JSON.stringify({ subjects_filter: `psd.retry.${accountId}.>` }),
      patientRequest,
    );
    expect(left.json<{ state: { subjects?: object } }>().state.subjects ?? {}).toEqual({});
    await receiver.close();
  });

  it("disables on 410, says so on the record, and redelivers everything failed once it is enabled again", async () => {
    const accountId = uuidv7();
    let isGone = true;
    const receiver = await startReceiver((_request, response) => void response.writeHead(isGone ? 410 : 200).end());
    const { webhook } = await registerWebhook(log, accountId, receiver.url);
    const event = endedEvent(accountId);
    await emit(log, event);
    expect((await logged(webhook, event.eventId, 1)).status).toBe("failed");
    const disabled = await webhookRecord(webhook);
    expect(disabled.status).toMatchObject({ kind: "disabled", reason: "gone" });
    const metrics = await (await fetch(`http://${service.metrics}/metrics`)).text();
    expect(metrics).toMatch(/packshot_webhook_disabled_total\{reason="gone"[^}]*\} [1-9]/);
    const isSaid = () =>
      service.logLines.some((line) => line.includes("webhook disabled") && line.includes(webhook.id));
    await expect.poll(isSaid).toBe(true);

    isGone = false;
    const enabled: Webhook = { ...disabled, status: { kind: "enabled" } };
    await log.commit("webhook", webhookWrites(webhook, enabled));
    const admit = async (deliveries: number) => deliveries;
    const failed = (sinceMs: number) =>
      redeliverFailed(log.connection, { accountId, webhookId: webhook.id, sinceMs, admit });
    expect(await failed(Date.now() + 1_000)).toEqual({ redelivered: 0, left: 0 });
    expect(await failed(0)).toEqual({ redelivered: 1, left: 0 });
    expect((await logged(webhook, event.eventId, 2)).status).toBe("succeeded");
    await receiver.close();
  });

  it("tells the account's other webhooks of one that it disables, once", async () => {
    const accountId = uuidv7();
    let answer = 410;
    const gone = await startReceiver((_request, response) => void response.writeHead(answer).end());
    const other = await startReceiver();
    const { webhook } = await registerWebhook(log, accountId, gone.url);
    await registerWebhook(log, accountId, other.url, { events: ["webhook.disabled"] });
    await registerWebhook(log, accountId, other.url, { events: ["webhook.disabled"], live: false });
    const events = [endedEvent(accountId), endedEvent(accountId), endedEvent(accountId)];
    await Promise.all(events.map((event) => emit(log, event)));
    for (const { eventId } of events) await logged(webhook, eventId, 1);
    await expect.poll(() => other.received.length).toBe(1);
    const body = JSON.parse(other.received[0]!.body) as { event: string; data: object };
    expect(body.event).toBe("webhook.disabled");
    expect(body.data).toMatchObject({
      id: webhook.id,
      status: "disabled",
      tool: null,
      webhook: { url: webhook.url, disabledReason: "gone", failingSince: null },
    });
    // Tests go to a disabled webhook, too, and change its record: that is no news.
    for (const status of [500, 204]) {
      answer = status;
      const test = testEvent(webhook);
      await emit(log, test);
      await logged(webhook, test.eventId, 1);
      expect((await webhookRecord(webhook)).failingSince === null).toBe(status === 204);
    }
    const last = endedEvent(accountId);
    await registerWebhook(log, accountId, other.url);
    await emit(log, last);
    await other.until((received) => received.some(({ id }) => id === last.eventId));
    expect(other.received.filter(({ body: text }) => text.includes("webhook.disabled"))).toHaveLength(1);
    await Promise.all([gone.close(), other.close()]);
  });

  it("sends CloudEvents to a webhook that chose them, signed as all are, and again as they were", async () => {
    const accountId = uuidv7();
    let isWell = false;
    const receiver = await startReceiver((_request, response) => void response.writeHead(isWell ? 200 : 500).end());
    const { webhook } = await registerWebhook(log, accountId, receiver.url, { format: "cloudevents" });
    const event = endedEvent(accountId);
    await emit(log, event);
    await logged(webhook, event.eventId, 1);
    const [{ body, headers }] = receiver.received as [(typeof receiver.received)[number]];
    expect(headers["content-type"]).toBe("application/cloudevents+json");
    expect(JSON.parse(body)).toEqual({
      specversion: "1.0",
      id: event.eventId,
      source: `/accounts/${accountId}`,
      type: "packshot.job.completed",
      subject: event.jobId,
      time: event.createdAt,
      datacontenttype: "application/json",
      data: expect.objectContaining({ id: event.jobId, tool: event.tool, status: "completed" }),
    });
    // Whatever becomes of the webhook, a delivery stays as it was queued.
    isWell = true;
    const record = await webhookRecord(webhook);
    await log.commit("webhook", webhookWrites(webhook, { ...record, format: "packshot" }));
    await redeliver(log.connection, { accountId, webhookId: webhook.id, eventId: event.eventId });
    await logged(webhook, event.eventId, 2);
    expect(receiver.received[1]!.body).toBe(body);
    expect(receiver.received[1]!.headers["content-type"]).toBe("application/cloudevents+json");
    await receiver.close();
  });

  it("disables after three days without a success", async () => {
    const accountId = uuidv7();
    const receiver = await startReceiver((_request, response) => void response.writeHead(500).end());
    const failingSince = new Date(Date.now() - 73 * 3600 * 1000).toISOString();
    const { webhook } = await registerWebhook(log, accountId, receiver.url, { failingSince });
    const event = endedEvent(accountId);
    await emit(log, event);
    expect((await logged(webhook, event.eventId, 1)).attempts[0]!.error).toContain("three days");
    expect((await webhookRecord(webhook)).status).toMatchObject({ kind: "disabled", reason: "failing" });
    await receiver.close();
  });

  it("clears failingSince once a delivery succeeds", async () => {
    const accountId = uuidv7();
    const receiver = await startReceiver();
    const failingSince = new Date(Date.now() - 73 * 3600 * 1000).toISOString();
    const { webhook } = await registerWebhook(log, accountId, receiver.url, { failingSince });
    const event = endedEvent(accountId);
    await emit(log, event);
    await logged(webhook, event.eventId, 1);
    expect((await webhookRecord(webhook)).failingSince).toBeNull();
    await receiver.close();
  });

  it("refuses to redeliver what it does not know", async () => {
    const key = { accountId: uuidv7(), webhookId: uuidv7(), eventId: uuidv7() };
    await expect(redeliver(log.connection, key)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the list of deliveries", () => {
  it("pages newest first, each delivery once, and filters by status, event and job", async () => {
    const accountId = uuidv7();
    const webhookId = uuidv7();
    const outcomes = ["succeeded", "exhausted", "retrying", "succeeded", "abandoned", "succeeded", "retrying"] as const;
    const eventIds = outcomes.map(() => uuidv7());
    const jobIds = outcomes.map(() => uuidv7());
    for (const [place, outcome] of outcomes.entries()) {
      for (const attempt of [1, 2]) {
        await recordAttempt(createBatchPublisher(log.connection), {
          v: 1,
          accountId,
          webhookId,
          eventId: eventIds[place]!,
          event: place === 1 ? "job.failed" : "job.completed",
          jobId: jobIds[place]!,
          attempt,
          at: new Date().toISOString(),
          outcome: attempt === 1 ? "retrying" : outcome,
          status: 500,
          durationMs: 1,
          responseHead: "",
          error: null,
          nextAttemptAt: null,
          ...(attempt === 1 ? { body: "{}" } : {}),
        });
      }
    }
    const query = { accountId, webhookId, limit: 3 };
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listDeliveries(log.connection, cursor === undefined ? query : { ...query, cursor });
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual([...eventIds].reverse());

    const failed = await listDeliveries(log.connection, { ...query, limit: 100, status: "failed" });
    expect(failed.data.map(({ id }) => id)).toEqual([eventIds[4], eventIds[1]]);
    expect(deliveryStatusFor("abandoned")).toBe("failed");
    const byEvent = await listDeliveries(log.connection, { ...query, event: "job.failed" });
    expect(byEvent.data.map(({ id }) => id)).toEqual([eventIds[1]]);
    const byJob = await listDeliveries(log.connection, { ...query, jobId: jobIds[2]! });
    expect(byJob.data).toMatchObject([
      { id: eventIds[2], status: "pending", attempts: [{ attempt: 1 }, { attempt: 2 }] },
    ]);
    await expect(listDeliveries(log.connection, { ...query, cursor: "nonsense" })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });
});
