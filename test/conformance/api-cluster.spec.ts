/** Three nats-servers with three replicas of each stream, where a replica may answer with stale data. */
import { expect, test } from "vitest";
import { openAccount } from "../../testing/api/accounts.ts";
import { startApis } from "../../testing/api/api-processes.ts";
import { apiClient } from "../../testing/api/contract-client.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";

const apis = suiteFixture(() => startApis({ cluster: 3, count: 2 }));
const imageUrl = "https://shop.example/a.jpg";
const rounds = 150;

test("a job that one process accepted is visible on another at once, and one that it deleted is not", async () => {
  const { key } = await openAccount(apis.all[0]!);
  const [one, two] = apis.all.map((api) => apiClient(api.url, key));
  for (let i = 0; i < rounds; i++) {
    const { status, body } = await one!.call("POST", "/v1/tools/mask/edit", { json: { imageUrl } });
    expect(status).toBe(202);
    expect((await two!.call("GET", `/v1/jobs/${body.id}`)).status).toBe(200);
    if (i % 3 !== 0) continue;
    expect((await two!.call("DELETE", `/v1/jobs/${body.id}`)).status).toBe(204);
    expect((await one!.call("GET", `/v1/jobs/${body.id}`)).status).toBe(404);
  }
});

test("an upload made on one process is edited by another", async () => {
  const { key } = await openAccount(apis.all[0]!);
  const [one, two] = apis.all.map((api) => apiClient(api.url, key));
  for (let i = 0; i < 20; i++) {
    const json = { contentType: "image/png", filename: "a.png", sizeBytes: 3 };
    const { body } = await one!.call("POST", "/v1/uploads", { json });
    expect(
      (await fetch(body.uploadUrl, { method: "PUT", headers: body.headers, body: new Uint8Array(3) })).status,
    ).toBe(200);
    const { uploadSessionId } = body;
    expect((await two!.call("POST", "/v1/tools/mask/edit", { json: { uploadSessionId } })).status).toBe(202);
  }
});

test("fifty equal requests at once make one job and one debit, a hundred different ones a hundred", async () => {
  const { key } = await openAccount(apis.all[0]!);
  const clients = apis.all.map((api) => apiClient(api.url, key));
  const edit = (i: number, idempotencyKey: string) =>
    clients[i % 2]!.call("POST", "/v1/tools/mask/edit", {
      json: { imageUrl },
      headers: { "Idempotency-Key": idempotencyKey },
    });
  const equal = await Promise.all(Array.from({ length: 50 }, (_, i) => edit(i, "one")));
  const others = await Promise.all(Array.from({ length: 100 }, (_, i) => edit(i, `other-${i}`)));
  expect(new Set([...equal, ...others].map((reply) => reply.status))).toEqual(new Set([202]));
  expect(new Set(equal.map((reply) => reply.body.id)).size).toBe(1);
  expect(new Set(others.map((reply) => reply.body.id)).size).toBe(100);
  expect((await clients[1]!.call("GET", "/v1/account")).body.credits.remaining).toBe(1_000_000 - 101);
});

test("when a nats-server dies, nothing is lost: accepts continue, each once", async () => {
  const { key } = await openAccount(apis.all[0]!);
  const clients = apis.all.map((api) => apiClient(api.url, key));
  const send = async (i: number) => {
    const headers = { "Idempotency-Key": `kill-${i}` };
    for (;;) {
      const reply = await clients[i % 2]!.call("POST", "/v1/tools/mask/edit", { json: { imageUrl }, headers });
      if (reply.status !== 503) return reply;
    }
  };
  const pending = Array.from({ length: 60 }, (_, i) => send(i));
  await apis.nats.kill(0);
  const replies = await Promise.all([...pending, ...Array.from({ length: 20 }, (_, i) => send(60 + i))]);
  await apis.nats.restart(0);
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([202]));
  expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(80);
  expect((await clients[0]!.call("GET", "/v1/account")).body.credits.remaining).toBe(1_000_000 - 80);
}, 180_000);
