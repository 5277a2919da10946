/** Pub/Sub and Kafka's REST proxy as their public references describe them, on loopback. AWS is in test/failures. */
import { generateKeyPairSync, verify } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { KafkaDestination, StoredDestination } from "@packshot/domain/webhooks/destination.ts";
import { destinationUrl } from "@packshot/domain/webhooks/destination.ts";
import { parseAllowList } from "@packshot/platform/outbound/address-guard.ts";
import { createGuardedAgent } from "@packshot/platform/outbound/guarded-agent.ts";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { type Receiver, startReceiver } from "../../../testing/webhooks/receiver.ts";
import { send } from "../delivery/send.ts";
import type { OutgoingEvent } from "./event-destination.ts";
import { createOpenDestination } from "./open-destination.ts";

const agent = createGuardedAgent({
  connectTimeoutMs: 5_000,
  connectionsMax: 8,
  allow: parseAllowList("127.0.0.1:*"),
});
const guarded = createGuardedAgent({ connectTimeoutMs: 5_000, connectionsMax: 8, allow: parseAllowList("") });
const receivers: Receiver[] = [];

afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});
afterAll(async () => {
  await Promise.all([agent.destroy(), guarded.destroy()]);
});

/** Answers each request with `answer`; with 401 where `isAuthorized` says no. */
async function standIn(answer: object, isAuthorized: (request: IncomingMessage) => boolean = () => true) {
  const receiver = await startReceiver((request, response) => {
    response.writeHead(isAuthorized(request) ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  });
  receivers.push(receiver);
  return { url: new URL(receiver.url).origin, received: receiver.received, paths: receiver.paths };
}

const event: OutgoingEvent = {
  eventId: "01a1fb66-9561-7210-98b9-3c550ba14973",
  kind: "job.completed",
  group: "01a1fb66-8570-7a02-b010-1c591090070a",
  body: '{"event":"job.completed","name":"Grüße 🧴"}',
  headers: { "content-type": "application/json", "webhook-id": "01a1fb66", "webhook-signature": "v1,x" },
  nowMs: Date.UTC(2026, 10, 20),
};
const attributes = { ...event.headers, event: "job.completed" };

const open = createOpenDestination((sealed) => sealed);
const stored = (destination: object, credentials: object) =>
  ({ ...destination, sealedCredentials: JSON.stringify(credentials) }) as StoredDestination;
const text = (base64: string) => Buffer.from(base64, "base64").toString();

async function deliver(destination: StoredDestination, sent = event) {
  const opened = open({ url: destinationUrl(destination), destination });
  const outcome = await send(agent, await opened.toPost(sent));
  const refusal = outcome.kind === "answered" ? opened.refusalIn?.(outcome.head) : undefined;
  return { status: outcome.kind === "answered" ? outcome.status : outcome.error, refusal };
}

describe("a topic of Pub/Sub", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const credentials = {
    privateKeyId: "key-1",
    privateKey: privateKey.export({ format: "pem", type: "pkcs8" }) as string,
  };
  const topic = (endpoint: string) =>
    stored(
      {
        kind: "pubsub",
        topic: "projects/shop/topics/photos",
        endpoint,
        clientEmail: "packshot@shop.iam.gserviceaccount.com",
      },
      credentials,
    );

  it("gets one message with a token that the service account has signed for the API", async () => {
    const pubsub = await standIn({ messageIds: ["1"] });
    expect(await deliver(topic(pubsub.url))).toEqual({ status: 200, refusal: undefined });
    const [{ headers, body }] = pubsub.received as [(typeof pubsub.received)[number]];
    expect(pubsub.paths()).toEqual(["/v1/projects/shop/topics/photos:publish"]);
    const { messages } = JSON.parse(body);
    expect(messages).toEqual([{ data: expect.any(String), attributes }]);
    expect(text(messages[0].data)).toBe(event.body);

    const [header, claims, signature] = headers.authorization!.replace("Bearer ", "").split(".");
    const signed = Buffer.from(`${header}.${claims}`);
    expect(verify("sha256", signed, publicKey, Buffer.from(signature!, "base64url"))).toBe(true);
    expect(JSON.parse(text(header!))).toEqual({ alg: "RS256", typ: "JWT", kid: "key-1" });
    expect(JSON.parse(text(claims!))).toEqual({
      iss: "packshot@shop.iam.gserviceaccount.com",
      sub: "packshot@shop.iam.gserviceaccount.com",
      aud: "https://pubsub.googleapis.com/",
      iat: event.nowMs / 1000,
      exp: event.nowMs / 1000 + 3600,
    });
  });

  it("gets the same token until five minutes before its end", async () => {
    const pubsub = await standIn({ messageIds: ["1"] });
    for (const minutes of [0, 54, 55]) {
      await deliver(topic(pubsub.url), { ...event, nowMs: event.nowMs + minutes * 60_000 });
    }
    const tokens = pubsub.received.map(({ headers }) => headers.authorization);
    expect(tokens[1]).toBe(tokens[0]);
    expect(tokens[2]).not.toBe(tokens[0]);
  });
});

