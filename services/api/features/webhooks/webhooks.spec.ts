import { generateKeyPairSync } from "node:crypto";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { type DeliveryAttempt, type DeliveryMessage, deliverySubjects } from "@packshot/domain/webhooks/delivery.ts";
import type { Webhook } from "@packshot/domain/webhooks/webhook.ts";
import type { Log } from "@packshot/log/log.ts";
import { createSeal } from "@packshot/platform/crypto/seal.ts";
import { beforeAll, expect, test } from "vitest";
import { type OpenedAccount, openAccount } from "../../../../testing/api/accounts.ts";
import { masterKeyHex, startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

const apis = suiteFixture(startApis);
let log: Log;
let account: OpenedAccount;
let client: ContractClient;

beforeAll(async () => {
  ({ log } = apis);
  account = await openAccount(apis.all[0]!, { limits: { maxWebhooks: 4 } });
  client = apiClient(apis.all[0]!.url, account.key);
});

const url = "https://shop.example/hooks";
const create = (json: object) => client.call("POST", "/v1/webhooks", { json });
const stored = async (id: string) => (await log.read<Webhook>(subjects.webhook(account.accountId, id))).value;

async function recordAttempt(attempt: DeliveryAttempt): Promise<void> {
  await jetstream(log.connection).publish(deliverySubjects.attempt(attempt, attempt.attempt), JSON.stringify(attempt));
}

test("a webhook shows its filters, takes others, and refuses what is no tool or metadata", async () => {
  const url = "https://shop.example/filtered";
  const plain = await client.call("POST", "/v1/webhooks", { json: { url } });
  expect(plain.body).toMatchObject({ tools: ["mask", "ai-shadows", "ai-bg"], metadataFilter: {}, format: "packshot" });
  const filters = { tools: ["ai-bg"], metadataFilter: { shop: "berlin" } };
  const { body } = await client.call("POST", "/v1/webhooks", { json: { url, ...filters } });
  expect(body).toMatchObject(filters);
  const change = { tools: ["mask"], metadataFilter: {} };
  const changed = await client.call("PATCH", `/v1/webhooks/${body.id}`, { json: change });
  expect(changed.body).toMatchObject(change);
  for (const json of [{ tools: [] }, { tools: ["paint"] }, { metadataFilter: { shop: 7 } }]) {
    expect((await client.call("PATCH", `/v1/webhooks/${body.id}`, { json })).status).toBe(400);
  }
  for (const { id } of [plain.body, body]) await client.call("DELETE", `/v1/webhooks/${id}`);
});

const aws = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI-EXAMPLEKEY" };
const queueUrl = "https://sqs.eu-central-1.amazonaws.com/123456789012/photos";
const topicArn = "arn:aws:sns:us-east-2:123456789012:photos.fifo";
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const serviceAccount = {
  type: "service_account",
  client_email: "packshot@shop.iam.gserviceaccount.com",
  private_key_id: "key-1",
  private_key: privateKey.export({ format: "pem", type: "pkcs8" }) as string,
  token_uri: "http://169.254.169.254/token",
};
const topic = "projects/shop/topics/photos";

test.each([
  ["sqs", { queueUrl, ...aws }, { queueUrl, region: "eu-central-1", accessKeyIdEnd: "MPLE" }, queueUrl],
  [
    "sns",
    { topicArn, ...aws },
    { topicArn, endpoint: "https://sns.us-east-2.amazonaws.com", accessKeyIdEnd: "MPLE" },
    "https://sns.us-east-2.amazonaws.com/",
  ],
  [
    "pubsub",
    { topic, serviceAccount },
    { topic, endpoint: "https://pubsub.googleapis.com", clientEmail: serviceAccount.client_email },
    `https://pubsub.googleapis.com/v1/${topic}:publish`,
  ],
  [
    "kafka",
    { url: "https://kafka.shop.example/", topic: "photos", username: "shop", password: "a password" },
    { url: "https://kafka.shop.example/", topic: "photos", clusterId: null, username: "shop" },
    "https://kafka.shop.example/topics/photos",
  ],
])(
  "a webhook leads to %s, whose credentials are stored encrypted and shown nowhere",
  async (kind, given, shown, url) => {
    const { status, body } = await create({ [kind]: given });
    expect([status, body]).toEqual([201, expect.objectContaining({ kind, url, [kind]: shown })]);
    const record = await stored(body.id);
    const told = JSON.stringify([body, record, (await client.call("GET", "/v1/webhooks")).body]);
    for (const secret of [aws.secretAccessKey, "PRIVATE KEY", "a password"]) expect(told).not.toContain(secret);
    const seal = createSeal({ keys: [Buffer.from(masterKeyHex, "hex")] });
    const credentials = JSON.parse(seal.unseal(record!.destination!.sealedCredentials));
    expect(Object.values({ ...aws, ...serviceAccount, password: "a password" })).toEqual(
      expect.arrayContaining(Object.values(credentials)),
    );

    const change = (json: object) => client.call("PATCH", `/v1/webhooks/${body.id}`, { json });
    expect((await change({ description: "d" })).body).toMatchObject({ kind, url, [kind]: shown });
    const plain = await change({ url: "https://shop.example/instead" });
    expect(plain.body).toMatchObject({ kind: "https", url: "https://shop.example/instead" });
    expect(plain.body).not.toHaveProperty(kind);
    expect((await stored(body.id))!.destination).toBeUndefined();
    expect((await change({ [kind]: given })).body).toMatchObject({ kind, [kind]: shown });
    await client.call("DELETE", `/v1/webhooks/${body.id}`);
  },
);

test.each([
  ["sqs", { queueUrl, region: null, ...aws }, { region: "eu-central-1" }],
  ["sns", { topicArn, endpoint: null, ...aws }, { endpoint: "https://sns.us-east-2.amazonaws.com" }],
  ["pubsub", { topic, endpoint: null, serviceAccount }, { endpoint: "https://pubsub.googleapis.com" }],
  [
    "kafka",
    { url: "https://kafka.shop.example/", topic: "photos", clusterId: null, username: null, password: null },
    { clusterId: null, username: null },
  ],
])("null in %s is as if it were absent, in a change too", async (kind, given, shown) => {
  const { body } = await create({ url });
  const changed = await client.call("PATCH", `/v1/webhooks/${body.id}`, { json: { [kind]: given } });
  expect([changed.status, changed.body]).toEqual([
    200,
    expect.objectContaining({ [kind]: expect.objectContaining(shown) }),
  ]);
  await client.call("DELETE", `/v1/webhooks/${body.id}`);
});

test.each([
  ["nothing", {}, "url"],
  ["two places", { url, sqs: { queueUrl, ...aws } }, "sqs"],
  ["a queue without a region", { sqs: { queueUrl: "https://queues.example/photos", ...aws } }, "sqs.region"],
  ["a private queue", { sqs: { queueUrl: "https://10.0.0.7/q", region: "eu-central-1", ...aws } }, "sqs.queueUrl"],
  ["a queue without a secret", { sqs: { queueUrl, accessKeyId: "a" } }, "sqs.secretAccessKey"],
  ["what is no topic", { sns: { topicArn: "arn:aws:sqs:eu-central-1:123456789012:photos", ...aws } }, "sns.topicArn"],
  ["a private SNS", { sns: { topicArn, endpoint: "https://192.168.0.1", ...aws } }, "sns.endpoint"],
  ["SNS in the clear", { sns: { topicArn, endpoint: "http://sns.example", ...aws } }, "sns.endpoint"],
  [
    "a key that is none",
    { pubsub: { topic, serviceAccount: { ...serviceAccount, private_key: "no key" } } },
    "pubsub.serviceAccount.private_key",
  ],
  ["a proxy that is this machine", { kafka: { url: "https://localhost", topic: "photos" } }, "kafka.url"],
  ["a user without a password", { kafka: { url: "https://k.example", topic: "t", username: "u" } }, "kafka.password"],
  ["a path as a topic", { kafka: { url: "https://k.example", topic: ".." } }, "kafka.topic"],
])("a webhook to %s is refused, and the answer names the field", async (_what, json, field) => {
  const { status, body } = await create(json);
  expect([status, body.code]).toEqual([400, "invalid_request"]);
  expect(body.details?.field ?? body.message.split(" ")[0]).toBe(field);
});

test("a webhook has the limits that it is given, and none at first; 0 a second and 256 at once lift them", async () => {
  const plain = (await create({ url })).body;
  expect(plain).toMatchObject({ maxPerSecond: 0, maxConcurrent: 256 });
  const limited = (await create({ url, maxPerSecond: 5, maxConcurrent: 2 })).body;
  expect(limited).toMatchObject({ maxPerSecond: 5, maxConcurrent: 2 });
  const change = (json: object) => client.call("PATCH", `/v1/webhooks/${limited.id}`, { json });
  expect((await change({ description: "d" })).body).toMatchObject({ maxPerSecond: 5, maxConcurrent: 2 });
  const lifted = { maxPerSecond: 0, maxConcurrent: 256 };
  expect((await change(lifted)).body).toMatchObject(lifted);
  for (const json of [{ maxPerSecond: -1 }, { maxPerSecond: 101 }, { maxConcurrent: 0 }, { maxConcurrent: 257 }]) {
    expect((await change(json)).status).toBe(400);
  }
  for (const { id } of [plain, limited]) await client.call("DELETE", `/v1/webhooks/${id}`);
});

test("a webhook is created, read, changed and deleted; its secret is shown once and stored encrypted", async () => {
  const { status, body } = await create({ url, events: ["job.failed"], description: "d", metadata: { team: "photo" } });
  expect([status, body.enabled, body.status, body.events]).toEqual([201, true, "enabled", ["job.failed"]]);
  expect(body.secret).toMatch(/^whsec_[\w+/]+=*$/);
  const { secret, ...shown } = body;
  expect((await client.call("GET", `/v1/webhooks/${body.id}`)).body).toEqual(shown);
  const record = await stored(body.id);
  expect(JSON.stringify(record)).not.toContain(secret);
  const seal = createSeal({ keys: [Buffer.from(masterKeyHex, "hex")] });
  expect(seal.unseal(record!.secrets[0]!.sealed)).toBe(secret);

  const paused = await client.call("PATCH", `/v1/webhooks/${body.id}`, { json: { enabled: false, description: "e" } });
  const disabled = { enabled: false, status: "disabled", disabledReason: "client" };
  expect(paused.body).toMatchObject({ ...disabled, description: "e", url });
  const webhook = `/v1/webhooks/${body.id}`;
  for (const [json, message] of [
    [{ status: "enabled" }, 'Unknown field "status".'],
    [{ enabled: true, bogus: 1 }, 'Unknown field "bogus".'],
    [{ enabled: true, bogus: null }, 'Unknown field "bogus".'],
    [{ enabled: "true" }, '"enabled" must be of type boolean or null.'],
  ] as const) {
    expect((await client.call("PATCH", webhook, { json })).body).toMatchObject({ code: "invalid_request", message });
  }
  expect((await client.call("GET", webhook)).body).toEqual(paused.body);
  const back = await client.call("PATCH", `/v1/webhooks/${body.id}`, { json: { enabled: true } });
  expect(back.body).toMatchObject({ enabled: true, status: "enabled", disabledReason: null, disabledAt: null });

  const rotated = await client.call("POST", `/v1/webhooks/${body.id}/rotate-secret`);
  expect(rotated.body.secret).not.toBe(secret);
  const secrets = (await stored(body.id))!.secrets.map(({ sealed }) => seal.unseal(sealed));
  expect(secrets).toEqual([rotated.body.secret, secret]);

  expect((await client.call("DELETE", `/v1/webhooks/${body.id}`)).status).toBe(204);
  for (const [method, path] of [
    ["GET", ""],
    ["DELETE", ""],
    ["POST", "/test"],
    ["POST", "/rotate-secret"],
    ["GET", "/deliveries"],
  ]) {
    expect((await client.call(method!, `/v1/webhooks/${body.id}${path}`)).status).toBe(404);
  }
});

test.each([
  "http://shop.example/hook",
  "https://127.0.0.2/hook",
  "https://10.1.2.3/",
  "https://169.254.169.254/latest",
  "https://[::1]/",
  "https://localhost/",
  "https://0x7f.2/",
  "https://user:pw@shop.example/",
  "ftp://shop.example/",
  "not a url",
])("the URL %s is refused", async (bad) => {
  const { status, body } = await create({ url: bad });
  expect([status, body.code]).toEqual([400, "invalid_request"]);
});

test("an address that the operator lists is allowed, with plain HTTP too", async () => {
  const { status, body } = await create({ url: "http://127.0.0.1:9/hook" });
  expect(status).toBe(201);
  await client.call("DELETE", `/v1/webhooks/${body.id}`);
});

test("an account has no more webhooks than its plan allows", async () => {
  const replies = await Promise.all(Array.from({ length: 6 }, () => create({ url })));
  const made = replies.filter((reply) => reply.status === 201);
  expect(made).toHaveLength(4);
  expect(replies.filter((reply) => reply.body.code === "limit_reached").map((reply) => reply.status)).toEqual([
    409, 409,
  ]);
  expect(
    (await client.call("GET", "/v1/webhooks")).body.data.map((webhook: { id: string }) => webhook.id).sort(),
  ).toEqual(made.map((reply) => reply.body.id).sort());
  for (const { body } of made) await client.call("DELETE", `/v1/webhooks/${body.id}`);
  expect((await create({ url })).status).toBe(201);
});

test("a test event goes to that webhook only", async () => {
  const [webhook] = (await client.call("GET", "/v1/webhooks")).body.data;
  const { status, body } = await client.call("POST", `/v1/webhooks/${webhook.id}/test`);
  expect(status).toBe(202);
  const { value } = await log.read(subjects.event(account.accountId, body.eventId, "test"));
  expect(value).toMatchObject({ kind: "test", eventId: body.eventId, webhookId: webhook.id });
});

test("deliveries are listed with their attempts and can be sent again, byte for byte", async () => {
  const [webhook] = (await client.call("GET", "/v1/webhooks")).body.data;
  const base = {
    v: 1,
    accountId: account.accountId,
    webhookId: webhook.id,
    event: "job.completed",
    jobId: null,
  } as const;
  const failed = {
    ...base,
    attempt: 1,
    at: new Date().toISOString(),
    outcome: "exhausted",
    status: 500,
    durationMs: 12,
    responseHead: "oops",
    error: "HTTP 500",
    nextAttemptAt: null,
  } as const;
  const ids = [3, 2, 1].map((secondsAgo) => uuidv7(Date.now() - secondsAgo * 1_000));
  for (const eventId of ids) {
    const attempt: DeliveryAttempt = {
      ...failed,
      eventId,
      outcome: "retrying",
      nextAttemptAt: new Date().toISOString(),
      body: `{"eventId":"${eventId}"}`,
    };
    await recordAttempt(attempt);
    const { body: _, ...again } = attempt;
    await recordAttempt({ ...again, attempt: 2, outcome: "exhausted", nextAttemptAt: null });
  }
  const path = `/v1/webhooks/${webhook.id}/deliveries`;
  const first = (await client.call("GET", `${path}?limit=2`)).body;
  expect(first.data.map((delivery: { id: string }) => delivery.id)).toEqual([ids[2], ids[1]]);
  expect(first.data[0]).toMatchObject({ status: "failed", attempts: [{ attempt: 1, status: 500 }, { attempt: 2 }] });
  const second = (await client.call("GET", `${path}?limit=2&cursor=${first.nextCursor}`)).body;
  expect([second.data.map((delivery: { id: string }) => delivery.id), second.nextCursor]).toEqual([
    [ids[0]],
    undefined,
  ]);

  const one = (await client.call("GET", `${path}/${ids[1]}`)).body;
  expect(one).toMatchObject(first.data[1]);
  expect(one.request).toEqual({
    method: "POST",
    headers: { "content-type": "application/json", "webhook-id": ids[1] },
    body: `{"eventId":"${ids[1]}"}`,
  });
  for (const unknown of [uuidv7(), "nothing"])
    expect((await client.call("GET", `${path}/${unknown}`)).status).toBe(404);

  const asked = await client.call("POST", `${path}/${ids[1]}/redeliver`);
  expect([asked.status, asked.body]).toEqual([202, { eventId: ids[1] }]);
  const manager = await jetstreamManager(log.connection);
  const due = { last_by_subj: `psd.due.${account.accountId}.${webhook.id}.${ids[1]}` };
  const message = await expect
    .poll(() => manager.streams.getMessage(streams.deliveries, due))
    .not.toBeNull()
    .then(() => manager.streams.getMessage(streams.deliveries, due));
  expect(message!.json<DeliveryMessage>()).toEqual({
    ...base,
    eventId: ids[1],
    body: `{"eventId":"${ids[1]}"}`,
    attempts: 2,
    failures: 0,
  });
  expect((await client.call("POST", `${path}/${uuidv7()}/redeliver`)).status).toBe(404);

  const count = async (query: string) => (await client.call("GET", `${path}?${query}`)).body.data.length;
  expect([await count("status=failed"), await count("status=succeeded"), await count("event=job.failed")]).toEqual([
    3, 0, 0,
  ]);
  const since = (ms: number) =>
    client.call("POST", `${path}/redeliver-failed`, { json: { since: new Date(Date.now() + ms).toISOString() } });
  expect((await since(60_000)).body).toEqual({ redelivered: 0, left: 0 });
  expect(await since(-60_000)).toMatchObject({ status: 202, body: { redelivered: 3, left: 0 } });

  const testId = uuidv7();
  await recordAttempt({ ...failed, event: "webhook.test", eventId: testId, body: "{}" });
  const setEnabled = (enabled: boolean) => client.call("PATCH", `/v1/webhooks/${webhook.id}`, { json: { enabled } });
  await setEnabled(false);
  const disabled = { status: 409, body: { code: "webhook_disabled", message: expect.stringContaining("enable it") } };
  expect(await client.call("POST", `${path}/${ids[1]}/redeliver`)).toMatchObject(disabled);
  expect(await since(-60_000)).toMatchObject(disabled);
  expect((await client.call("POST", `${path}/${uuidv7()}/redeliver`)).status).toBe(404);
  expect((await client.call("POST", `${path}/${testId}/redeliver`)).status).toBe(202);
  await setEnabled(true);
  expect((await client.call("POST", `${path}/${ids[1]}/redeliver`)).status).toBe(202);
});

// Retried, because the counts start anew when the clock's hour turns in between.
test("redeliveries and test events count as requests, and no more are sent than the plan allows", {
  retry: 1,
}, async () => {
  const { accountId, key } = await openAccount(apis.all[0]!, { limits: { rateLimitPerHour: 10 } });
  const own = apiClient(apis.all[0]!.url, key);
  const requestsLeft = ({ headers }: { headers: Headers }) => /;r=(\d+);/.exec(headers.get("ratelimit")!)?.[1];
  const webhook = (await own.call("POST", "/v1/webhooks", { json: { url } })).body;
  const ids = [4, 3, 2, 1].map((secondsAgo) => uuidv7(Date.now() - secondsAgo * 1_000));
  for (const eventId of ids) {
    await recordAttempt({
      v: 1,
      accountId,
      webhookId: webhook.id,
      eventId,
      event: "job.completed",
      jobId: null,
      attempt: 10,
      at: new Date().toISOString(),
      outcome: "exhausted",
      status: 500,
      durationMs: 1,
      responseHead: "",
      error: "HTTP 500",
      nextAttemptAt: null,
      body: "{}",
    });
  }
  const path = `/v1/webhooks/${webhook.id}`;
  expect(requestsLeft(await own.call("POST", `${path}/test`))).toBe("8");
  expect(requestsLeft(await own.call("POST", `${path}/deliveries/${ids[0]}/redeliver`))).toBe("7");
  const redeliverFailed = () =>
    own.call("POST", `${path}/deliveries/redeliver-failed`, { json: { since: new Date(0).toISOString() } });
  const all = await redeliverFailed();
  expect([all.body, requestsLeft(all), all.headers.get("retry-after")]).toEqual([
    { redelivered: 4, left: 0 },
    "3",
    null,
  ]);
  const cut = await redeliverFailed();
  expect([cut.status, cut.body, requestsLeft(cut)]).toEqual([202, { redelivered: 3, left: 1 }, "0"]);
  expect(Number(cut.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await redeliverFailed()).toMatchObject({ status: 429, body: { code: "rate_limit_exceeded" } });
});
