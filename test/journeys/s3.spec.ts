/**
 * The running stack with its files on S3: every promise of the API about uploads, links and deletion, on a real server.
 * @module-tag versitygw
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createS3Access } from "@packshot/platform/storage/s3-client.ts";
import { createS3Storage } from "@packshot/platform/storage/s3-storage.ts";
import { afterEach, beforeAll, expect, test } from "vitest";
import * as images from "../../testing/images/odd-images.ts";
import { type S3Proxy, startS3Proxy } from "../../testing/servers/s3-proxy.ts";
import { startS3, type TestS3 } from "../../testing/servers/versitygw.ts";
import { formWith, type LiveStack, startLiveStack } from "../../testing/stack/live-stack.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { type Receiver, startReceiver } from "../../testing/webhooks/receiver.ts";

const run = promisify(execFile);
const cli = fileURLToPath(new URL("../../cli/packshot.ts", import.meta.url));
const photo = await images.jpeg();

interface Fixture {
  readonly s3: TestS3;
  /** Between the service and S3. Clients reach the server by its own address. */
  readonly inside: S3Proxy;
  readonly stack: LiveStack;
  readonly receiver: Receiver;
  readonly imageUrl: string;
  stop(): Promise<void>;
}

async function startOnS3(): Promise<Fixture> {
  const s3 = await startS3();
  const inside = await startS3Proxy(s3.url);
  const receiver = await startReceiver();
  const site = createServer((_request, response) => response.end(photo));
  await once(site.listen(0, "127.0.0.1"), "listening");
  const { port } = site.address() as AddressInfo;
  const settings = {
    ...s3.environment,
    PACKSHOT_S3_ENDPOINT: inside.url,
    PACKSHOT_S3_PUBLIC_ENDPOINT: s3.url,
    PACKSHOT_S3_PREFIX: "shop/photos",
  };
  const stack = await startLiveStack(settings, [`127.0.0.1:${port}`]);
  return {
    s3,
    inside,
    stack,
    receiver,
    imageUrl: `http://127.0.0.1:${port}/mug.jpg`,
    async stop() {
      await stack.stop();
      await receiver.close();
      site.closeAllConnections();
      site.close();
      await inside.stop();
      await s3.stop();
    },
  };
}

const fixture = suiteFixture<Fixture>(startOnS3);
let filesOf: (text: string) => Promise<string[]>;

beforeAll(() => {
  const settings = { ...fixture.s3.settings, prefix: "shop/photos/" };
  const storage = createS3Storage(settings, createS3Access(settings));
  filesOf = async (text) =>
    (await Array.fromAsync(storage.list("api/"), ({ key }) => key)).filter((key) => key.includes(text));
});
afterEach(() => fixture.inside.setFault(() => undefined));

async function ask(method: string, path: string, json?: object) {
  const headers = { "Content-Type": "application/json" };
  const init = json === undefined ? {} : { headers, body: JSON.stringify(json) };
  const response = await fixture.stack.call(method, path, init);
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape; the tests say which
  return { status: response.status, headers: response.headers, body: (text === "" ? {} : JSON.parse(text)) as any };
}

async function openSession() {
  const declared = { contentType: "image/jpeg", filename: "mug.jpg", sizeBytes: photo.length };
  const { status, body } = await ask("POST", "/v1/uploads", declared);
  expect(status).toBe(201);
  return body as { uploadUrl: string; uploadSessionId: string; method: string; headers: Record<string, string> };
}

const send = (url: string, contentType: string, bytes: Uint8Array) =>
  fetch(url, { method: "PUT", headers: { "Content-Type": contentType }, body: new Uint8Array(bytes) });

// biome-ignore lint/suspicious/noExplicitAny: a job as the API gives it
async function expectResults(job: any): Promise<void> {
  expect(job).toMatchObject({ status: "completed", error: null });
  for (const [url, contentType] of [
    [job.resultUrl, "image/png"],
    [job.thumbnailUrl, "image/webp"],
  ]) {
    expect(new URL(url).origin).toBe(fixture.s3.url);
    const response = await fetch(url);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, contentType]);
    expect(response.headers.get("content-disposition")).toMatch(/^inline; filename="/);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
  }
}

