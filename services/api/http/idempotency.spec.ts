import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { type OpenedAccount, openAccount, operator } from "../../../testing/api/accounts.ts";
import { startApis } from "../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { canonicalJson } from "./idempotency.ts";

const apis = suiteFixture(() => startApis({ count: 3 }));
let account: OpenedAccount;
let clients: ContractClient[];
const imageUrl = "https://shop.example/a.jpg";

beforeAll(async () => {
  account = await openAccount(apis.all[0]!, { limits: { concurrentJobs: 5 } });
  clients = apis.all.map((api) => apiClient(api.url, account.key));
});

const credits = async () => (await clients[0]!.call("GET", "/v1/account")).body.credits.remaining as number;
const edit = (client: ContractClient, key: string, parameters: object = { seed: 1 }) =>
  client.call("POST", "/v1/tools/mask/edit", { json: { imageUrl, parameters }, headers: { "Idempotency-Key": key } });

test("fifty equal requests at once on three processes create one job and one debit", async () => {
  const before = await credits();
  const replies = await Promise.all(Array.from({ length: 50 }, (_, i) => edit(clients[i % 3]!, "race-1")));
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([202]));
  expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
  expect(replies.filter((reply) => reply.headers.get("idempotency-replayed") === null)).toHaveLength(1);
  expect(await credits()).toBe(before - 1);
});

test("fifty equal files at once leave one source", async () => {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#000" } })
    .png()
    .toBuffer();
  const folder = join(apis.storageDir, "api", account.accountId);
  const before = existsSync(folder) ? readdirSync(folder).length : 0;
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, i) => {
      const form = new FormData();
      form.append("image", new Blob([Uint8Array.from(png)]), `${i}.png`);
      const headers = { "Idempotency-Key": "race-2" };
      return clients[i % 3]!.call("POST", "/v1/tools/mask/edit", { form, headers });
    }),
  );
  expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(1);
  expect(readdirSync(folder)).toHaveLength(before + 1);
});

test("the key is refused with another request, concurrent ones included", async () => {
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, i) => edit(clients[i % 3]!, "race-3", { seed: i % 2 })),
  );
  const [made] = replies.filter((reply) => reply.status === 202);
  const others = replies.filter((reply) => reply.status !== 202);
  expect(new Set(others.map((reply) => `${reply.status} ${reply.body.code}`))).toEqual(
    new Set(["422 idempotency_key_reused"]),
  );
  expect(others).toHaveLength(15);
  expect(made).toBeDefined();
});

test("the order of a request's members does not matter", async () => {
  const first = await edit(clients[0]!, "order", { seed: 1, output: { format: "png", width: 10 } });
  const second = await edit(clients[1]!, "order", { output: { width: 10, format: "png" }, seed: 1 });
  expect(second.body).toEqual(first.body);
});

test("the same key of another account, or of a test key, is another key", async () => {
  const first = await edit(clients[0]!, "mine");
  const stranger = await openAccount(apis.all[0]!);
  expect((await edit(apiClient(apis.all[1]!.url, stranger.key), "mine")).body.id).not.toBe(first.body.id);
  const { body } = await operator(apis.all[0]!, "POST", `/accounts/${account.accountId}/keys`, {
    name: "t",
    live: false,
  });
  expect((await edit(apiClient(apis.all[1]!.url, body.key as string), "mine")).body.id).not.toBe(first.body.id);
});

test("the key of a deleted job is answered with job_expired", async () => {
  const { body } = await edit(clients[0]!, "gone");
  await clients[1]!.call("DELETE", `/v1/jobs/${body.id}`);
  const again = await edit(clients[2]!, "gone");
  expect([again.status, again.body.code]).toEqual([410, "job_expired"]);
});

test("a request that was refused for lack of credits is not remembered", async () => {
  const poor = await openAccount(apis.all[0]!);
  await operator(apis.all[0]!, "POST", `/accounts/${poor.accountId}/grants`, { amount: -1_000_000 });
  const client = apiClient(apis.all[1]!.url, poor.key);
  const refused = await edit(client, "poor");
  expect([refused.status, refused.body.code]).toEqual([402, "insufficient_credits"]);
  await operator(apis.all[0]!, "POST", `/accounts/${poor.accountId}/grants`, { amount: 5 });
  const made = await edit(client, "poor");
  expect([made.status, made.headers.get("idempotency-replayed")]).toEqual([202, null]);
});

test("a webhook's first response is repeated, with its secret", async () => {
  const make = (client: ContractClient) =>
    client.call("POST", "/v1/webhooks", {
      json: { url: "https://shop.example/hook" },
      headers: { "Idempotency-Key": "hook" },
    });
  const replies = await Promise.all(clients.map(make));
  expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
  expect(replies[0]!.body.secret).toMatch(/^whsec_/);
  const [{ id }, ...others] = (await clients[0]!.call("GET", "/v1/webhooks")).body.data;
  expect(others).toEqual([]);
  await clients[0]!.call("DELETE", `/v1/webhooks/${id}`);
  for (const { status, body } of await Promise.all(clients.map(make))) {
    expect([status, body.code, body.message]).toEqual([410, "webhook_deleted", expect.stringContaining(id)]);
  }
});

test("an upload session's first response is repeated where the session is gone, and its link takes nothing", async () => {
  const json = { contentType: "image/png", filename: "a.png", sizeBytes: 3 };
  const make = async () =>
    await clients[0]!.call("POST", "/v1/uploads", { json, headers: { "Idempotency-Key": "session" } });
  const first = await make();
  await clients[1]!.call("DELETE", `/v1/uploads/${first.body.uploadSessionId}`);
  const { status, body } = await make();
  expect([status, body.uploadSessionId, body.status]).toEqual([201, first.body.uploadSessionId, "pending"]);
  const { uploadUrl, method, headers } = body;
  const sent = await fetch(uploadUrl, { method, headers, body: "png" });
  expect([sent.status, await sent.json()]).toEqual([410, expect.objectContaining({ code: "upload_expired" })]);
});

test("a key that is too long or not visible ASCII is refused", async () => {
  for (const key of ["two words", "x".repeat(256)]) {
    const { status, body } = await edit(clients[0]!, key);
    expect([status, body.code]).toEqual([400, "invalid_request"]);
  }
});

test("canonical JSON sorts members and leaves out undefined ones", () => {
  expect(canonicalJson({ b: [1, { d: 1, c: "x" }], a: undefined })).toBe('{"b":[1,{"c":"x","d":1}]}');
});
