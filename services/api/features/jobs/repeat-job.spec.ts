import type { Account } from "@packshot/domain/accounts/account.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { Job } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import sharp from "sharp";
import { expect, test } from "vitest";
import { openAccount, operator } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

const apis = suiteFixture(startApis);

async function newAccount() {
  const account = await openAccount(apis.all[0]!);
  return { ...account, client: apiClient(apis.all[0]!.url, account.key) };
}

const readJob = async (accountId: string, id: string) => (await apis.log.read<Job>(subjects.job(accountId, id))).value!;

async function photoForm(fields: Readonly<Record<string, string>>): Promise<FormData> {
  const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("image", new Blob([new Uint8Array(photo)], { type: "image/png" }), "mug.png");
  return form;
}

test("a job is run again with the same photo, parameters, seed and metadata", async () => {
  const { accountId, client } = await newAccount();
  const form = await photoForm({ "output.format": "webp", "metadata.sku": "K-17" });
  const first = await client.call("POST", "/v1/tools/mask/edit", { form });
  const again = await client.call("POST", `/v1/jobs/${first.body.id}/repeat`);
  expect([again.status, again.body.tool]).toEqual([202, "mask"]);
  expect(again.body.id).not.toBe(first.body.id);
  expect(again.headers.get("location")).toBe(again.body.statusUrl);
  const [before, after] = await Promise.all([first, again].map(({ body }) => readJob(accountId, body.id)));
  expect(after!.parameters).toEqual(before!.parameters);
  expect(after!.metadata).toEqual({ sku: "K-17" });
  // A copy of its own: deleting the first job leaves the second one its photo.
  const storage = createDiskStorage({ dir: apis.storageDir });
  const photoOf = async (id: string) => await storage.read(storageKeys.source(accountId, id), { bytesMax: 100_000 });
  const photo = await photoOf(first.body.id);
  await client.call("DELETE", `/v1/jobs/${first.body.id}`);
  await expect.poll(() => photoOf(first.body.id)).toBeUndefined();
  expect(await photoOf(again.body.id)).toEqual(photo);
});

test("a job of an address has it again, and its idempotency key makes one job", async () => {
  const { accountId, client } = await newAccount();
  const imageUrl = "https://shop.example/mug.jpg";
  const first = await client.call("POST", "/v1/tools/ai-bg/edit", { json: { imageUrl, parameters: { theme: "oak" } } });
  const repeat = () =>
    client.call("POST", `/v1/jobs/${first.body.id}/repeat`, { headers: { "Idempotency-Key": "again" } });
  const one = await repeat();
  const other = await repeat();
  expect(other.body.id).toBe(one.body.id);
  expect(other.headers.get("idempotency-replayed")).toBe("true");
  expect(await readJob(accountId, one.body.id)).toMatchObject({ source: { kind: "url", imageUrl }, tool: "ai-bg" });
});

test("whoever has no credits, or no such job, runs nothing again", async () => {
  const { accountId, client } = await newAccount();
  const imageUrl = "https://shop.example/mug.jpg";
  const first = await client.call("POST", "/v1/tools/mask/edit", { json: { imageUrl } });
  await operator(apis.all[0]!, "POST", `/accounts/${accountId}/grants`, { amount: -1_000_000_000 });
  const refused = await client.call("POST", `/v1/jobs/${first.body.id}/repeat`);
  expect([refused.status, refused.body.code]).toEqual([402, "insufficient_credits"]);
  const { client: stranger } = await newAccount();
  for (const id of [first.body.id, uuidv7(), "nothing"]) {
    expect((await stranger.call("POST", `/v1/jobs/${id}/repeat`)).status).toBe(404);
  }
  const account = (await apis.log.read<Account>(subjects.account(accountId))).value!;
  expect(account.running).toBe(1);
});