describe("a topic of Kafka", () => {
  const topic = (change: Partial<KafkaDestination>, credentials = {}) =>
    stored({ kind: "kafka", topic: "photos", clusterId: null, username: null, ...change }, credentials);
  const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString("base64")}`;

  it("of version 2 gets the event's own bytes under the job's id", async () => {
    const kafka = await standIn({ offsets: [{ partition: 1, offset: 0, error_code: null, error: null }] });
    expect(await deliver(topic({ url: `${kafka.url}/` }))).toEqual({ status: 200, refusal: undefined });
    const [{ headers, body }] = kafka.received as [(typeof kafka.received)[number]];
    expect(kafka.paths()).toEqual(["/topics/photos"]);
    expect(headers["content-type"]).toBe("application/vnd.kafka.binary.v2+json");
    expect(headers).not.toHaveProperty("authorization");
    const { records } = JSON.parse(body);
    expect(records.map(({ key, value }: Record<string, string>) => [text(key!), text(value!)])).toEqual([
      [event.group, event.body],
    ]);
  });

  it("of version 3 gets its signature as headers too, by a user with a password", async () => {
    const kafka = await standIn(
      { error_code: 200, cluster_id: "c-1", topic_name: "photos", partition_id: 0, offset: 7 },
      ({ headers }) => headers.authorization === basic("shop:pass:word"),
    );
    const destination = topic(
      { url: `${kafka.url}/kafka`, clusterId: "c-1", username: "shop" },
      { password: "pass:word" },
    );
    expect(await deliver(destination)).toEqual({ status: 200, refusal: undefined });
    expect(kafka.paths()).toEqual(["/kafka/v3/clusters/c-1/topics/photos/records"]);
    const { key, value, headers } = JSON.parse(kafka.received[0]!.body);
    expect([key, value.type, text(value.data)]).toEqual([{ type: "STRING", data: event.group }, "BINARY", event.body]);
    const named = headers.map(({ name, value }: { name: string; value: string }) => [name, text(value)]);
    expect(Object.fromEntries(named)).toEqual(attributes);
  });

  it.each([
    [
      "version 2 has an error",
      null,
      { offsets: [{ partition: null, offset: null, error_code: 50003, error: "down" }] },
    ],
    ["version 3 has an error", "c-1", { error_code: 42901, message: "too many" }],
    ["something else has answered", "c-1", { ok: true }],
  ])("has not taken a record where an answer of 200 from %s", async (_what, clusterId, answer) => {
    const kafka = await standIn(answer);
    expect((await deliver(topic({ url: kafka.url, clusterId }))).refusal).toMatch(/without a stored record/);
  });
});

it("leads to no private address, whatever its kind", async () => {
  const kafka = await standIn({});
  const destination = stored({ kind: "kafka", topic: "t", clusterId: null, username: null, url: kafka.url }, {});
  const opened = open({ url: destinationUrl(destination), destination });
  const outcome = await send(guarded, await opened.toPost(event));
  expect(outcome).toMatchObject({ kind: "unanswered", error: expect.stringMatching(/may not be called/) });
  expect(kafka.received).toEqual([]);
});
