import { expect, test } from "vitest";
import { openAccount, operator } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

const apis = suiteFixture(() => startApis({ count: 2 }));

const imageUrl = "https://shop.example/a.jpg";

test("a revoked key and a suspended account are refused at once, on every process", async () => {
  const [one, two] = apis.all;
  const { accountId, key } = await openAccount(one!);
  const clients = [apiClient(one!.url, key), apiClient(two!.url, key)];
  const made = await clients[0]!.call("POST", "/v1/account/keys", { json: { name: "second" } });
  expect(made.status).toBe(201);
  const second = made.body.key as string;
  expect(second).toMatch(/^ps_live_[\w-]{53}$/);
  for (const client of clients) expect((await client.call("GET", "/v1/account", { key: second })).status).toBe(200);
  expect((await clients[0]!.call("DELETE", `/v1/account/keys/${made.body.id}`)).status).toBe(204);
  for (const client of clients) {
    await expect
      .poll(async () => (await client.call("GET", "/v1/account", { key: second })).body.code)
      .toBe("unauthenticated");
  }
  await operator(one!, "PATCH", `/accounts/${accountId}`, { apiEnabled: false });
  for (const client of clients) {
    await expect.poll(async () => (await client.call("GET", "/v1/account")).body.code).toBe("api_disabled");
  }
  await operator(one!, "PATCH", `/accounts/${accountId}`, { apiEnabled: true });
  await expect.poll(async () => (await clients[1]!.call("GET", "/v1/account")).status).toBe(200);
});

test("keys are listed without their secrets, with the time of their last use", async () => {
  const client = apiClient(apis.all[0]!.url, (await openAccount(apis.all[0]!)).key);
  await client.call("POST", "/v1/account/keys", {
    json: { name: "ci", live: false, expiresAt: "2099-01-01T00:00:00Z" },
  });
  const { body } = await client.call("GET", "/v1/account/keys");
  expect(body.data).toMatchObject([
    { name: "first", live: true, expiresAt: null, lastUsedAt: expect.any(String) },
    { name: "ci", live: false, expiresAt: "2099-01-01T00:00:00.000Z", lastUsedAt: null },
  ]);
  expect(JSON.stringify(body)).not.toMatch(/sha256|ps_(live|test)_[\w-]{20}/);
});

test("an account has no more keys than its plan allows, however many requests two processes get at once", async () => {
  const { key } = await openAccount(apis.all[0]!, { limits: { maxApiKeys: 5 } });
  const clients = apis.all.map((api) => apiClient(api.url, key));
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, i) => clients[i % 2]!.call("POST", "/v1/account/keys", { json: { name: `k${i}` } })),
  );
  expect(replies.filter((reply) => reply.status === 201)).toHaveLength(4);
  expect(replies.filter((reply) => reply.status === 409 && reply.body.code === "limit_reached")).toHaveLength(8);
  const { data } = (await clients[0]!.call("GET", "/v1/account/keys")).body;
  expect(data).toHaveLength(5);
  await clients[1]!.call("DELETE", `/v1/account/keys/${data[4].id}`);
  expect((await clients[0]!.call("POST", "/v1/account/keys", { json: { name: "again" } })).status).toBe(201);
});

test("an expired key is refused", async () => {
  const [api] = apis.all;
  const { accountId } = await openAccount(api!);
  const soon = new Date(Date.now() + 15_000).toISOString();
  const { body } = await operator(api!, "POST", `/accounts/${accountId}/keys`, { name: "short", expiresAt: soon });
  const client = apiClient(api!.url, body.key as string);
  expect((await client.call("GET", "/v1/account")).status).toBe(200);
  await expect.poll(async () => (await client.call("GET", "/v1/account")).body.code).toBe("unauthenticated");
  const past = await operator(api!, "POST", `/accounts/${accountId}/keys`, {
    name: "p",
    expiresAt: "2001-01-01T00:00:00Z",
  });
  expect([past.status, past.body.code]).toEqual([400, "invalid_request"]);
});

test.each([undefined, "", "Basic abc", "Bearer", "Bearer nope", `Bearer ps_live_${"x".repeat(43)}`])(
  "Authorization %j is unauthenticated",
  async (authorization) => {
    const client = apiClient(apis.all[0]!.url, "");
    const headers: Record<string, string> = authorization === undefined ? {} : { Authorization: authorization };
    const reply = await client.call("GET", "/v1/account", { key: null, headers });
    expect([reply.status, reply.body.code]).toEqual([401, "unauthenticated"]);
    expect(reply.headers.get("www-authenticate")).toContain("Bearer");
  },
);

