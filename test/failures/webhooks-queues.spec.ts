/**
 * Events on their way into queues and topics of AWS, which moto is here: it checks signatures, as AWS does.
 * @module-tag python
 */

import type { Delivery } from "@packshot/domain/webhooks/delivery.ts";
import type { Webhook } from "@packshot/domain/webhooks/webhook.ts";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenedAccount, openAccount } from "../../testing/api/accounts.ts";
import { masterKeyHex, startApis } from "../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../testing/api/contract-client.ts";
import { startMoto } from "../../testing/servers/moto.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { loggedDelivery } from "../../testing/webhooks/delivery-log.ts";
import { emit, endedEvent, testEvent } from "../../testing/webhooks/webhook-records.ts";
import { startWebhookService, type WebhookService } from "../../testing/webhooks/webhook-service.ts";

const moto = suiteFixture(startMoto);
const apis = suiteFixture(() => startApis({ environment: { PACKSHOT_ALLOW_WEBHOOKS: "127.0.0.1:*" } }));
let service: WebhookService;
let account: OpenedAccount;
let client: ContractClient;

beforeAll(async () => {
  service = await startWebhookService(apis.nats.url, { PACKSHOT_MASTER_KEY: masterKeyHex });
  account = await openAccount(apis.all[0]!);
  client = apiClient(apis.all[0]!.url, account.key);
});
afterAll(() => service?.stop());

interface Message {
  readonly Body: string;
  readonly Attributes: Readonly<Record<string, string>>;
  readonly MessageAttributes: Readonly<Record<string, { readonly StringValue: string }>>;
}

function createQueue(name: string): string {
  const Attributes = name.endsWith(".fifo") ? { FifoQueue: "true" } : {};
  return moto.call<{ QueueUrl: string }>("sqs", "create_queue", { QueueName: name, Attributes }).QueueUrl;
}

function receive(queueUrl: string): readonly Message[] {
  const { Messages = [] } = moto.call<{ Messages?: Message[] }>("sqs", "receive_message", {
    QueueUrl: queueUrl,
    MaxNumberOfMessages: 10,
    AttributeNames: ["All"],
    MessageAttributeNames: ["All"],
  });
  return Messages;
}

async function register(destination: object): Promise<Webhook & { secret: string }> {
  const { status, body } = await client.call("POST", "/v1/webhooks", { json: destination });
  expect([status, body]).toEqual([201, expect.objectContaining({ status: "enabled" })]);
  return { ...body, accountId: account.accountId };
}

/** The event of a completed job, and what became of its delivery. */
async function deliver(webhook: Webhook, change = {}): Promise<{ jobId: string; eventId: string; delivery: Delivery }> {
  const event = endedEvent(account.accountId, change);
  await emit(apis.log, event);
  const delivery = await loggedDelivery(apis.log, webhook, event.eventId, 1);
  return { jobId: event.jobId, eventId: event.eventId, delivery };
}

function attributesOf({ MessageAttributes }: Message): Record<string, string> {
  return Object.fromEntries(Object.entries(MessageAttributes).map(([name, { StringValue }]) => [name, StringValue]));
}

const sqs = (queueUrl: string, change = {}) => ({
  sqs: { queueUrl, region: moto.region, ...moto.credentials, ...change },
});

