/** Below the floor of free space nothing is taken that needs space; everything else goes on. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAccount } from "../../../../testing/api/accounts.ts";
import { type ApiProcesses, startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient, type Reply } from "../../../../testing/api/contract-client.ts";
import { formWith } from "../../../../testing/stack/live-stack.ts";

let apis: ApiProcesses;
/** The same log and storage: one process has a floor that no disk reaches, and one has none. */
let full: ContractClient;
let roomy: ContractClient;
let fullUrl: string;

beforeAll(async () => {
  apis = await startApis({ environment: { PACKSHOT_STORAGE_FREE_BYTES_MIN: "0" } });
  const [api] = apis.all;
  const fullApi = await apis.start({ PACKSHOT_STORAGE_FREE_BYTES_MIN: String(Number.MAX_SAFE_INTEGER) });
  const { key } = await openAccount(api!);
  roomy = apiClient(api!.url, key);
  full = apiClient(fullApi.url, key);
  fullUrl = fullApi.url;
});
afterAll(() => apis.stop());

const upload = { contentType: "image/jpeg", filename: "mug.jpg", sizeBytes: 5 };

function expectRefusal({ status, body, headers }: Pick<Reply, "status" | "body" | "headers">): void {
  expect([status, body.code]).toEqual([503, "unavailable"]);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
}

test("health says that storage is full, and the process stays in service", async () => {
  expect(await full.call("GET", "/healthz", { key: null })).toMatchObject({ status: 200, body: { storage: "full" } });
  expect((await roomy.call("GET", "/healthz", { key: null })).body).toEqual({ status: "ok", storage: "ok" });
});

test("upload sessions and their bytes are refused, and taken where there is room", async () => {
  expectRefusal(await full.call("POST", "/v1/uploads", { json: upload }));
  const { body } = await roomy.call("POST", "/v1/uploads", { json: upload });
  const put = (url: string) => fetch(url, { method: "PUT", headers: body.headers, body: "photo" });
  const refused = await put(fullUrl + new URL(body.uploadUrl).pathname + new URL(body.uploadUrl).search);
  expectRefusal({ status: refused.status, headers: refused.headers, body: await refused.json() });
  expect((await roomy.call("GET", `/v1/uploads/${body.uploadSessionId}`)).body.status).toBe("pending");
  expect((await put(body.uploadUrl)).status).toBe(200);
});

test("a storage that cannot be written refuses files, and takes no credits", async () => {
  const { key } = await openAccount(apis.all[0]!);
  const file = join(apis.storageDir, "file");
  await writeFile(file, "");
  const api = await apis.start({ PACKSHOT_STORAGE_DIR: join(file, "storage") });
  const client = apiClient(api.url, key);
  const before = (await client.call("GET", "/v1/account")).body.credits;
  const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: "#c33" } })
    .png()
    .toBuffer();
  expectRefusal(await client.call("POST", "/v1/tools/mask/edit", { form: formWith(photo) }));
  expectRefusal(await client.call("POST", "/v1/uploads", { json: upload }));
  const { body } = await apiClient(apis.all[0]!.url, key).call("POST", "/v1/uploads", { json: upload });
  const put = await fetch(new URL(new URL(body.uploadUrl).pathname + new URL(body.uploadUrl).search, api.url), {
    method: "PUT",
    headers: body.headers,
    body: "photo",
  });
  expectRefusal({ status: put.status, headers: put.headers, body: await put.json() });
  expect((await client.call("GET", "/v1/account")).body.credits).toEqual(before);
  expect((await fetch(`http://${api.metrics}/health/ready`)).status).toBe(503);
});

test("files in forms are refused, edits of stored and linked photos are not", async () => {
  expectRefusal(await full.call("POST", "/v1/tools/mask/edit", { form: formWith(Buffer.alloc(100)) }));
  const { body } = await roomy.call("POST", "/v1/uploads", { json: upload });
  expect((await fetch(body.uploadUrl, { method: "PUT", headers: body.headers, body: "photo" })).status).toBe(200);
  for (const json of [{ uploadSessionId: body.uploadSessionId }, { imageUrl: "https://shop.example/mug.jpg" }]) {
    expect((await full.call("POST", "/v1/tools/mask/edit", { json })).status).toBe(202);
  }
});