// Retried, because the counts start anew when the clock's hour turns in between.
test("every request counts once, whatever it does, and the headers show what is left", { retry: 1 }, async () => {
  const { key } = await openAccount(apis.all[0]!, { limits: { rateLimitPerHour: 8 } });
  const client = apiClient(apis.all[0]!.url, key);
  const left = (headers: Headers) => Number(/^"requests";r=(\d+);t=\d+$/.exec(headers.get("ratelimit") ?? "")?.[1]);
  const wait = { headers: { Prefer: "wait=1" } };

  const read = await client.call("GET", "/v1/account");
  expect([read.headers.get("ratelimit-policy"), left(read.headers)]).toEqual(['"requests";q=8;w=3600', 7]);
  const session = { contentType: "image/png", filename: "a.png", sizeBytes: 3 };
  const upload = await client.call("POST", "/v1/uploads", { json: session });
  expect(left(upload.headers)).toBe(6);
  const putBytes = () =>
    fetch(upload.body.uploadUrl, { method: "PUT", headers: upload.body.headers, body: new Uint8Array(3) });
  expect(left((await putBytes()).headers)).toBe(5);
  const edit = await client.call("POST", "/v1/tools/mask/edit", { json: { imageUrl }, ...wait });
  expect([edit.status, left(edit.headers)]).toEqual([202, 4]);
  expect(left((await client.call("GET", `/v1/jobs/${edit.body.id}`, wait)).headers)).toBe(3);
  expect(left((await client.call("POST", `/v1/jobs/${edit.body.id}/cancel`)).headers)).toBe(2);
  expect(left((await client.call("GET", `/v1/jobs/${edit.body.id}/events`)).headers)).toBe(1);
  const faulty = await client.call("GET", "/v1/jobs?limit=0");
  expect([faulty.status, left(faulty.headers)]).toEqual([400, 0]);

  const refused = await client.call("GET", "/v1/account");
  expect([refused.status, refused.body.code]).toEqual([429, "rate_limit_exceeded"]);
  expect(refused.body.message).toMatch(/^The plan allows 8 requests an hour; try again in \d+ s\.$/);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  const refusedPut = await putBytes();
  expect([refusedPut.status, Number(refusedPut.headers.get("retry-after")) > 0]).toEqual([429, true]);
});

// Retried like the test above.
test("a PUT counts also when it is refused", { retry: 1 }, async () => {
  const { key } = await openAccount(apis.all[0]!, { limits: { rateLimitPerHour: 7 } });
  const client = apiClient(apis.all[0]!.url, key);
  const session = { contentType: "image/png", filename: "a.png", sizeBytes: 3 };
  const { body: upload } = await client.call("POST", "/v1/uploads", { json: session });
  async function put(init: object): Promise<[number, number]> {
    const response = await fetch(upload.uploadUrl, { method: "PUT", ...upload, body: new Uint8Array(3), ...init });
    return [response.status, Number(/;r=(\d+);/.exec(response.headers.get("ratelimit") ?? "")?.[1])];
  }
  const stream = () => new Blob([new Uint8Array(3)]).stream();
  expect(await put({ headers: { "Content-Type": "image/jpeg" } })).toEqual([400, 5]);
  expect(await put({ body: new Uint8Array(2) })).toEqual([400, 4]);
  expect(await put({ body: stream(), duplex: "half" })).toEqual([411, 3]);
  expect(await put({})).toEqual([200, 2]);
  await client.call("DELETE", `/v1/uploads/${upload.uploadSessionId}`);
  expect(await put({})).toEqual([410, 0]);
  expect(await put({})).toEqual([429, 0]);
});

