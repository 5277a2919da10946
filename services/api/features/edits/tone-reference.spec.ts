/** The light of a job for others: `toneImage.jobId`, in single edits, presets, and rows of batches. No worker runs. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import type { Job } from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { openAccount } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

const apis = suiteFixture(startApis);
let accountId: string;
let client: ContractClient;
let photo: Buffer;

beforeAll(async () => {
  const account = await openAccount(apis.all[0]!, { limits: { concurrentJobs: 1_000 } });
  accountId = account.accountId;
  client = apiClient(apis.all[0]!.url, account.key);
  photo = await sharp({ create: { width: 16, height: 12, channels: 3, background: "#c33" } })
    .png()
    .toBuffer();
});

const mug = "https://shop.example/mug.jpg";
const edit = (json: object, tool = "mask", by = client) => by.call("POST", `/v1/tools/${tool}/edit`, { json });
const matching = (jobId: string, imageUrl = mug) => ({
  imageUrl,
  parameters: { tone: "match", toneImage: { jobId } },
});
const readJob = async (id: string) => (await apis.log.read<Job>(subjects.job(accountId, id))).value!;
const fileOf = (id: string, name: string) => join(apis.storageDir, "api", accountId, id, name);

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("image", new Blob([new Uint8Array(photo)], { type: "image/png" }), "mug.png");
  return form;
}

/** A job whose photo was sent. */
async function newJob(fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, body } = await client.call("POST", "/v1/tools/mask/edit", { form: formOf(fields) });
  expect(status).toBe(202);
  return body.id;
}

async function upload(): Promise<string> {
  const json = { contentType: "image/png", filename: "a.png", sizeBytes: photo.length };
  const { body } = await client.call("POST", "/v1/uploads", { json });
  await fetch(body.uploadUrl, { method: "PUT", headers: body.headers, body: new Uint8Array(photo) });
  return body.uploadSessionId;
}

test("a photo gets the light of a job's photo, whatever became of that job", async () => {
  const queued = await newJob();
  const cancelled = await newJob();
  expect((await client.call("POST", `/v1/jobs/${cancelled}/cancel`)).status).toBe(200);
  for (const [jobId, tool] of [
    [queued, "mask"],
    [queued, "ai-shadows"],
    [cancelled, "ai-bg"],
  ] as const) {
    const { status, body } = await edit(matching(jobId), tool);
    expect([status, body]).toEqual([202, expect.objectContaining({ tool })]);
    expect(readFileSync(fileOf(body.id, "tone"))).toEqual(photo);
  }
  const form = await client.call("POST", "/v1/tools/mask/edit", {
    form: formOf({ tone: "match", "toneImage.jobId": queued }),
  });
  expect(readFileSync(fileOf(form.body.id, "tone"))).toEqual(photo);
  // The picture is the job's own: it stays when the other job goes.
  const { body } = await edit(matching(queued));
  await client.call("DELETE", `/v1/jobs/${queued}`);
  const again = await client.call("POST", `/v1/jobs/${body.id}/repeat`);
  expect([again.status, readFileSync(fileOf(again.body.id, "tone"))]).toEqual([202, photo]);
});

test("a photo at an address is fetched from there, and one that matched another picture has that one's light", async () => {
  const { body: ofAddress } = await edit({ imageUrl: "https://shop.example/first-of-the-set.jpg" });
  const { body: second } = await edit(matching(ofAddress.id));
  const first = { kind: "url", imageUrl: "https://shop.example/first-of-the-set.jpg" };
  expect((await readJob(second.id)).tone).toEqual(first);
  const { body: third } = await edit(matching(second.id, "https://shop.example/hat.jpg"));
  expect((await readJob(third.id)).tone).toEqual(first);
});

test("where the job has taken its light out, the light that it made is matched, and goes on to others", async () => {
  const gains = { red: 0.8, green: 1.1, blue: 1.9 };
  const complete = async (id: string, tone: object) => {
    const subject = subjects.job(accountId, id);
    const { value, sequence } = await apis.log.read<Job>(subject);
    const ended = { ...value, status: "completed", report: { tone }, expiresAt: isoTime(Date.now() + 60_000) };
    await apis.log.commit("test", [{ subject, value: ended, expected: sequence }]);
    return id;
  };
  const early = await newJob({ tone: "neutral" });
  const refused = await edit(matching(early));
  expect([refused.status, refused.body.message]).toEqual([
    400,
    expect.stringMatching(/neutral, and has not completed/),
  ]);
  const neutral = await complete(early, { mode: "neutral", applied: true, gains });
  const { body: second } = await edit(matching(neutral));
  expect((await readJob(second.id)).tone).toMatchObject({ kind: "file", gains });
  const { body: third } = await edit(matching(second.id));
  const { body: repeated } = await client.call("POST", `/v1/jobs/${third.id}/repeat`);
  for (const { id } of [third, repeated]) expect((await readJob(id)).tone).toMatchObject({ kind: "file", gains });
  const unchanged = await complete(await newJob({ tone: "neutral" }), { mode: "neutral", applied: false });
  const { body: plain } = await edit(matching(unchanged));
  expect((await readJob(plain.id)).tone).not.toHaveProperty("gains");
});

