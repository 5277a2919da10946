/** A catalog that is sent again, through API and worker: what was done costs nothing. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import AdmZip from "adm-zip";
import { expect, test } from "vitest";
import { openAccount } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { startNoOpWorker } from "../../../../testing/worker/no-op-worker.ts";

const apis = suiteFixture(() => startApis({ environment: { PACKSHOT_ALLOW_SOURCES: "127.0.0.1:*" } }));
const waiting = { timeout: 30_000, interval: 50 };

/** Photos are what their address says, without its query. */
async function startShop() {
  const shop = createServer((request, response) => response.end(new URL(request.url!, "http://shop").pathname));
  await once(shop.listen(0, "127.0.0.1"), "listening");
  return { url: `http://127.0.0.1:${(shop.address() as AddressInfo).port}`, close: () => void shop.close() };
}

async function run(client: ContractClient, items: readonly { ref: string; imageUrl: string }[]) {
  const { body } = await client.call("POST", "/v1/batches", { json: { tool: "mask", items } });
  const read = async () => (await client.call("GET", `/v1/batches/${body.id}`)).body;
  await expect.poll(async () => (await read()).finishedAt, waiting).not.toBeNull();
  const { counts, creditsCharged } = await read();
  const { body: report } = await client.call("GET", `/v1/batches/${body.id}/report`);
  const lines = (report as string)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { id: body.id as string, counts, creditsCharged, lines };
}

test("equal photos of a batch cost once, and a catalog sent again costs only what is new", async () => {
  const shop = await startShop();
  const worker = await startNoOpWorker({ natsUrl: apis.nats.url, storageDir: apis.storageDir });
  const { key } = await openAccount(apis.all[0]!);
  const client = apiClient(apis.all[0]!.url, key);
  const item = (ref: string, photo: string) => ({ ref, imageUrl: `${shop.url}/${photo}?${ref}` });
  const catalog = [item("complete-a", "mug"), item("complete-b", "cup"), item("complete-c", "mug")];

  const first = await run(client, catalog);
  expect([first.counts, first.creditsCharged]).toMatchObject([{ completed: 2, skipped: 1, failed: 0 }, 2]);
  expect(first.lines[2]).toMatchObject({ status: "skipped", credits: 0, sameAs: { batchId: first.id, row: 0 } });

  const again = await run(client, [...catalog, item("complete-d", "hat")]);
  expect([again.counts, again.creditsCharged]).toMatchObject([{ completed: 1, skipped: 3, failed: 0 }, 1]);
  expect(again.lines.map(({ status }) => status)).toEqual(["skipped", "skipped", "skipped", "completed"]);
  for (const { resultUrl } of again.lines) expect((await fetch(resultUrl)).status).toBe(200);
  const headers = { Authorization: `Bearer ${key}` };
  const archive = await fetch(`${apis.all[0]!.url}/v1/batches/${again.id}/archive`, { headers });
  expect(new AdmZip(Buffer.from(await archive.arrayBuffer())).getEntries()).toHaveLength(4);
  await worker.stop();
  shop.close();
});

test("a row that was rejected is edited again, its job gone or not", async () => {
  const shop = await startShop();
  const worker = await startNoOpWorker({ natsUrl: apis.nats.url, storageDir: apis.storageDir });
  const { key } = await openAccount(apis.all[0]!);
  const client = apiClient(apis.all[0]!.url, key);
  const catalog = ["bowl", "vase", "lamp"].map((photo) => ({ ref: photo, imageUrl: `${shop.url}/complete-${photo}` }));
  const first = await run(client, catalog);
  const [there, gone] = first.lines.map(({ jobId }) => jobId as string);
  expect((await client.call("POST", `/v1/jobs/${there}/reject`, { json: {} })).status).toBe(200);
  expect((await client.call("DELETE", `/v1/jobs/${gone}`)).status).toBe(204);
  const json = { batch: { id: first.id, row: 1 } };
  expect((await client.call("POST", `/v1/jobs/${gone}/reject`, { json })).status).toBe(200);
  const reviews = async () => {
    const { body } = await client.call("GET", `/v1/batches/${first.id}/report`);
    const lines = (body as string).trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line).review);
  };
  await expect.poll(reviews, waiting).toEqual(["rejected", "rejected", null]);

  const again = await run(client, catalog);
  expect(again.lines.map(({ status }) => status)).toEqual(["completed", "completed", "skipped"]);
  const third = await run(client, catalog);
  expect(third.lines.map(({ sameAs }) => sameAs?.batchId)).toEqual([again.id, again.id, first.id]);
  await worker.stop();
  shop.close();
});

test("the line of a row whose job was deleted says so, and has no link", async () => {
  const shop = await startShop();
  const worker = await startNoOpWorker({ natsUrl: apis.nats.url, storageDir: apis.storageDir });
  const client = apiClient(apis.all[0]!.url, (await openAccount(apis.all[0]!)).key);
  const items = ["pan", "pot"].map((photo) => ({ ref: photo, imageUrl: `${shop.url}/complete-${photo}` }));
  const { id, lines } = await run(client, items);
  expect((await client.call("DELETE", `/v1/jobs/${lines[0].jobId}`)).status).toBe(204);
  const report = async () => {
    const { body } = await client.call("GET", `/v1/batches/${id}/report`);
    return (body as string)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  };
  await expect.poll(async () => (await report())[0].resultUrl, waiting).toBeNull();
  const [deleted, kept] = await report();
  expect(deleted).toMatchObject({ status: "completed", message: expect.stringContaining("deleted"), expiresAt: null });
  expect(kept).toEqual(lines[1]);
  await worker.stop();
  shop.close();
});
