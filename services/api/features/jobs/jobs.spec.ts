import type { Account } from "@packshot/domain/accounts/account.ts";
import type { LedgerEntry } from "@packshot/domain/accounts/ledger.ts";
import { variationName } from "@packshot/domain/edits/tools.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import {
  claimJob,
  completeJob,
  createJobError,
  failJob,
  type Job,
  type ProcessingJob,
  type ResultFile,
} from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { eventWrite, jobEndedEvent } from "@packshot/domain/webhooks/event.ts";
import type { Log } from "@packshot/log/log.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { beforeAll, expect, test } from "vitest";
import { type OpenedAccount, openAccount, operator } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

const apis = suiteFixture(() => startApis({ count: 2 }));
let log: Log;
let storage: Storage;
let account: OpenedAccount;
let client: ContractClient;
let elsewhere: ContractClient;
const imageUrl = "https://shop.example/a.jpg";

beforeAll(async () => {
  ({ log } = apis);
  storage = createDiskStorage({ dir: apis.storageDir });
  account = await openAccount(apis.all[0]!);
  client = apiClient(apis.all[0]!.url, account.key);
  elsewhere = apiClient(apis.all[1]!.url, account.key);
});

async function edit(by: ContractClient = client, json: object = { imageUrl }, tool = "mask"): Promise<string> {
  const { status, body } = await by.call("POST", `/v1/tools/${tool}/edit`, { json });
  expect(status).toBe(202);
  return body.id;
}

/** For tests that count credits: refunds of other tests may still be under way in the shared account. */
async function newAccount(): Promise<{ accountId: string; here: ContractClient; there: ContractClient }> {
  const { accountId, key } = await openAccount(apis.all[0]!);
  return { accountId, here: apiClient(apis.all[0]!.url, key), there: apiClient(apis.all[1]!.url, key) };
}

const creditsLeft = async (accountId: string) =>
  (await log.read<Account>(subjects.account(accountId))).value!.credits.remaining;

/** Moves a job through its states as a worker does. */
async function claim(accountId: string, id: string): Promise<ProcessingJob> {
  return await log.transact<ProcessingJob>("claim", async () => {
    const subject = subjects.job(accountId, id);
    const { value, sequence } = await log.read<Job>(subject);
    const request = { attemptId: uuidv7(), readySequence: 1, nowMs: Date.now(), retentionMs: 60_000 };
    const decision = claimJob(value, request);
    if (decision.kind !== "claimed") throw new Error(decision.kind);
    return { writes: [{ subject, value: decision.job, expected: sequence }], result: decision.job };
  });
}

async function complete(
  accountId: string,
  id: string,
  retentionMs = 60_000,
  more: { readonly hasShadow?: boolean; readonly variations?: number; readonly layers?: readonly string[] } = {},
): Promise<void> {
  const job = await claim(accountId, id);
  const key = `${storageKeys.attempt(accountId, id, job.attemptId)}result`;
  await storage.write(key, Buffer.from("picture"), { bytesMax: 100 });
  const file = { key, contentType: "image/png", bytes: 7 };
  const results: ResultFile[] = [];
  for (let number = 1; number <= (more.variations ?? 0); number++) {
    const name = variationName(number);
    const own = { key: number === 1 ? key : `${key}-${number}`, contentType: "image/png", bytes: 8 + number };
    if (number > 1) await storage.write(own.key, Buffer.from(`variation ${number}`), { bytesMax: 100 });
    results.push({ ...own, width: 4, height: 3, name, seed: 7 + number });
  }
  const layers: ResultFile[] = [];
  for (const name of more.layers ?? []) {
    const own = { key: `${key}-${name}`, contentType: "image/png", bytes: name.length };
    await storage.write(own.key, Buffer.from(name), { bytesMax: 100 });
    layers.push({ ...own, width: 4, height: 3, name });
  }
  const files = {
    result: file,
    thumbnail: file,
    ...(layers.length > 0 && { layers }),
    ...(results.length > 0 && { results }),
    ...(more.hasShadow && { shadow: file }),
  };
  const result = { ...files, model: "m@1", report: { sharp: true }, timings: { decode: 1.5 }, inferenceMs: 0 };
  const ended = completeJob(job, result, "m@1", { nowMs: Date.now(), retentionMs });
  const subject = subjects.job(accountId, id);
  const { sequence } = await log.read(subject);
  const ttlSeconds = Math.ceil(retentionMs / 1000);
  await log.commit("finish", [
    { subject, value: ended, expected: sequence, ttlSeconds },
    eventWrite(jobEndedEvent(ended, uuidv7())),
  ]);
}

