/** @module-tag versitygw */

import type {
  BucketConnection,
  BucketLinkAnswer,
  BucketLinkRequest,
} from "@packshot/domain/connections/bucket-connection.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { QueuedJob } from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createSeal } from "@packshot/platform/crypto/seal.ts";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type OpenedAccount, openAccount } from "../../../../testing/api/accounts.ts";
import { type ApiProcesses, masterKeyHex, startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../../testing/api/contract-client.ts";
import { processingJob, queuedJob } from "../../../../testing/log/job-records.ts";
import { type ProxiedS3, startProxiedS3 } from "../../../../testing/servers/proxied-s3.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

interface Fixture extends ProxiedS3 {
  readonly apis: ApiProcesses;
}

const fixture = suiteFixture<Fixture>(async () => {
  const bucket = await startProxiedS3();
  const environment = { PACKSHOT_ALLOW_CONNECTIONS: new URL(bucket.proxy.url).host };
  const apis = await startApis({ environment });
  return {
    ...bucket,
    apis,
    async stop() {
      await apis.stop();
      await bucket.stop();
    },
  };
});
let account: OpenedAccount;
let client: ContractClient;

beforeAll(async () => {
  account = await openAccount(fixture.apis.all[0]!, { limits: { maxConnections: 6 } });
  client = apiClient(fixture.apis.all[0]!.url, account.key);
});
afterEach(() => fixture.proxy.setFault(() => undefined));

const secretAccessKey = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const plain = { endpoint: "https://s3.shop.example", region: "eu-central-1", bucket: "photos" };
const keys = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey };
const create = (name: string, json: object = {}, by = client) =>
  by.call("POST", "/v1/connections", { json: { name, ...plain, ...keys, ...json } });
const there = () => {
  const { accessKeyId, secretAccessKey: secret } = fixture.s3.settings.credentials!;
  return { endpoint: fixture.proxy.url, region: "us-east-1", accessKeyId, secretAccessKey: secret };
};
const remove = (id: string) => client.call("DELETE", `/v1/connections/${id}`);

test("a connection is made, read, changed and deleted; nothing ever shows its secret", async () => {
  const made = await create("shop", { prefix: "catalog" });
  expect([made.status, made.body]).toMatchObject([
    201,
    { ...plain, name: "shop", prefix: "catalog/", forcePathStyle: true, live: true, accessKeyIdEnd: "MPLE" },
  ]);
  const path = `/v1/connections/${made.body.id}`;
  expect(new URL(made.headers.get("location")!).pathname).toBe(path);
  expect((await client.call("GET", path)).body).toEqual(made.body);
  expect((await client.call("GET", "/v1/connections")).body.data).toEqual([made.body]);

  const newKeys = { accessKeyId: "AKIAI44QH8DHBEXAMPL2", secretAccessKey: "je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY" };
  const rotated = await client.call("PATCH", path, { json: { ...newKeys, region: "auto" } });
  expect(rotated.body).toMatchObject({ region: "auto", accessKeyIdEnd: "MPL2", prefix: "catalog/", name: "shop" });
  const { value } = await fixture.apis.log.read<BucketConnection>(subjects.connection(account.accountId, made.body.id));
  const seal = createSeal({ keys: [Buffer.from(masterKeyHex, "hex")] });
  expect(JSON.parse(seal.unseal(value!.sealedCredentials))).toEqual(newKeys);
  const told = [made, rotated, value, fixture.apis.all[0]!.logLines].map((part) => JSON.stringify(part)).join();
  for (const secret of [secretAccessKey, newKeys.secretAccessKey, keys.accessKeyId, newKeys.accessKeyId])
    expect(told).not.toContain(secret);

  expect((await client.call("PATCH", path, { json: { accessKeyId: "alone" } })).status).toBe(400);
  expect((await remove(made.body.id)).status).toBe(204);
  for (const [method, rest] of [
    ["GET", ""],
    ["DELETE", ""],
    ["POST", "/test"],
  ]) {
    expect((await client.call(method!, path + rest)).status).toBe(404);
  }
  const again = await create("shop");
  expect([again.status, again.body.id]).toEqual([201, made.body.id]);
  await remove(made.body.id);
});

test.each([
  ["a private address", { endpoint: "https://10.1.2.3" }],
  ["a metadata service", { endpoint: "https://169.254.169.254/latest" }],
  ["this machine", { endpoint: "https://localhost" }],
  ["plain HTTP", { endpoint: "http://s3.shop.example" }],
  ["a password", { endpoint: "https://user:pw@s3.shop.example" }],
  ["a query", { endpoint: "https://s3.shop.example/?a=b" }],
  ["an address before which no bucket can stand", { endpoint: "https://93.184.216.34", forcePathStyle: false }],
  ["a prefix that leads out of the bucket", { prefix: "a/../../other" }],
  ["a bucket that is a path", { bucket: "photos/../other" }],
  ["an unknown field", { sessionToken: "x" }],
])("%s is refused", async (_what, json) => {
  expect((await create("refused", json)).body.code).toBe("invalid_request");
});