test("a photo in a form is edited, and deleting the job removes its files", async () => {
  const { body } = await fixture.stack.edit("mask", formWith(photo));
  await expectResults(body);
  // Source, result, thumbnail, and the matte for later edits.
  expect((await filesOf(body.id)).length).toBe(4);
  expect((await ask("DELETE", `/v1/jobs/${body.id}`)).status).toBe(204);
  await expect.poll(() => filesOf(body.id)).toEqual([]);
  expect((await fetch(body.resultUrl)).status).toBe(404);
});

test("a photo behind an imageUrl is edited", async () => {
  const { body } = await fixture.stack.edit("mask", { imageUrl: fixture.imageUrl });
  await expectResults(body);
});

test("bytes go from the client to S3, and one session serves several edits", async () => {
  const { uploadUrl, uploadSessionId, method, headers } = await openSession();
  expect(new URL(uploadUrl).origin).toBe(fixture.s3.url);
  const early = await ask("POST", "/v1/tools/mask/edit", { uploadSessionId });
  expect([early.status, early.body.code]).toEqual([409, "upload_incomplete"]);
  expect((await send(uploadUrl, "image/png", photo)).status).toBe(403);
  expect((await send(uploadUrl, "image/jpeg", photo.subarray(1))).status).toBe(403);
  expect((await send(uploadUrl, "image/jpeg", Buffer.concat([photo, photo]))).status).toBe(403);
  expect((await ask("GET", `/v1/uploads/${uploadSessionId}`)).body.status).toBe("pending");
  expect((await fetch(uploadUrl, { method, headers, body: new Uint8Array(photo) })).status).toBe(200);
  expect((await ask("GET", `/v1/uploads/${uploadSessionId}`)).body.status).toBe("complete");
  for (const tool of ["mask", "ai-shadows"]) {
    await expectResults((await fixture.stack.edit(tool, { uploadSessionId })).body);
  }
  const { body: job } = await fixture.stack.edit("mask", { uploadSessionId });
  expect((await ask("DELETE", `/v1/uploads/${uploadSessionId}`)).status).toBe(204);
  expect(await filesOf(uploadSessionId)).toEqual([]);
  // The job has its own copy of the source.
  await expectResults((await ask("GET", `/v1/jobs/${job.id}`)).body);
});

test("a webhook's links work", async () => {
  expect((await ask("POST", "/v1/webhooks", { url: fixture.receiver.url })).status).toBe(201);
  const { body } = await fixture.stack.edit("mask", formWith(photo));
  await fixture.receiver.until((received) => received.some((event) => event.body.includes(body.id)));
  const { data } = JSON.parse(fixture.receiver.received.find((event) => event.body.includes(body.id))!.body);
  expect((await fetch(data.resultUrl)).status).toBe(200);
  expect((await fetch(data.thumbnailUrl)).status).toBe(200);
});