test("requests and jobs of test keys take nothing from live ones", { retry: 1 }, async () => {
  const limits = { rateLimitPerHour: 6, concurrentJobs: 1, maxQueuedJobs: 1 };
  const { key } = await openAccount(apis.all[0]!, { limits });
  const client = apiClient(apis.all[0]!.url, key);
  const test = (await client.call("POST", "/v1/account/keys", { json: { name: "test", live: false } })).body.key;
  const edit = { json: { imageUrl, metadata: { test: "queued" } }, key: test };
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push((await client.call("POST", "/v1/tools/mask/edit", edit)).body.code);
  expect(statuses).toEqual([undefined, undefined, "queue_full"]);
  const session = { json: { contentType: "image/png", filename: "a.png", sizeBytes: 3 }, key: test };
  const { body: upload } = await client.call("POST", "/v1/uploads", session);
  const put = { method: "PUT", headers: upload.headers, body: new Uint8Array(3) };
  expect((await fetch(upload.uploadUrl, put)).headers.get("ratelimit")).toMatch(/^"requests";r=1;/);
  expect((await client.call("GET", "/v1/tools", { key: test })).status).toBe(200);
  expect((await client.call("GET", "/v1/tools", { key: test })).status).toBe(429);

  const live = await client.call("POST", "/v1/tools/mask/edit", { json: { imageUrl } });
  expect([live.status, live.headers.get("ratelimit")]).toEqual([202, expect.stringMatching(/^"requests";r=4;/)]);
  expect((await client.call("GET", "/v1/account")).body.jobs).toEqual({ running: 1, waiting: 0 });
});

test("jobs over concurrentJobs wait, and jobs over maxQueuedJobs are refused with queue_full", async () => {
  const { key } = await openAccount(apis.all[0]!, { limits: { concurrentJobs: 2, maxQueuedJobs: 3 } });
  const clients = apis.all.map((api) => apiClient(api.url, key));
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, i) => clients[i % 2]!.call("POST", "/v1/tools/mask/edit", { json: { imageUrl } })),
  );
  expect(replies.filter((reply) => reply.status === 202)).toHaveLength(5);
  const full = replies.filter((reply) => reply.status === 429);
  expect(full.map((reply) => reply.body.code)).toEqual(Array(15).fill("queue_full"));
  expect(full[0]!.headers.get("retry-after")).not.toBeNull();
  expect((await clients[0]!.call("GET", "/v1/account")).body.jobs).toEqual({ running: 2, waiting: 3 });
});

test("two processes accept no more edits than there are credits, and usage counts them by day", async () => {
  const { accountId, key } = await openAccount(apis.all[0]!);
  await operator(apis.all[0]!, "POST", `/accounts/${accountId}/grants`, { amount: -(1_000_000 - 10), note: "test" });
  const clients = apis.all.map((api) => apiClient(api.url, key));
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, i) => clients[i % 2]!.call("POST", "/v1/tools/mask/edit", { json: { imageUrl } })),
  );
  expect(replies.filter((reply) => reply.status === 202)).toHaveLength(10);
  expect(new Set(replies.filter((reply) => reply.status !== 202).map((reply) => reply.body.code))).toEqual(
    new Set(["insufficient_credits"]),
  );
  const { body } = await clients[1]!.call("GET", "/v1/account/usage");
  expect(body.credits.remaining).toBe(0);
  expect(body.data).toEqual([
    { day: new Date().toISOString().slice(0, 10), edits: { mask: 10 }, creditsDebited: 10, creditsRefunded: 0 },
  ]);
});

test("a grant says what the balance changed by, and one of nothing is refused before it is in the audit log", async () => {
  const { accountId } = await openAccount(apis.all[0]!);
  const grant = (amount: number) =>
    operator(apis.all[0]!, "POST", `/accounts/${accountId}/grants`, { amount, note: "test" });
  expect((await grant(7)).body).toMatchObject({ granted: 7, credits: { remaining: 1_000_007 } });
  expect((await grant(-2)).body).toMatchObject({ granted: -2, credits: { remaining: 1_000_005 } });
  expect((await grant(-99_999_999)).body).toMatchObject({ granted: -1_000_005, credits: { remaining: 0 } });
  expect((await grant(-1)).body).toMatchObject({ granted: 0, credits: { remaining: 0 } });
  expect(await grant(0)).toMatchObject({ status: 400, body: { message: '"amount" must not be 0.' } });
  const audit = (await operator(apis.all[0]!, "GET", `/accounts/${accountId}/audit`)).body;
  const entries = audit.data as { readonly operation: string }[];
  expect(entries.filter(({ operation }) => operation === "grantCredits")).toHaveLength(4);
});

test("a tool that the plan does not include is refused", async () => {
  const { accountId, key } = await openAccount(apis.all[0]!);
  await operator(apis.all[0]!, "PATCH", `/accounts/${accountId}`, { tools: ["mask"] });
  const client = apiClient(apis.all[0]!.url, key);
  const { status, body } = await client.call("POST", "/v1/tools/ai-bg/edit", { json: { imageUrl } });
  expect([status, body.code]).toEqual([403, "tool_not_available"]);
});