test("a name exists once among live and once among test connections, and limits count both", async () => {
  const { body: testKey } = await client.call("POST", "/v1/account/keys", { json: { name: "test", live: false } });
  const tester = apiClient(fixture.apis.all[0]!.url, testKey.key);
  const replies = await Promise.all([create("one"), create("one"), create("one", {}, tester)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409]);
  expect(replies.find(({ status }) => status === 409)!.body.code).toBe("name_taken");
  const ofTester = (await tester.call("GET", "/v1/connections")).body.data;
  expect(ofTester).toMatchObject([{ name: "one", live: false }]);
  expect((await client.call("GET", `/v1/connections/${ofTester[0].id}`)).status).toBe(404);
  const more = await Promise.all(["a", "b", "c", "d", "e"].map((name) => create(name)));
  expect(more.filter(({ body }) => body.code === "limit_reached")).toHaveLength(1);
  const { body: listed } = await client.call("GET", "/v1/connections");
  expect(listed.data.map(({ name }: { name: string }) => name)).toEqual(
    [...listed.data].map(({ name }) => name).sort(),
  );
  for (const { id } of listed.data) await remove(id);
  await tester.call("DELETE", `/v1/connections/${ofTester[0].id}`);
});

describe("the test of a connection", () => {
  async function tested(json: object) {
    const { status: made, body } = await create("tried", { ...there(), ...json });
    expect([made, body.message]).toEqual([201, undefined]);
    const { status, body: result } = await client.call("POST", `/v1/connections/${body.id}/test`);
    expect(status).toBe(200);
    await remove(body.id);
    return result;
  }
  const fine = { ok: true, problem: null };

  test("writes, reads and cleans up", async () => {
    expect(await tested({ prefix: "catalog/" })).toMatchObject({ ok: true, write: fine, read: fine, cleanUp: fine });
    const [line] = fixture.proxy.requests.filter((request) => request.startsWith("DELETE"));
    expect(line).toMatch(/^DELETE \/photos\/catalog\/packshot-test-/);
  });

  test("says what wrong keys, a vanished bucket and a failing endpoint answer", async () => {
    const wrong = await tested({ secretAccessKey });
    const refused = { ok: false, problem: "The endpoint answered 403 SignatureDoesNotMatch." };
    expect(wrong).toMatchObject({ ok: false, write: refused, read: refused });
    expect((await tested({ bucket: "vanished" })).write.problem).toBe("The endpoint answered 404 NoSuchBucket.");
    fixture.proxy.setFault(() => "break");
    expect((await tested({})).write.problem).toMatch(/^The endpoint could not be reached/);
    fixture.proxy.setFault(() => ({ status: 503, code: "SlowDown" }));
    expect((await tested({})).read.problem).toBe("The endpoint answered 503 SlowDown.");
  });

  test("says that credentials must be set again whose master key is lost", async () => {
    const { body } = await create("tried", there());
    const subject = subjects.connection(account.accountId, body.id);
    const { value, sequence } = await fixture.apis.log.read<BucketConnection>(subject);
    const lost = createSeal({ keys: [Buffer.alloc(32)] });
    const lostly = { ...value, sealedCredentials: lost.seal(JSON.stringify(keys)) };
    await fixture.apis.log.commit("test", [{ subject, value: lostly, expected: sequence }]);
    const path = `/v1/connections/${body.id}`;
    const problem = "The credentials cannot be opened any more: set them again.";
    expect((await client.call("POST", `${path}/test`)).body).toMatchObject({ ok: false, write: { problem } });
    const { accessKeyId, secretAccessKey: secret } = there();
    await client.call("PATCH", path, { json: { accessKeyId, secretAccessKey: secret } });
    expect((await client.call("POST", `${path}/test`)).body.ok).toBe(true);
    await remove(body.id);
  });

  test("tells a bucket that may be read only from one that may be written only", async () => {
    const reader = await fixture.s3.addUser(["s3:GetObject", "s3:ListBucket"]);
    expect(await tested(reader)).toMatchObject({
      ok: false,
      write: { ok: false, problem: "The endpoint answered 403 AccessDenied." },
      read: fine,
      cleanUp: fine,
    });
  });
});