test("a job that kept a shadow has a link to it, and others have none", async () => {
  const plain = await edit();
  const kept = await edit();
  await complete(account.accountId, plain);
  await complete(account.accountId, kept, 60_000, { hasShadow: true });
  expect((await client.call("GET", `/v1/jobs/${plain}`)).body).not.toHaveProperty("shadowUrl");
  const shadow = await fetch((await client.call("GET", `/v1/jobs/${kept}`)).body.shadowUrl);
  expect([shadow.status, shadow.headers.get("content-type"), await shadow.text()]).toEqual([
    200,
    "image/png",
    "picture",
  ]);
  expect(shadow.headers.get("content-disposition")).toContain(`mask-${kept}-shadow.png`);
  for (const id of [plain, kept]) expect((await client.call("DELETE", `/v1/jobs/${id}`)).status).toBe(204);
});

test("a job of variations costs each of them, has a link to each, and all go with it", async () => {
  const { accountId, here, there } = await newAccount();
  const before = await creditsLeft(accountId);
  const json = { imageUrl, parameters: { seed: 8, variations: 3 } };
  const { body: created } = await here.call("POST", "/v1/tools/ai-bg/edit", { json });
  expect([created.creditsCharged, await creditsLeft(accountId)]).toEqual([3, before - 3]);
  const plain = await edit(here);
  await complete(accountId, plain);
  expect((await here.call("GET", `/v1/jobs/${plain}`)).body).not.toHaveProperty("results");

  await complete(accountId, created.id, 60_000, { variations: 3 });
  const { body: job } = await there.call("GET", `/v1/jobs/${created.id}`);
  expect(job).toMatchObject({ creditsCharged: 3, parameters: { seed: 8, variations: 3 } });
  const size = { contentType: "image/png", width: 4, height: 3 };
  expect(job.results).toEqual([
    { name: "variation-1", seed: 8, bytes: 9, ...size, url: job.resultUrl },
    { name: "variation-2", seed: 9, bytes: 10, ...size, url: expect.any(String) },
    { name: "variation-3", seed: 10, bytes: 11, ...size, url: expect.any(String) },
  ]);
  const urls: string[] = job.results.map(({ url }: { url: string }) => url);
  const answers = await Promise.all(urls.map((url) => fetch(url)));
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(["picture", "variation 2", "variation 3"]);
  expect(answers[1]!.headers.get("content-disposition")).toContain(`ai-bg-${created.id}-variation-2.png`);
  const event = await log.read(subjects.event(accountId, created.id, "completed"));
  expect(event.value).toMatchObject({ credits: 3, results: [{ seed: 8 }, { seed: 9 }, { seed: 10 }] });

  expect((await here.call("DELETE", `/v1/jobs/${created.id}`)).status).toBe(204);
  for (const url of urls) await expect.poll(async () => (await fetch(url)).status).toBe(404);
  expect(await creditsLeft(accountId), "a completed job is paid").toBe(before - 4);
});

test("a job's layers cost nothing more, have links, and go with it", async () => {
  const { accountId, here, there } = await newAccount();
  const before = await creditsLeft(accountId);
  const json = { imageUrl, parameters: { layers: true } };
  const { body: created } = await here.call("POST", "/v1/tools/ai-shadows/edit", { json });
  expect([created.creditsCharged, await creditsLeft(accountId)]).toEqual([1, before - 1]);
  await complete(accountId, created.id, 60_000, { layers: ["shadow", "product"] });
  const { body: job } = await there.call("GET", `/v1/jobs/${created.id}`);
  const size = { contentType: "image/png", width: 4, height: 3, url: expect.any(String) };
  expect(job.layers).toEqual([
    { name: "shadow", bytes: 6, ...size },
    { name: "product", bytes: 7, ...size },
  ]);
  expect(job).not.toHaveProperty("results");
  const urls: string[] = job.layers.map(({ url }: { url: string }) => url);
  const answers = await Promise.all(urls.map((url) => fetch(url)));
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(["shadow", "product"]);
  expect(answers[1]!.headers.get("content-disposition")).toContain(`ai-shadows-${created.id}-product.png`);
  const event = await log.read(subjects.event(accountId, created.id, "completed"));
  expect(event.value).toMatchObject({ credits: 1, layers: [{ name: "shadow" }, { name: "product" }] });
  expect((await here.call("DELETE", `/v1/jobs/${created.id}`)).status).toBe(204);
  for (const url of urls) await expect.poll(async () => (await fetch(url)).status).toBe(404);
});