test("test keys create free jobs that live keys do not see, and the other way round", async () => {
  const [api] = apis.all;
  const { accountId, key } = await openAccount(api!);
  const { body: made } = await operator(api!, "POST", `/accounts/${accountId}/keys`, { name: "t", live: false });
  const live = apiClient(api!.url, key);
  const trial = apiClient(api!.url, made.key as string);
  const { body: job } = await trial.call("POST", "/v1/tools/mask/edit", { json: { imageUrl } });
  expect(job.creditsCharged).toBe(0);
  expect((await live.call("GET", `/v1/jobs/${job.id}`)).status).toBe(404);
  expect((await trial.call("GET", `/v1/jobs/${job.id}`)).body).toMatchObject({ live: false });
  expect((await live.call("GET", "/v1/jobs")).body.data).toEqual([]);
  expect((await trial.call("GET", "/v1/jobs")).body.data).toHaveLength(1);
  expect((await live.call("GET", "/v1/account")).body.credits.remaining).toBe(1_000_000);
  await live.call("POST", "/v1/webhooks", { json: { url: "https://shop.example/hook" } });
  expect((await trial.call("GET", "/v1/webhooks")).body.data).toEqual([]);
});

test("a test key lists, creates and revokes test keys only", async () => {
  const [api] = apis.all;
  const { accountId, key } = await openAccount(api!);
  const { body: made } = await operator(api!, "POST", `/accounts/${accountId}/keys`, { name: "t", live: false });
  const live = apiClient(api!.url, key);
  const trial = apiClient(api!.url, made.key as string);
  expect((await trial.call("POST", "/v1/account/keys", { json: { name: "more", live: true } })).body).toMatchObject({
    code: "invalid_request",
    details: { field: "live" },
  });
  const { body: second } = await trial.call("POST", "/v1/account/keys", { json: { name: "second" } });
  expect(second.key).toMatch(/^ps_test_/);
  const idsSeenBy = async (client: typeof live) =>
    (await client.call("GET", "/v1/account/keys")).body.data.map(({ id }: { id: string }) => id);
  const all = await idsSeenBy(live);
  expect(all).toHaveLength(3);
  expect(await idsSeenBy(trial)).toEqual([made.id, second.id]);
  expect((await trial.call("DELETE", `/v1/account/keys/${all[0]}`)).status).toBe(404);
  expect((await trial.call("DELETE", `/v1/account/keys/${second.id}`)).status).toBe(204);
  expect((await live.call("GET", "/v1/account")).status).toBe(200);
});

test("the operator API requires its token, and refuses unknown plans and fields", async () => {
  const [api] = apis.all;
  const open = await fetch(`${api!.adminUrl}/admin/v1/accounts`, { headers: { Authorization: "Bearer wrong" } });
  expect(open.status).toBe(401);
  expect((await fetch(`${api!.url}/admin/v1/accounts`)).status).toBe(404);
  expect((await operator(api!, "POST", "/accounts", { name: "x", plan: "gold" })).body.code).toBe("invalid_request");
  expect((await operator(api!, "POST", "/accounts", { name: "x", color: 1 })).body.code).toBe("invalid_request");
  expect((await operator(api!, "GET", "/accounts/nope")).body.code).toBe("not_found");
  const { body } = await operator(api!, "GET", "/accounts?limit=1");
  expect(body).toMatchObject({ data: [{ plan: "dev" }], nextCursor: expect.any(String) });
  expect((await operator(api!, "GET", "/plans")).body.data).toHaveLength(3);
});

test.each(["*", "%3E", "nobody"])("no account of the operator API has the id %s", async (id) => {
  await openAccount(apis.all[0]!);
  const responses = await Promise.all([
    operator(apis.all[0]!, "GET", `/accounts/${id}`),
    operator(apis.all[0]!, "PATCH", `/accounts/${id}`, { name: "changed" }),
    operator(apis.all[0]!, "POST", `/accounts/${id}/grants`, { amount: 1 }),
    operator(apis.all[0]!, "GET", `/accounts/${id}/keys`),
    operator(apis.all[0]!, "POST", `/accounts/${id}/keys`, { name: "key" }),
  ]);
  expect(responses.map(({ status, body }) => [status, body.code])).toEqual(responses.map(() => [404, "not_found"]));
});