describe("an edit", () => {
  const edit = (json: object, by = client) => by.call("POST", "/v1/tools/mask/edit", { json });
  const imageUrl = "https://shop.example/a/kettle.jpg";

  test("keeps its source and destination; placeholders are filled at once, but for the extension", async () => {
    const { body: connection } = await create("shop");
    const { body } = await edit({
      imageUrl: "s3://shop/in/kettle.jpg",
      metadata: { ref: "K-17" },
      destination: { connection: "shop", key: "{ref}/{name}-{tool}.{ext}" },
    });
    const { body: job } = await client.call("GET", `/v1/jobs/${body.id}`);
    const notYet = { status: null, error: null, attempts: 0 };
    expect(job.destination).toEqual({ connection: "shop", key: "K-17/kettle-mask.{ext}", ...notYet });
    const form = new FormData();
    form.set("imageUrl", imageUrl);
    form.set("destination.connection", "shop");
    form.set("destination.key", "{name}.png");
    const { body: byForm } = await client.call("POST", "/v1/tools/mask/edit", { form });
    const { body: formJob } = await client.call("GET", `/v1/jobs/${byForm.id}`);
    expect(formJob.destination).toEqual({ connection: "shop", key: "kettle.png", ...notYet });
    await remove(connection.id);
  });

  test("is refused when it names no connection of its account and mode", async () => {
    const { body: connection } = await create("shop");
    const stranger = await openAccount(fixture.apis.all[0]!);
    const other = apiClient(fixture.apis.all[0]!.url, stranger.key);
    const destination = { connection: "shop", key: "a.png" };
    for (const json of [{ imageUrl: "s3://shop/kettle.jpg" }, { imageUrl, destination }]) {
      const { status, body } = await edit(json, other);
      expect([status, body.message]).toEqual([400, 'Connection "shop" not found: GET /v1/connections lists yours.']);
    }
    expect((await other.call("GET", `/v1/connections/${connection.id}`)).status).toBe(404);
    await remove(connection.id);
  });

  test.each([
    [{ imageUrl: "s3://shop/../kettle.jpg" }, "imageUrl"],
    [{ imageUrl: "s3://shop" }, "imageUrl"],
    [{ imageUrl, destination: { connection: "shop", key: "../{tool}.png" } }, "destination.key"],
    [{ imageUrl, destination: { connection: "shop", key: "{sku}.png" } }, "destination.key"],
    [{ imageUrl, destination: { connection: "shop", key: "{ref}.png" } }, "destination.key"],
    [
      { imageUrl, metadata: { ref: "../.." }, destination: { connection: "shop", key: "{ref}/a.png" } },
      "destination.key",
    ],
  ])("%j is refused", async (json, field) => {
    const { status, body } = await edit(json);
    expect([status, body.code, body.message.includes(field)]).toEqual([400, "invalid_request", true]);
  });
});

describe("a worker that asks for a link", () => {
  async function ask(request: BucketLinkRequest): Promise<BucketLinkAnswer> {
    const { connection } = fixture.apis.log;
    const answer = await connection.request(subjects.bucketLink, JSON.stringify(request), { timeout: 60_000 });
    return answer.json<BucketLinkAnswer>();
  }
  const store = (job: QueuedJob | ReturnType<typeof processingJob>) =>
    fixture.apis.log.commit("test", [{ subject: subjects.job(job.accountId, job.id), value: job }]);
  const destination = { connection: "shop", key: "K-17.{ext}" };

  test("gets the source of a job that waits, and the result's place of the attempt that runs", async () => {
    const { accountId } = account;
    const { body: connection } = await create("shop", { ...there(), prefix: "catalog/" });
    const waiting = queuedJob({ accountId, source: { kind: "url", imageUrl: "s3://shop/in/mug.jpg" } });
    const running = processingJob({ accountId, destination });
    await Promise.all([store(waiting), store(running)]);
    const source = await ask({ kind: "source", accountId, jobId: waiting.id });
    expect(source).toMatchObject({
      link: { method: "GET", url: expect.stringContaining("/photos/catalog/in/mug.jpg?") },
    });
    const request = { kind: "result", accountId, jobId: running.id, contentType: "image/webp", bytes: 9 } as const;
    const result = await ask({ ...request, attemptId: running.attemptId });
    expect(result).toMatchObject({
      link: { method: "PUT", url: expect.stringContaining("/photos/catalog/K-17.webp?") },
    });
    expect(JSON.stringify([source, result])).not.toContain(there().secretAccessKey);
    expect(await ask({ ...request, attemptId: uuidv7() })).toMatchObject({ error: { code: "destination_failed" } });
    expect(await ask({ kind: "source", accountId, jobId: running.id })).toHaveProperty("error");
    expect(await ask({ kind: "source", accountId, jobId: uuidv7() })).toHaveProperty("error");
    await remove(connection.id);
    expect(await ask({ ...request, attemptId: running.attemptId })).toMatchObject({
      error: {
        code: "destination_failed",
        message: expect.stringMatching(/"shop" no longer exists: create it anew .*, and deliver the job again\.$/),
      },
    });
  });

  test("gets no answer to a subject of records, which this process could overwrite", async () => {
    const { log } = fixture.apis;
    const record = `ps.03.account.${uuidv7()}`;
    const request = JSON.stringify({ kind: "source", accountId: uuidv7(), jobId: uuidv7() });
    log.connection.publish(subjects.bucketLink, request, { reply: record });
    // Answered after it.
    await ask({ kind: "source", accountId: uuidv7(), jobId: uuidv7() });
    expect((await log.read(record)).sequence).toBe(0);
  });
});