test("layers of several results are refused, also where a preset asks for one of both, and cost nothing", async () => {
  const { accountId, here } = await newAccount();
  const before = await creditsLeft(accountId);
  const refused = { status: 400, body: { code: "invalid_request", details: { field: "parameters.layers" } } };
  const json = { imageUrl, parameters: { layers: true, variations: 2 } };
  expect(await here.call("POST", "/v1/tools/ai-bg/edit", { json })).toMatchObject(refused);
  const preset = { tool: "ai-bg", parameters: { variations: 3 } };
  expect((await here.call("PUT", "/v1/presets/three", { json: preset })).status).toBe(201);
  const filled = { imageUrl, preset: "three", parameters: { layers: true } };
  expect(await here.call("POST", "/v1/tools/ai-bg/edit", { json: filled })).toMatchObject(refused);
  const one = { ...filled, parameters: { layers: true, variations: 1 } };
  expect((await here.call("POST", "/v1/tools/ai-bg/edit", { json: one })).status).toBe(202);
  for (const parameters of [
    { layers: true, outline: { width: 0.02 } },
    { layers: true, logo: { imageUrl: "https://shop.example/l.png" } },
  ]) {
    const shadows = { json: { imageUrl, parameters } };
    expect(await here.call("POST", "/v1/tools/ai-shadows/edit", shadows)).toMatchObject(refused);
  }
  const grown = { imageUrl, parameters: { outline: { width: 0.02 }, output: { fit: "grow" } } };
  expect(await here.call("POST", "/v1/tools/ai-shadows/edit", { json: grown })).toMatchObject({
    status: 400,
    body: { details: { field: "parameters.output.fit" } },
  });
  for (const layers of ["yes", 1, ["product"]]) {
    const wrong = { imageUrl, parameters: { layers } };
    expect(await here.call("POST", "/v1/tools/ai-bg/edit", { json: wrong })).toMatchObject({ status: 400 });
  }
  const ofMask = { imageUrl, parameters: { layers: true } };
  expect(await here.call("POST", "/v1/tools/mask/edit", { json: ofMask })).toMatchObject({ status: 400 });
  expect(await creditsLeft(accountId)).toBe(before - 1);
});

test("a job of variations that does not complete is refunded all of them, and one that cannot be paid costs nothing", async () => {
  const { accountId, here } = await newAccount();
  const before = await creditsLeft(accountId);
  const json = { imageUrl, parameters: { variations: 4 } };
  const { body: cancelled } = await here.call("POST", "/v1/tools/ai-bg/edit", { json });
  const { body: failing } = await here.call("POST", "/v1/tools/ai-bg/edit", { json });
  expect(await creditsLeft(accountId)).toBe(before - 8);
  await here.call("POST", `/v1/jobs/${cancelled.id}/cancel`);
  const times = { nowMs: Date.now(), retentionMs: 60_000 };
  const failed = failJob(await claim(accountId, failing.id), createJobError("no_product_found", "None."), times);
  const { sequence } = await log.read(subjects.job(accountId, failing.id));
  await log.commit("fail", [
    { subject: subjects.job(accountId, failing.id), value: failed, expected: sequence },
    eventWrite(jobEndedEvent(failed, uuidv7())),
  ]);
  await expect.poll(() => creditsLeft(accountId)).toBe(before);
  expect((await here.call("GET", `/v1/jobs/${failing.id}`)).body).toMatchObject({ creditsCharged: 0 });
  for (const { id } of [cancelled, failing]) {
    const [debit, refund] = await Promise.all(
      (["debit", "refund"] as const).map((kind) => log.read<LedgerEntry>(subjects.ledger(accountId, 1, id, kind))),
    );
    expect([debit!.value?.amount, refund!.value?.amount]).toEqual([-4, 4]);
  }

  await operator(apis.all[0]!, "POST", `/accounts/${accountId}/grants`, { amount: 3 - before });
  const refused = await here.call("POST", "/v1/tools/ai-bg/edit", { json });
  expect([refused.status, refused.body.code]).toEqual([402, "insufficient_credits"]);
  expect(await creditsLeft(accountId)).toBe(3);
});