test("a preset may name the job, and an edit's picture goes before the preset's, from wherever each comes", async () => {
  const job = await newJob();
  const preset = { tool: "mask", parameters: { tone: "match", toneImage: { jobId: job } } };
  expect((await client.call("PUT", "/v1/presets/set", { json: preset })).status).toBe(201);
  const { body } = await edit({ imageUrl: mug, preset: "set" });
  expect(readFileSync(fileOf(body.id, "tone"))).toEqual(photo);
  const toneImage = { imageUrl: "https://shop.example/other.jpg" };
  const own = await edit({ imageUrl: mug, preset: "set", parameters: { toneImage } });
  expect((await readJob(own.body.id)).tone).toEqual({ kind: "url", ...toneImage });
  const items = [{ ref: "A", imageUrl: mug, preset: "set", parameters: { toneImage } }];
  const dryRun = await client.call("POST", "/v1/batches", { json: { tool: "mask", dryRun: true, items } });
  expect(dryRun.body.faulty).toBe(0);
});

test("an id that names no job of the account and of the key's kind is refused, and stores nothing", async () => {
  const job = await newJob();
  const other = await openAccount(apis.all[0]!);
  const testKey = (await client.call("POST", "/v1/account/keys", { json: { name: "test", live: false } })).body.key;
  const expired = await newJob();
  await client.call("POST", `/v1/jobs/${expired}/cancel`);
  const { value, sequence } = await apis.log.read<Job>(subjects.job(accountId, expired));
  const past = { ...value, expiresAt: isoTime(Date.now() - 1) };
  await apis.log.commit("test", [{ subject: subjects.job(accountId, expired), value: past, expected: sequence }]);
  const url = apis.all[0]!.url;
  for (const [by, jobId] of [
    [client, uuidv7()],
    [client, "first-of-the-set"],
    [client, expired],
    [apiClient(url, other.key), job],
    [apiClient(url, testKey), job],
  ] as const) {
    const { status, body } = await edit(matching(jobId), "mask", by);
    expect([status, body.code, body.details]).toEqual([404, "not_found", { field: "parameters.toneImage.jobId" }]);
  }
  // Another tone goes before it: the job is not looked for.
  const unused = { imageUrl: mug, parameters: { tone: "neutral", toneImage: { jobId: uuidv7() } } };
  expect((await edit(unused)).status).toBe(202);
  const two = { imageUrl: mug, parameters: { tone: "match", toneImage: { jobId: job, imageUrl: mug } } };
  const refused = await edit(two);
  expect([refused.status, refused.body.message]).toEqual([
    400,
    '"parameters.toneImage" needs one of imageUrl, uploadSessionId and jobId.',
  ]);
  const ofMask = { imageUrl: mug, parameters: { maskImage: { jobId: job } } };
  expect((await edit(ofMask)).body.details).toEqual({ field: "parameters.maskImage.jobId" });
  // Its record outlived its photo.
  rmSync(fileOf(job, "source"));
  const gone = await edit(matching(job));
  expect([gone.status, gone.body.code]).toEqual([410, "job_expired"]);
});

test.each(["redo", "skip"])(
  "rows of a batch name jobs, and one that is not there fails its row (%s)",
  async (onExisting) => {
    const job = await newJob();
    const uploadSessionId = await upload();
    const csv = [
      "ref,uploadSessionId,tone,toneImage.jobId",
      `A,${uploadSessionId},match,${job}`,
      `B,${uploadSessionId},match,${uuidv7()}`,
    ].join("\n");
    const session = { contentType: "text/csv", filename: "rows.csv", sizeBytes: csv.length };
    const { body: rows } = await client.call("POST", "/v1/uploads", { json: session });
    await fetch(rows.uploadUrl, { method: "PUT", headers: rows.headers, body: csv });
    const json = { tool: "mask", onExisting, uploadSessionId: rows.uploadSessionId };
    const { body: batch } = await client.call("POST", "/v1/batches", { json });
    const counts = async () => (await client.call("GET", `/v1/batches/${batch.id}`)).body.counts;
    await expect.poll(counts, { timeout: 30_000 }).toMatchObject({ open: 1, failed: 1, pending: 0 });
    const { data } = (await client.call("GET", `/v1/jobs?batch=${batch.id}`)).body;
    expect(readFileSync(fileOf(data[0].id, "tone"))).toEqual(photo);
    const { body: report } = await client.call("GET", `/v1/batches/${batch.id}/report`);
    const lines = (report as string)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ code }) => code)).toEqual([null, "tone_unusable"]);
    expect(lines[1].message).toMatch(/^The tone picture cannot be used: The job .* was not found/);
  },
);
