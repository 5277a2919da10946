/** The drop-in without a worker: keys, requests, limits, and a job that does not end in time. */
import type { Job } from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { openAccount, operator } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { loadContract } from "../../http/contract.ts";

const apis = suiteFixture(() => startApis({ environment: { PACKSHOT_DROP_IN_WAIT_SECONDS: "1" } }));
const contract = loadContract(new URL("removebg-openapi.yaml", import.meta.url));
const areErrors = contract.compile({ $ref: "#/components/schemas/Errors" });
const isBalance = contract.compile({ $ref: "#/components/schemas/Balance" });

const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: "#aa5511" } })
  .jpeg()
  .toBuffer();

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly code: string | undefined;
}

type Body = NonNullable<RequestInit["body"]>;

async function send(key: string, body: Body, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${apis.all[0]!.url}/v1.0/removebg`, {
    method: "POST",
    headers: { "X-Api-Key": key, ...headers },
    body,
  });
  const answer = (await response.json()) as { errors?: { code: string }[] };
  expect(areErrors(answer), JSON.stringify(answer)).toBe(true);
  return { status: response.status, headers: response.headers, code: answer.errors?.[0]?.code };
}

function formOf(fields: Readonly<Record<string, string>>, files: Readonly<Record<string, Uint8Array>> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const [name, bytes] of Object.entries(files)) form.set(name, new Blob([new Uint8Array(bytes)]), "photo.jpg");
  return form;
}

const sendForm = (key: string, ...form: Parameters<typeof formOf>) => send(key, formOf(...form));
const image_url = "https://shop.example/mug.jpg";

describe("keys and credits", () => {
  it("refuses a missing and an unknown key with 403", async () => {
    for (const key of ["", "ps_live_unknown", "no key at all"]) {
      expect(await sendForm(key, { image_url })).toMatchObject({ status: 403, code: "auth_failed" });
    }
    const ways: readonly (readonly [string, string])[] = [
      ["X-Api-Key", ""],
      ["Authorization", "Basic abc"],
      ["Authorization", "Bearer "],
    ];
    for (const [name, value] of ways) {
      const none = await fetch(`${apis.all[0]!.url}/v1.0/account`, { headers: { [name]: value } });
      expect([none.status, await none.json()]).toMatchObject([
        403,
        { errors: [{ detail: expect.stringMatching(/X-Api-Key.* Authorization: Bearer/) }] },
      ]);
    }
  });

  it("takes a key in X-Api-Key and in Authorization, and says how many credits are left", async () => {
    const { key } = await openAccount(apis.all[0]!);
    const ways: readonly Record<string, string>[] = [
      { "X-Api-Key": key },
      { Authorization: `Bearer ${key}` },
      { Authorization: `Bearer ${key}`, "X-Api-Key": "" },
    ];
    for (const headers of ways) {
      const response = await fetch(`${apis.all[0]!.url}/v1.0/account`, { headers });
      const balance = (await response.json()) as { data: { attributes: { credits: { total: number } } } };
      expect([response.status, isBalance(balance)]).toEqual([200, true]);
      const { body } = await apiClient(apis.all[0]!.url, key).call("GET", "/v1/account");
      expect(balance.data.attributes.credits.total).toBe(body.credits.remaining);
    }
  });

  it("shows what is left of the rate, and ends with 429 and Retry-After", async () => {
    const { key } = await openAccount(apis.all[0]!, { limits: { rateLimitPerHour: 2 } });
    const { status, headers } = await sendForm(key, {});
    expect([status, headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")]).toEqual([400, "2", "1"]);
    expect(Number(headers.get("x-ratelimit-reset")) * 1000).toBeGreaterThan(Date.now());
    await sendForm(key, {});
    const refused = await sendForm(key, {});
    expect(refused).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("refuses with 402 when the credits are used up", async () => {
    const { key, accountId } = await openAccount(apis.all[0]!);
    await takeAllCredits(accountId);
    expect(await sendForm(key, { image_url })).toMatchObject({ status: 402, code: "insufficient_credits" });
  });
});

async function takeAllCredits(accountId: string): Promise<void> {
  const wanted = { amount: -1_000_000, note: "test" };
  const { status, body } = await operator(apis.all[0]!, "POST", `/accounts/${accountId}/grants`, wanted);
  expect(status, JSON.stringify(body)).toBeLessThan(300);
}

describe("bad input is 400, with remove.bg's code", () => {
  it.each([
    ["no photo", formOf({}), "missing_source"],
    ["two photos", formOf({ image_url }, { image_file: photo }), "multiple_sources"],
    ["two photos, one as text", formOf({ image_file_b64: "AAAA" }, { image_file: photo }), "multiple_sources"],
    ["no image", formOf({}, { image_file: Buffer.from("text") }), "invalid_file_type"],
    ["no base64", formOf({ image_file_b64: "a*b=" }), "failed_to_read_image"],
    ["an image cut short", formOf({}, { image_file: photo.subarray(0, 40) }), "failed_to_read_image"],
    ["an unknown size", formOf({ image_url, size: "huge" }), "invalid_size"],
    ["two backgrounds", formOf({ image_url, bg_color: "red" }, { bg_image_file: photo }), "multiple_bg_sources"],
    ["an empty region", formOf({ image_url, roi: "9% 0% 9% 9%" }), "roi_region_empty"],
    ["a flag that is neither", formOf({ image_url, crop: "maybe" }), "invalid_crop"],
    [
      "a margin after a flag of Python",
      formOf({ image_url, crop: "True", crop_margin: "wide" }),
      "invalid_crop_margin",
    ],
    ["a margin after a checkbox", formOf({ image_url, crop: "on", crop_margin: "wide" }), "invalid_crop_margin"],
    ["a photo as a data: URL", formOf({ image_url: "data:image/png;base64,AA" }), "invalid_image_url"],
    ["a ZIP", formOf({ image_url, format: "zip" }), "invalid_format"],
  ])("%s", async (_what, form, code) => {
    const { key } = await openAccount(apis.all[0]!);
    expect(await send(key, form)).toMatchObject({ status: 400, code });
  });

  it.each([
    ["application/json", '{"image_file_b64":"'],
    ["application/json", "[]"],
    ["application/x-www-form-urlencoded", "image_url=%G1&image_file_b64=%G1"],
    ["text/plain", "photo"],
  ])("a %s that cannot be read: %s", async (type, body) => {
    const { key } = await openAccount(apis.all[0]!);
    expect((await send(key, body, { "Content-Type": type })).status).toBe(400);
  });

  it.each([undefined, "application/json", "multipart/form-data"])("no body at all, of type %s", async (type) => {
    const { key } = await openAccount(apis.all[0]!);
    const answer = await send(key, "", type === undefined ? {} : { "Content-Type": type });
    expect(answer).toMatchObject({ status: 400, code: "missing_source" });
  });

  it("a test photo that asks for a failure that there is not", async () => {
    const { accountId } = await openAccount(apis.all[0]!);
    const wanted = { name: "test", live: false };
    const { body } = await operator(apis.all[0]!, "POST", `/accounts/${accountId}/keys`, wanted);
    const sent = sendForm(body.key as string, { image_url: "https://test.packshot.invalid/failed/lost" });
    expect(await sent).toMatchObject({ status: 400, code: "invalid_image_url" });
  });

  it("a file larger than the plan allows, in each kind of body", async () => {
    const { key } = await openAccount(apis.all[0]!, { limits: { maxFileSizeBytes: 200 } });
    const image_file_b64 = photo.toString("base64");
    expect(photo.length).toBeGreaterThan(200);
    const json = { "Content-Type": "application/json" };
    expect(await sendForm(key, {}, { image_file: photo })).toMatchObject({ status: 400, code: "file_too_large" });
    expect(await send(key, JSON.stringify({ image_file_b64 }), json)).toMatchObject({ code: "file_too_large" });
    expect(await send(key, new URLSearchParams({ image_file_b64 }))).toMatchObject({ code: "file_too_large" });
  });
});

it("answers other methods and paths below its own in its own shape", async () => {
  const { url } = apis.all[0]!;
  for (const [method, path, status] of [
    ["GET", "/v1.0/removebg", 405],
    ["POST", "/v1.0/account", 405],
    ["POST", "/v1.0/removebg/again", 404],
  ] as const) {
    const response = await fetch(url + path, { method });
    expect([response.status, areErrors(await response.json())]).toEqual([status, true]);
  }
});

it("stores the same bytes from each kind of body, as the source of an ordinary job", async () => {
  const image_file_b64 = photo.toString("base64");
  const bodies: [Body, Record<string, string>][] = [
    [formOf({}, { image_file: photo }), {}],
    [formOf({ image_file_b64 }), {}],
    [JSON.stringify({ image_file_b64, crop: true }), { "Content-Type": "application/json" }],
    [new URLSearchParams({ image_file_b64 }), {}],
  ];
  for (const [body, headers] of bodies) {
    const { key, accountId } = await openAccount(apis.all[0]!);
    expect((await send(key, body, headers)).status).toBe(504);
    const { body: list } = await apiClient(apis.all[0]!.url, key).call("GET", "/v1/jobs");
    const { value: job } = await apis.log.read<Job>(subjects.job(accountId, list.data[0].id));
    expect(job?.source).toMatchObject({ kind: "file", file: { bytes: photo.length, contentType: "image/jpeg" } });
  }
});

it("cancels a job that does not end in time: 504, and nothing is charged", async () => {
  const { key } = await openAccount(apis.all[0]!);
  const client = apiClient(apis.all[0]!.url, key);
  const { body: before } = await client.call("GET", "/v1/account");
  expect(await sendForm(key, { image_url })).toMatchObject({ status: 504, code: "timeout" });
  const { body: list } = await client.call("GET", "/v1/jobs");
  expect(list.data.map(({ status }: { status: string }) => status)).toEqual(["cancelled"]);
  await expect
    .poll(async () => (await client.call("GET", "/v1/account")).body.credits.remaining, { timeout: 30_000 })
    .toBe(before.credits.remaining);
});

it("cancels the job of a client that has gone", async () => {
  const { key } = await openAccount(apis.all[0]!);
  const client = apiClient(apis.all[0]!.url, key);
  const gone = new AbortController();
  const asked = fetch(`${apis.all[0]!.url}/v1.0/removebg`, {
    method: "POST",
    headers: { "X-Api-Key": key },
    body: formOf({ image_url }),
    signal: gone.signal,
  });
  const statusOfJob = async () => (await client.call("GET", "/v1/jobs")).body.data[0]?.status;
  await expect.poll(statusOfJob, { timeout: 30_000 }).toBeDefined();
  gone.abort();
  await expect(asked).rejects.toThrow();
  await expect.poll(statusOfJob, { timeout: 30_000 }).toBe("cancelled");
});