test("a completed job has links, and they expire with it", async () => {
  const id = await edit();
  await complete(account.accountId, id, 15_000);
  const { body: job } = await client.call("GET", `/v1/jobs/${id}`);
  expect(job).toMatchObject({
    status: "completed",
    error: null,
    timings: { decode: 1.5 },
    report: { sharp: true },
  });
  expect(job.parameters).toMatchObject({ model: "m@1" });
  expect(Date.parse(job.expiresAt) - Date.parse(job.finishedAt)).toBe(15_000);
  const result = await fetch(job.resultUrl);
  expect([result.status, result.headers.get("content-type"), await result.text()]).toEqual([
    200,
    "image/png",
    "picture",
  ]);
  expect((await fetch(job.thumbnailUrl)).status).toBe(200);
  expect((await fetch(job.resultUrl, { method: "HEAD" })).headers.get("content-length")).toBe("7");
  const rest = await fetch(job.resultUrl, { headers: { Range: "bytes=4-", "If-Range": result.headers.get("etag")! } });
  expect([rest.status, rest.headers.get("content-range"), await rest.text()]).toEqual([206, "bytes 4-6/7", "ure"]);
  const beyond = await fetch(job.resultUrl, { headers: { Range: "bytes=7-" } });
  expect([beyond.status, beyond.headers.get("content-range"), await beyond.json()]).toEqual([
    416,
    "bytes */7",
    { code: "range_not_satisfiable", message: expect.stringContaining("7 bytes"), requestId: expect.any(String) },
  ]);
  const head = await fetch(job.resultUrl, { method: "HEAD", headers: { Range: "bytes=7-" } });
  expect([head.status, head.headers.get("content-length")]).toEqual([200, "7"]);
  const known = await fetch(job.resultUrl, {
    headers: { "If-None-Match": `"other", W/${result.headers.get("etag")}` },
  });
  expect([known.status, known.headers.get("etag"), await known.text()]).toEqual([304, result.headers.get("etag"), ""]);
  const ifMatch = async (tag: string) => await fetch(job.resultUrl, { headers: { "If-Match": tag } });
  const entityTag = result.headers.get("etag")!;
  for (const tag of [entityTag, "*", `"other", ${entityTag}`]) expect((await ifMatch(tag)).status).toBe(200);
  for (const tag of ['"other"', `W/${entityTag}`, '"a,*,b"']) {
    const refused = await ifMatch(tag);
    expect([refused.status, await refused.json()]).toEqual([
      412,
      expect.objectContaining({ code: "precondition_failed" }),
    ]);
  }
  await expect.poll(async () => (await fetch(job.resultUrl)).status).toBe(404);
  expect((await client.call("GET", `/v1/jobs/${id}`)).status).toBe(404);
  expect((await client.call("GET", "/v1/jobs?status=completed")).body.data).toEqual([]);
});

test("Prefer: wait responds when the job has ended, on any process", async () => {
  const id = await edit();
  const waiting = [client, elsewhere].map((by) => by.call("GET", `/v1/jobs/${id}`, { headers: { Prefer: "wait=30" } }));
  await complete(account.accountId, id);
  for (const { body, headers } of await Promise.all(waiting)) {
    expect([body.status, headers.get("preference-applied")]).toEqual(["completed", "wait=30"]);
  }
});

test("Prefer: wait on an edit responds with 202 when the time is over", async () => {
  const { status, body, headers } = await client.call("POST", "/v1/tools/mask/edit", {
    json: { imageUrl },
    headers: { Prefer: "respond-async, wait=1" },
  });
  expect([status, body.status, headers.get("preference-applied")]).toEqual([202, "queued", "wait=1"]);
});

