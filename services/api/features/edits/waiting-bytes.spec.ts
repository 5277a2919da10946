/** The photos of unfinished jobs, and those of open upload sessions, have at most `maxWaitingBytes`. No job runs here. */
import { existsSync, readdirSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import type { QueueEntry } from "@packshot/domain/accounts/queue-entry.ts";
import type { QueuedJob } from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { beforeAll, expect, test } from "vitest";
import { openAccount, operator } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient, type Reply } from "../../../../testing/api/contract-client.ts";
import { png } from "../../../../testing/images/odd-images.ts";
import { formWith } from "../../../../testing/stack/live-stack.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

const path = "/v1/tools/mask/edit";
const apis = suiteFixture(() => startApis({ count: 2 }));
let photo: Buffer;

beforeAll(async () => {
  photo = await png();
});

/** An account whose jobs may hold so many photos. */
async function clientWith(photos: number, limits: object = {}) {
  const order = { limits: { maxWaitingBytes: photos * photo.length, ...limits } };
  const { accountId, key } = await openAccount(apis.all[0]!, order);
  const clients = apis.all.map(({ url }) => apiClient(url, key));
  const filesHeld = () => {
    const folder = join(apis.storageDir, "api", accountId);
    return existsSync(folder) ? readdirSync(folder).filter((name) => name !== "uploads").length : 0;
  };
  return { accountId, key, client: clients[0]!, clients, filesHeld };
}

const form = () => ({ form: formWith(photo, {}) });
const codeOf = ({ status, body }: Reply) => (status === 202 ? 202 : body.code);

test("as many forms are accepted as their photos fit, exactly, by whichever process; the others leave no file", async () => {
  const { clients, filesHeld } = await clientWith(5, { concurrentJobs: 2 });
  const replies = await Promise.all(Array.from({ length: 16 }, (_, i) => clients[i % 2]!.call("POST", path, form())));
  expect(replies.map(codeOf).filter((code) => code === 202)).toHaveLength(5);
  expect(replies.map(codeOf).filter((code) => code === "queue_full")).toHaveLength(11);
  const refused = replies.find(({ status }) => status === 429)!;
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  await expect.poll(filesHeld).toBe(5);
});

test.each([
  ["maskImage", {}],
  ["paletteImage", {}],
  ["toneImage", { tone: "match" }],
])("a file %s takes as much as a photo of its size", async (name, fields) => {
  const { client, filesHeld } = await clientWith(3, { concurrentJobs: 1 });
  const scene = "/v1/tools/ai-bg/edit";
  const pictured = () => {
    const both = formWith(photo, fields);
    both.set(name, new Blob([new Uint8Array(photo)], { type: "image/png" }), "picture.png");
    return { form: both };
  };
  expect(codeOf(await client.call("POST", scene, pictured()))).toBe(202);
  expect(codeOf(await client.call("POST", scene, pictured()))).toBe("queue_full");
  expect(codeOf(await client.call("POST", scene, form()))).toBe(202);
  await expect.poll(filesHeld).toBe(2);
});

test("a form is refused before its photo is sent, also one without a Content-Length", async () => {
  const { key, client } = await clientWith(1);
  expect(codeOf(await client.call("POST", path, form()))).toBe(202);
  for (const length of [{ "Content-Length": 1_000_000 }, {}]) {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "multipart/form-data; boundary=b", ...length };
    const request = httpRequest(apis.all[0]!.url + path, { method: "POST", headers });
    request.once("response", ({ statusCode }) => resolve(statusCode)).once("error", reject);
    request.flushHeaders();
    expect(await promise).toBe(429);
    request.destroy();
  }
});

test.each(["cancel", "delete"])("a job that ends by %s gives its bytes back", async (how) => {
  const { client } = await clientWith(2, { concurrentJobs: 1 });
  const first = await client.call("POST", path, form());
  const second = await client.call("POST", path, form());
  expect(codeOf(await client.call("POST", path, form()))).toBe("queue_full");
  for (const { body } of [first, second]) {
    if (how === "cancel") await client.call("POST", `/v1/jobs/${body.id}/cancel`);
    else await client.call("DELETE", `/v1/jobs/${body.id}`);
  }
  const accepted: unknown[] = [];
  await expect
    .poll(async () => {
      const code = codeOf(await client.call("POST", path, form()));
      if (code === 202) accepted.push(code);
      return accepted.length;
    })
    .toBe(2);
  expect(codeOf(await client.call("POST", path, form()))).toBe("queue_full");
});