describe("a queue of SQS", () => {
  it("gets the event as a webhook would, with its signature and its kind beside it", async () => {
    const queueUrl = createQueue("photos");
    const webhook = await register(sqs(queueUrl));
    const { eventId, delivery } = await deliver(webhook, { metadata: { name: "Grüße & 中文 🧴" } });
    expect(delivery).toMatchObject({ status: "succeeded", attempts: [{ status: 200, error: null }] });
    const [message, ...more] = receive(queueUrl);
    expect(more).toEqual([]);
    const attributes = attributesOf(message!);
    expect(attributes).toMatchObject({ event: "job.completed", "content-type": "application/json" });
    expect(new Verifier(webhook.secret).verify(message!.Body, attributes)).toMatchObject({
      eventId,
      data: { metadata: { name: "Grüße & 中文 🧴" } },
    });
    await client.call("DELETE", `/v1/webhooks/${webhook.id}`);
  });

  it("that is FIFO has a group for each job, and the event's id for deduplication", async () => {
    const queueUrl = createQueue("photos.fifo");
    const webhook = await register({ ...sqs(queueUrl), format: "cloudevents" });
    const { jobId, eventId } = await deliver(webhook);
    const test = testEvent(webhook);
    await emit(apis.log, test);
    expect(await loggedDelivery(apis.log, webhook, test.eventId, 1)).toMatchObject({ status: "succeeded" });
    const messages = receive(queueUrl);
    expect(messages.map(({ Attributes }) => [Attributes.MessageGroupId, Attributes.MessageDeduplicationId])).toEqual([
      [jobId, eventId],
      [test.eventId, test.eventId],
    ]);
    expect(JSON.parse(messages[0]!.Body)).toMatchObject({ specversion: "1.0", id: eventId });
    expect(attributesOf(messages[0]!)["content-type"]).toBe("application/cloudevents+json");
    await client.call("DELETE", `/v1/webhooks/${webhook.id}`);
  });

  it("is tried again while the key is wrong, and the log says why, without the key", async () => {
    const secretAccessKey = "wrong-and-secret";
    const webhook = await register(sqs(createQueue("wrong"), { secretAccessKey }));
    const { eventId, delivery } = await deliver(webhook);
    expect(delivery).toMatchObject({ status: "pending", attempts: [{ outcome: "retrying", status: 403 }] });
    expect(delivery.attempts[0]!.responseHead).toContain("SignatureDoesNotMatch");
    const shown = await client.call("GET", `/v1/webhooks/${webhook.id}/deliveries/${eventId}`);
    const logs = [...service.logLines, ...apis.all[0]!.logLines].join("\n");
    expect(JSON.stringify(shown.body) + logs).not.toContain(secretAccessKey);
    await client.call("DELETE", `/v1/webhooks/${webhook.id}`);
  });

  it("is not sent an event that is longer than it takes", async () => {
    const queueUrl = createQueue("short");
    const webhook = await register(sqs(queueUrl));
    const reasons = Array.from({ length: 300 }, () => "x".repeat(1_000));
    const { delivery } = await deliver(webhook, { report: { quality: "review", reasons } });
    expect(delivery).toMatchObject({ status: "failed", attempts: [{ outcome: "abandoned", status: null }] });
    expect(delivery.attempts[0]!.error).toMatch(
      /^nothing was sent: the event has 30\d{4} bytes, and its destination takes 261120$/,
    );
    const { status } = (await client.call("GET", `/v1/webhooks/${webhook.id}`)).body;
    expect(status).toBe("enabled");
    await client.call("DELETE", `/v1/webhooks/${webhook.id}`);
  });
});

describe("a topic of SNS", () => {
  it.each(["photos-topic", "photos-topic.fifo"])("hands %s on to its queues", async (name) => {
    const isFifo = name.endsWith(".fifo");
    const Attributes = isFifo ? { FifoTopic: "true" } : {};
    const { TopicArn: topicArn } = moto.call<{ TopicArn: string }>("sns", "create_topic", { Name: name, Attributes });
    const queueUrl = createQueue(isFifo ? "of-topic.fifo" : "of-topic");
    const Endpoint = `arn:aws:sqs:${moto.region}:123456789012:${isFifo ? "of-topic.fifo" : "of-topic"}`;
    const raw = { RawMessageDelivery: "true" };
    moto.call("sns", "subscribe", { TopicArn: topicArn, Protocol: "sqs", Endpoint, Attributes: raw });
    const webhook = await register({ sns: { topicArn, endpoint: moto.url, ...moto.credentials } });
    const { eventId, jobId, delivery } = await deliver(webhook);
    expect(delivery).toMatchObject({ status: "succeeded", attempts: [{ status: 200, error: null }] });
    const [message] = receive(queueUrl);
    const attributes = attributesOf(message!);
    expect(new Verifier(webhook.secret).verify(message!.Body, attributes)).toMatchObject({ eventId });
    expect(attributes.event).toBe("job.completed");
    if (isFifo) expect(message!.Attributes).toMatchObject({ MessageGroupId: jobId, MessageDeduplicationId: eventId });
    await client.call("DELETE", `/v1/webhooks/${webhook.id}`);
  });
});