test("Prefer: wait on an edit responds with the finished job, also when it was cancelled", async () => {
  const seen = new Set((await client.call("GET", "/v1/jobs?limit=100")).body.data.map((job: { id: string }) => job.id));
  const pending = client.call("POST", "/v1/tools/mask/edit", { json: { imageUrl }, headers: { Prefer: "wait=30" } });
  const made = await expect
    .poll(async () => {
      const { body } = await client.call("GET", "/v1/jobs?limit=100");
      return body.data.find((job: { id: string }) => !seen.has(job.id))?.id as string | undefined;
    })
    .toBeTruthy()
    .then(async () => (await client.call("GET", "/v1/jobs?limit=1")).body.data[0].id as string);
  await elsewhere.call("POST", `/v1/jobs/${made}/cancel`);
  const { status, body } = await pending;
  expect([status, body.id, body.status]).toEqual([200, made, "cancelled"]);
});

test("a cancelled job costs nothing, cancelling again changes nothing, a finished one cannot be cancelled", async () => {
  const { accountId, here, there } = await newAccount();
  const before = await creditsLeft(accountId);
  const id = await edit(here);
  const first = await here.call("POST", `/v1/jobs/${id}/cancel`);
  expect(first.body).toMatchObject({ status: "cancelled", creditsCharged: 0, error: null });
  expect(await there.call("POST", `/v1/jobs/${id}/cancel`)).toMatchObject({ status: 200, body: first.body });
  await expect.poll(() => creditsLeft(accountId)).toBe(before);
  const done = await edit(here);
  await complete(accountId, done);
  const late = await here.call("POST", `/v1/jobs/${done}/cancel`);
  expect([late.status, late.body.code]).toEqual([409, "job_already_finished"]);
});

test("a deleted job is gone with its files; an unfinished one is cancelled and refunded", async () => {
  const { accountId, here, there } = await newAccount();
  const before = await creditsLeft(accountId);
  const open = await edit(here);
  const done = await edit(here);
  await complete(accountId, done);
  const { body } = await here.call("GET", `/v1/jobs/${done}`);
  for (const id of [open, done]) {
    expect((await here.call("DELETE", `/v1/jobs/${id}`)).status).toBe(204);
    if (id === done) expect((await fetch(body.resultUrl)).status).toBe(404);
    for (const by of [here, there]) expect((await by.call("GET", `/v1/jobs/${id}`)).status).toBe(404);
    expect((await there.call("DELETE", `/v1/jobs/${id}`)).status).toBe(404);
  }
  await expect.poll(() => creditsLeft(accountId)).toBe(before - 1);
  const cancelled = await log.read(subjects.event(accountId, open, "cancelled"));
  expect(cancelled.value).toMatchObject({ kind: "cancelled", jobId: open });
});

test("another account's job looks like one that does not exist, in every operation", async () => {
  const id = await edit();
  const stranger = apiClient(apis.all[0]!.url, (await openAccount(apis.all[0]!)).key);
  const unknown = uuidv7();
  const asked: [string, string][] = [
    ["GET", ""],
    ["DELETE", ""],
    ["POST", "/cancel"],
    ["GET", "/events"],
  ];
  for (const [method, path] of asked) {
    const theirs = await stranger.call(method, `/v1/jobs/${id}${path}`);
    const nobodys = await stranger.call(method, `/v1/jobs/${unknown}${path}`);
    expect([theirs.status, { ...theirs.body, requestId: "" }]).toEqual([404, { ...nobodys.body, requestId: "" }]);
  }
});