test.each([
  [503, "SlowDown"],
  [500, "InternalError"],
  [507, "InsufficientStorage"],
])(
  "while S3 answers %d %s, nothing is lost and nobody sees a 500",
  async (status, code) => {
    const { uploadUrl, uploadSessionId, headers } = await openSession();
    await fetch(uploadUrl, { method: "PUT", headers, body: new Uint8Array(photo) });
    fixture.inside.setFault((request) => (/^(PUT|POST)/.test(request) ? { status, code } : undefined));
    const form = await fixture.stack.call("POST", "/v1/tools/mask/edit", { body: formWith(photo) });
    const session = await ask("POST", "/v1/tools/mask/edit", { uploadSessionId });
    for (const refused of [form, session]) {
      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(await form.json()).toMatchObject({ code: "unavailable" });
    // A job that is accepted meanwhile waits for S3 and is not failed by it.
    const { status: accepted, body } = await ask("POST", "/v1/tools/mask/edit", { imageUrl: fixture.imageUrl });
    expect(accepted).toBe(202);
    const readiness = fixture.stack.file.metrics.worker!.replace(/metrics$/, "health/ready");
    await expect.poll(async () => (await fetch(readiness)).status).toBe(503);
    fixture.inside.setFault(() => undefined);
    await expect.poll(async () => (await ask("GET", `/v1/jobs/${body.id}`)).body.status).toBe("completed");
    await expect.poll(async () => (await fetch(readiness)).status).toBe(200);
  },
  240_000,
);

test("a full S3 refuses sessions and stays in service", async () => {
  fixture.inside.setFault((request) =>
    request.startsWith("PUT") ? { status: 507, code: "InsufficientStorage" } : undefined,
  );
  const declared = { contentType: "image/jpeg", filename: "mug.jpg", sizeBytes: photo.length };
  // What S3 said holds for five seconds, in which a busy machine may not come to ask both.
  const answers = async () => {
    const edited = await fixture.stack.call("POST", "/v1/tools/mask/edit", { body: formWith(photo) });
    const session = await ask("POST", "/v1/uploads", declared);
    const health = await ask("GET", "/healthz");
    return { edited: edited.status, session: [session.status, session.body.code], health: health.body };
  };
  await expect
    .poll(answers)
    .toEqual({ edited: 503, session: [503, "unavailable"], health: { status: "ok", storage: "full" } });
  fixture.inside.setFault(() => undefined);
  await expect.poll(async () => (await ask("POST", "/v1/uploads", declared)).status).toBe(201);
  expect((await ask("GET", "/healthz")).body).toEqual({ status: "ok", storage: "ok" });
});

test("doctor finds every right, migrate prepares the bucket once, and the ledger is read from it", async () => {
  const { stack, s3 } = fixture;
  const settings = { ...s3.environment, PACKSHOT_S3_PREFIX: "shop/photos", PACKSHOT_NATS_URL: stack.file.natsUrl };
  const packshot = (...args: string[]) =>
    run(process.execPath, [cli, ...args], { env: { ...process.env, ...settings } });
  const { stdout: findings } = await packshot("doctor", "--data-dir", stack.dataDir).catch((error) => error);
  for (const check of ["put", "get", "list", "uploads in parts", "delete", "links", "clock"]) {
    expect(findings).toMatch(new RegExp(`^ok +S3 ${check}: `, "m"));
  }
  expect((await packshot("migrate")).stdout).toContain("lets web pages use links");
  // The second time that rule is there; versitygw has no lifecycle rules.
  expect((await packshot("migrate")).stdout).toMatch(/^files in photos that the janitor has missed stay, unless.*\n$/);
  expect((await packshot("ledger", "verify")).stdout).toMatch(/ 0 problems; /);
});

test("no log holds a secret, a signature or a link", async () => {
  const texts = await Promise.all(
    (await readdir(fixture.stack.file.logs)).map((name) => readFile(join(fixture.stack.file.logs, name), "utf8")),
  );
  expect(texts.join("")).toContain("SlowDown");
  const { accessKeyId, secretAccessKey } = fixture.s3.settings.credentials!;
  for (const secret of [secretAccessKey, accessKeyId, "X-Amz-Signature", "X-Amz-Credential"]) {
    expect(texts.join("")).not.toContain(secret);
  }
});

test("after its retention a job is gone, with its files and its links", async () => {
  const stack = await startLiveStack({
    ...fixture.s3.environment,
    PACKSHOT_S3_PREFIX: "brief",
    PACKSHOT_RETENTION_SECONDS: "1",
  });
  try {
    const { body } = await stack.edit("mask", formWith(photo));
    const settings = { ...fixture.s3.settings, prefix: "brief/" };
    const storage = createS3Storage(settings, createS3Access(settings));
    await expect.poll(() => Array.fromAsync(storage.list("api/"), ({ key }) => key)).toEqual([]);
    if (body.resultUrl) expect((await fetch(body.resultUrl)).status).toBeGreaterThanOrEqual(403);
    expect([404, 410]).toContain((await stack.call("GET", `/v1/jobs/${body.id}`)).status);
  } finally {
    await stack.stop();
  }
}, 240_000);
