/**
 * Forms and their temporary bytes are bounded, per account and per process, and a wait for a job holds none.
 * @module-tag long
 */
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { type ClientRequest, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeAll, expect, test } from "vitest";
import { openAccount } from "../../../../testing/api/accounts.ts";
import { type ApiProcess, startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient } from "../../../../testing/api/contract-client.ts";
import { formWith } from "../../../../testing/stack/live-stack.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

const path = "/v1/tools/mask/edit";
const apis = suiteFixture(() => startApis());
let photo: Buffer;
const openForms: ClientRequest[] = [];
const folders: string[] = [];

beforeAll(async () => {
  photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: "#c33" } })
    .png()
    .toBuffer();
});

afterEach(async () => {
  for (const form of openForms.splice(0)) form.destroy();
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

async function startApi(limits: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), "packshot-form-limits-"));
  folders.push(folder);
  const api = await apis.start({ TMPDIR: folder, ...limits });
  return { api, formsHeld: async () => (await readdir(join(folder, "packshot-forms")).catch(() => [])).length };
}

/** Sends the head of a form, and of its body only the beginning. */
function openForm(api: ApiProcess, key: string, declaredBytes: number, start: Buffer | string = ""): ClientRequest {
  const form = httpRequest(api.url + path, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "multipart/form-data; boundary=b",
      "Content-Length": declaredBytes,
    },
  });
  openForms.push(form);
  form.on("error", () => {});
  form.flushHeaders();
  if (start.length > 0) form.write(start);
  return form;
}

/** A form whose image has begun to arrive. */
function holdForm(api: ApiProcess, key: string, declaredBytes = 100_000): ClientRequest {
  const head = '--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n';
  return openForm(api, key, declaredBytes, Buffer.concat([Buffer.from(head), photo, Buffer.alloc(50_000)]));
}

/** The response to a form of which no byte has been sent. */
async function refusalOf(form: ClientRequest): Promise<[status: number | undefined, code: string, retryAfter: number]> {
  const [response] = await once(form, "response");
  const chunks: Buffer[] = await response.toArray();
  const { code } = JSON.parse(Buffer.concat(chunks).toString());
  return [response.statusCode, code, Number(response.headers["retry-after"])];
}

test("an account's forms and those of a process are bounded, and are refused before a byte of them is read", async () => {
  const { api, formsHeld } = await startApi({ PACKSHOT_FORMS_MAX: "3", PACKSHOT_FORMS_PER_ACCOUNT_MAX: "2" });
  const one = await openAccount(api);
  const other = await openAccount(api);
  const held = [one, one].map(({ key }) => holdForm(api, key));
  await expect.poll(formsHeld).toBe(2);
  expect(await refusalOf(openForm(api, one.key, 1_000))).toEqual([429, "rate_limit_exceeded", 2]);
  holdForm(api, other.key);
  await expect.poll(formsHeld).toBe(3);
  expect(await refusalOf(openForm(api, other.key, 1_000))).toEqual([503, "unavailable", 2]);
  held[0]!.destroy();
  await expect.poll(formsHeld).toBe(2);
  const { status } = await apiClient(api.url, one.key).call("POST", path, { form: formWith(photo) });
  expect(status).toBe(202);
});

test("the declared bytes of an account's forms are bounded", async () => {
  const { api, formsHeld } = await startApi({ PACKSHOT_FORM_BYTES_PER_ACCOUNT_MAX: "300000" });
  const { key } = await openAccount(api);
  holdForm(api, key, 200_000);
  await expect.poll(formsHeld).toBe(1);
  expect(await refusalOf(openForm(api, key, 200_000))).toEqual([429, "rate_limit_exceeded", 2]);
  expect((await apiClient(api.url, key).call("POST", path, { form: formWith(photo) })).status).toBe(202);
});

test("a form ends when its photo is stored, not when a wait for its job ends", async () => {
  const { api, formsHeld } = await startApi({ PACKSHOT_FORMS_PER_ACCOUNT_MAX: "1" });
  const { key } = await openAccount(api);
  const client = apiClient(api.url, key);
  const stop = new AbortController();
  const headers = { Prefer: "wait=60", "Idempotency-Key": "first" };
  const waiting = client.call("POST", path, { form: formWith(photo), headers, signal: stop.signal });
  const jobs = async () => (await client.call("GET", "/v1/jobs")).body.data.length;
  await expect.poll(jobs).toBe(1);
  await expect.poll(formsHeld).toBe(0);
  expect((await client.call("POST", path, { form: formWith(photo) })).status).toBe(202);
  stop.abort();
  await expect(waiting).rejects.toThrow();
});