test("the list is newest first, paged, filtered, and shows at once what its process has committed", async () => {
  const own = await openAccount(apis.all[0]!);
  const by = apiClient(apis.all[0]!.url, own.key);
  const ids: string[] = [];
  for (let i = 0; i < 7; i++) {
    ids.unshift(await edit(by, { imageUrl, metadata: { sku: `K-${i % 2}`, shop: "a.b" } }, i < 3 ? "mask" : "ai-bg"));
    const { body } = await by.call("GET", "/v1/jobs?limit=1");
    expect(body.data[0].id).toBe(ids[0]);
  }
  const list = async (query: string) => (await by.call("GET", `/v1/jobs?${query}`)).body;
  const idsOf = (page: { data: { id: string }[] }) => page.data.map((job) => job.id);
  const first = await list("limit=4");
  const second = await list(`limit=4&cursor=${first.nextCursor}`);
  expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
  expect(second.nextCursor).toBeUndefined();
  expect(idsOf(await list("tool=mask"))).toEqual(ids.slice(4));
  expect(idsOf(await list("metadata.sku=K-1&metadata.shop=a.b"))).toEqual([ids[1], ids[3], ids[5]]);
  expect(idsOf(await list("metadata.sku=none"))).toEqual([]);
  await by.call("POST", `/v1/jobs/${ids[2]}/cancel`);
  expect(idsOf(await list("status=cancelled"))).toEqual([ids[2]]);
  expect(idsOf(await list("status=queued"))).toHaveLength(6);
  const { createdAt } = first.data[2];
  expect(idsOf(await list(`createdAfter=${encodeURIComponent(createdAt)}`))).toEqual(ids.slice(0, 2));
  expect(idsOf(await list(`createdAfter=${isoTime(Date.now() + 60_000)}`))).toEqual([]);
  const body = await list("createdAfter=2026-11-30T09:00:00+02:00");
  const advice = "write its + as %2B, which an address reads as a space";
  expect(body.message).toBe(`"createdAfter" must be a date-time: ${advice}.`);
  await by.call("DELETE", `/v1/jobs/${ids[0]}`);
  expect(idsOf(await list("limit=1"))).toEqual([ids[1]]);
});

test("HEAD of a job's events is answered while the job is running", async () => {
  const id = await edit();
  const response = await fetch(`${apis.all[0]!.url}/v1/jobs/${id}/events`, {
    method: "HEAD",
    headers: { Authorization: `Bearer ${account.key}`, Accept: "text/event-stream" },
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
});

test("server-sent events show position, stages and statuses, and end with the job", async () => {
  const ahead = await edit(elsewhere);
  const id = await edit(elsewhere);
  const response = await fetch(`${apis.all[0]!.url}/v1/jobs/${id}/events`, {
    headers: { Authorization: `Bearer ${account.key}`, Accept: "text/event-stream" },
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const until = async (what: RegExp) => {
    while (!what.test(text)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the stream ended without ${what}: ${text}`);
      text += value;
    }
  };
  await until(/event: job\ndata: .*"status":"queued"/);
  await until(/event: position\ndata: \{"position":\d+\}/);
  await claim(account.accountId, id);
  await until(/"status":"processing"/);
  log.connection.publish(subjects.progress(id), JSON.stringify({ stage: "compose" }));
  await until(/event: progress\ndata: \{"stage":"compose"\}/);
  await client.call("POST", `/v1/jobs/${id}/cancel`);
  await until(/"status":"cancelled"/);
  expect((await reader.read()).done).toBe(true);
  await client.call("DELETE", `/v1/jobs/${ahead}`);
});

test("server-sent events begin with the job, and no stage comes before the status processing", async () => {
  const id = await edit(elsewhere);
  const response = await fetch(`${apis.all[0]!.url}/v1/jobs/${id}/events`, {
    headers: { Authorization: `Bearer ${account.key}` },
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader.read()).value!;
  await claim(account.accountId, id);
  for (const stage of ["fetchSource", "decode"])
    log.connection.publish(subjects.progress(id), JSON.stringify({ stage }));
  while (!text.includes("decode")) text += (await reader.read()).value;
  const told = [...text.matchAll(/event: (job|progress)\ndata: .*?"(?:status|stage)":"(\w+)"/g)].map(
    ([, , word]) => word,
  );
  expect(told).toEqual(["queued", "processing", "fetchSource", "decode"]);
  expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, place]) => Number(place))[0]).toBe(1);
  await reader.cancel();
  await client.call("DELETE", `/v1/jobs/${id}`);
});

test("a process that starts later lists the jobs that were created before", async () => {
  const id = await edit();
  const late = await apis.start();
  const { body } = await apiClient(late.url, account.key).call("GET", "/v1/jobs?limit=1");
  expect(body.data[0].id).toBe(id);
});