test("a repeated request gets its job, however full the account is", async () => {
  const { client } = await clientWith(1);
  const keyed = () => ({ ...form(), headers: { "Idempotency-Key": "the-only-one" } });
  const first = await client.call("POST", path, keyed());
  const again = await client.call("POST", path, keyed());
  expect([codeOf(again), again.body.id]).toEqual([202, first.body.id]);
});

test("jobs of test keys take nothing from live ones", async () => {
  const { client } = await clientWith(1);
  const test = (await client.call("POST", "/v1/account/keys", { json: { name: "test", live: false } })).body.key;
  expect(codeOf(await client.call("POST", path, { ...form(), key: test }))).toBe(202);
  expect(codeOf(await client.call("POST", path, { ...form(), key: test }))).toBe("queue_full");
  expect(codeOf(await client.call("POST", path, form()))).toBe(202);
});

test("upload sessions count with the bytes declared for them, and deleting one gives them back", async () => {
  const { client, filesHeld } = await clientWith(3);
  const open = (sizeBytes: number) =>
    client.call("POST", "/v1/uploads", { json: { contentType: "image/png", filename: "a.png", sizeBytes } });
  const session = await open(photo.length);
  const { uploadUrl, headers, uploadSessionId } = session.body;
  expect((await fetch(uploadUrl, { method: "PUT", headers, body: new Uint8Array(photo) })).status).toBe(200);
  expect((await open(2 * photo.length)).status).toBe(201);
  const refused = await open(1);
  expect([refused.status, refused.body.code]).toEqual([409, "limit_reached"]);
  expect(refused.body.message).toContain(`hold ${3 * photo.length} bytes`);
  const edits = [1, 2, 3, 4].map(() => client.call("POST", path, { json: { uploadSessionId } }));
  expect((await Promise.all(edits)).map(codeOf).sort()).toEqual([202, 202, 202, "queue_full"]);
  expect(filesHeld()).toBe(3);
  expect((await client.call("DELETE", `/v1/uploads/${uploadSessionId}`)).status).toBe(204);
  expect([(await open(photo.length)).status, (await open(1)).status]).toEqual([201, 409]);
});

test("as many sessions are open as jobs may wait, whichever process opens them", async () => {
  const { accountId, clients } = await clientWith(100, { maxQueuedJobs: 6 });
  const json = { contentType: "image/png", filename: "a.png", sizeBytes: 1 };
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, i) => clients[i % 2]!.call("POST", "/v1/uploads", { json })),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(6);
  // The processes contend for the tally, and it stands first in their batches: group commit knows them by it.
  const { sequence } = await apis.log.read(subjects.index(accountId, "uploads"));
  const behind = await apis.log.readNext(subjects.upload(accountId, "*"), sequence);
  expect(behind?.sequence).toBe(sequence + 1);
});

test("only as many addresses are fetched early as half of the limit has room for, and none keeps a job from waiting", async () => {
  const { accountId, client } = await clientWith(0, {
    maxFileSizeBytes: 1_000,
    maxWaitingBytes: 4_000,
    concurrentJobs: 1,
  });
  const marks: unknown[] = [];
  for (let i = 0; i < 5; i++) {
    const { body } = await client.call("POST", path, { json: { imageUrl: "https://shop.example/mug.jpg" } });
    const { value: wait } = await apis.log.read<QueueEntry>(subjects.wait.live(accountId, body.id));
    const { value: job } = await apis.log.read<QueuedJob>(subjects.job(accountId, body.id));
    marks.push([wait?.sourceIsUrl, job?.sourceBytes]);
  }
  expect(marks).toEqual([
    [undefined, 0],
    [true, 1_000],
    [true, 1_000],
    [undefined, 0],
    [undefined, 0],
  ]);
});

test("the account shows its limit, which the operator changes", async () => {
  const { accountId, client } = await clientWith(1);
  const shown = async () => (await client.call("GET", "/v1/account")).body.limits.maxWaitingBytes;
  expect(await shown()).toBe(photo.length);
  expect((await operator(apis.all[0]!, "PATCH", `/accounts/${accountId}`, { plan: "starter" })).status).toBe(200);
  expect(await shown()).toBe(25_000 * 1024 * 1024);
});
