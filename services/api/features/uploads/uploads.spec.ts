import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { openAccount } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

const apis = suiteFixture(startApis);
let client: ContractClient;
let other: ContractClient;
let accountId: string;

beforeAll(async () => {
  const [api] = apis.all;
  const account = await openAccount(api!, { limits: { maxFileSizeBytes: 1_000_000 } });
  accountId = account.accountId;
  client = apiClient(api!.url, account.key);
  other = apiClient(api!.url, (await openAccount(api!)).key);
});

async function session(sizeBytes: number, contentType = "image/png") {
  const { body, status } = await client.call("POST", "/v1/uploads", {
    json: { contentType, filename: "shoe.png", sizeBytes },
  });
  expect(status).toBe(201);
  return body as { uploadUrl: string; uploadSessionId: string; headers: Record<string, string>; method: string };
}

function filesOf(uploadId: string): string[] {
  const folder = join(apis.storageDir, "api", accountId, "uploads", uploadId);
  return existsSync(folder) ? readdirSync(folder) : [];
}

test("bytes are PUT to uploadUrl without a key, and the session is then complete", async () => {
  const bytes = randomBytes(5_000);
  const { uploadUrl, uploadSessionId, headers, method } = await session(bytes.length);
  expect(method).toBe("PUT");
  expect((await client.call("GET", `/v1/uploads/${uploadSessionId}`)).body).toMatchObject({ status: "pending" });
  const put = await fetch(uploadUrl, { method, headers, body: bytes });
  expect(put.status).toBe(200);
  const { body } = await client.call("GET", `/v1/uploads/${uploadSessionId}`);
  expect(body).toMatchObject({ uploadSessionId, status: "complete", sizeBytes: 5_000, contentType: "image/png" });
  expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(24 * 3600 * 1000);
});

test.each([
  ["another type", { "Content-Type": "image/jpeg" }, 5_000, 400, "invalid_request"],
  ["no type", {}, 5_000, 400, "invalid_request"],
  ["a byte too few", { "Content-Type": "image/png" }, 4_999, 400, "invalid_request"],
  ["a byte too many", { "Content-Type": "image/png" }, 5_001, 400, "invalid_request"],
  [
    "the first part",
    { "Content-Type": "image/png", "Content-Range": "bytes 0-4999/9000" },
    5_000,
    400,
    "invalid_request",
  ],
  [
    "a later part",
    { "Content-Type": "image/png", "Content-Range": "bytes 1-5000/5000" },
    5_000,
    400,
    "invalid_request",
  ],
  ["no known part", { "Content-Type": "image/png", "Content-Range": "bytes */5000" }, 5_000, 400, "invalid_request"],
])("a PUT of %s is refused and leaves nothing behind", async (_what, headers, bytes, status, code) => {
  const { uploadUrl, uploadSessionId } = await session(5_000);
  const put = await fetch(uploadUrl, { method: "PUT", headers, body: new Uint8Array(bytes) });
  expect(put.status).toBe(status);
  expect(await put.json()).toMatchObject({
    code,
    message: expect.any(String),
    requestId: put.headers.get("request-id"),
  });
  expect(filesOf(uploadSessionId)).toEqual([]);
  expect((await client.call("GET", `/v1/uploads/${uploadSessionId}`)).body).toMatchObject({ status: "pending" });
});

test.each(["bytes 0-4999/5000", "bytes 0-4999/*"])(
  "a PUT whose Content-Range is the whole file, %s, is taken",
  async (range) => {
    const { uploadUrl, uploadSessionId, headers } = await session(5_000);
    const put = { method: "PUT", headers: { ...headers, "Content-Range": range }, body: new Uint8Array(5_000) };
    expect((await fetch(uploadUrl, put)).status).toBe(200);
    expect((await client.call("GET", `/v1/uploads/${uploadSessionId}`)).body).toMatchObject({ status: "complete" });
  },
);

test.each([
  ["photos/Größe 3.jpg", "Größe 3.jpg"],
  ["..\\..\\mug.jpg", "mug.jpg"],
  ["../..", "_"],
  ["photos/", "photos"],
  ["//", "_"],
  ["mug\r\nX: y\u0000.jpg", "mug__X: y_.jpg"],
  ["mug\u202egpj.exe", "mug_gpj.exe"],
])("the name %j is kept as %s", async (filename, kept) => {
  const json = { contentType: "image/png", filename, sizeBytes: 100 };
  const { body, status } = await client.call("POST", "/v1/uploads", { json });
  expect([status, body.filename]).toEqual([201, kept]);
  expect((await client.call("GET", `/v1/uploads/${body.uploadSessionId}`)).body.filename).toBe(kept);
});

test("a PUT without Content-Length is refused with 411", async () => {
  const { uploadUrl } = await session(5_000);
  const chunks = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(5_000));
      controller.close();
    },
  });
  const init = { method: "PUT", headers: { "Content-Type": "image/png" }, body: chunks, duplex: "half" };
  const put = await fetch(uploadUrl, init as RequestInit);
  expect([put.status, ((await put.json()) as { code: string }).code]).toEqual([411, "length_required"]);
});

test("a PUT to a changed link is refused like an unknown one", async () => {
  const { uploadUrl } = await session(5_000);
  for (const link of [
    uploadUrl.replace("size=5000", "size=6000"),
    `${uploadUrl}x`,
    uploadUrl.replace(/signature=.*/, ""),
  ]) {
    const put = await fetch(link, {
      method: "PUT",
      headers: { "Content-Type": "image/png" },
      body: new Uint8Array(5_000),
    });
    expect([put.status, ((await put.json()) as { code: string }).code]).toEqual([404, "not_found"]);
  }
});

test("a deleted session is gone with its bytes, and its link accepts no more", async () => {
  const { uploadUrl, uploadSessionId, headers } = await session(100);
  expect((await fetch(uploadUrl, { method: "PUT", headers, body: new Uint8Array(100) })).status).toBe(200);
  expect((await client.call("DELETE", `/v1/uploads/${uploadSessionId}`)).status).toBe(204);
  expect(filesOf(uploadSessionId)).toEqual([]);
  expect((await client.call("GET", `/v1/uploads/${uploadSessionId}`)).status).toBe(404);
  const again = await fetch(uploadUrl, { method: "PUT", headers, body: new Uint8Array(100) });
  expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([410, "upload_expired"]);
});

test("a session of another account looks like one that does not exist", async () => {
  const { uploadSessionId } = await session(100);
  const unknown = "01936b20-91c4-7d03-9d1c-5f5e0d9a7b21".replace(/^01936b20/, uploadSessionId.slice(0, 8));
  const theirs = await other.call("GET", `/v1/uploads/${uploadSessionId}`);
  const nobodys = await other.call("GET", `/v1/uploads/${unknown}`);
  expect(theirs.status).toBe(404);
  expect({ ...theirs.body, requestId: "" }).toEqual({ ...nobodys.body, requestId: "" });
});

test("an id that is older than a day is answered with upload_expired", async () => {
  const { status, body } = await client.call("GET", "/v1/uploads/01936b20-91c4-7d03-9d1c-5f5e0d9a7b21");
  expect([status, body.code]).toEqual([410, "upload_expired"]);
});

test.each([1_000_001, 10 ** 12])(
  "%d bytes, which the plan does not allow, are refused before any is sent",
  async (sizeBytes) => {
    const { status, body } = await client.call("POST", "/v1/uploads", {
      json: { contentType: "image/png", filename: "a", sizeBytes },
    });
    expect([status, body.code]).toEqual([413, "file_too_large"]);
  },
);

test.each([
  ["image/jpeg; charset=binary", "image/jpeg", "image/jpeg; charset=binary"],
  ["IMAGE/JPEG", "image/jpeg", "image/jpeg"],
  ["image/jpg", "image/jpeg", "image/jpg"],
  ["image/pjpeg", "image/jpeg", "image/jpeg"],
  ["image/jpeg", "image/jpeg", "image/jpg;q=1"],
  ["image/x-png", "image/png", "Image/PNG"],
  ["application/octet-stream", "application/octet-stream", "Application/Octet-Stream"],
  ["Text/CSV ; charset=utf-8; header=present", "text/csv", "text/csv;charset=UTF-8"],
])("a file declared as %s is one of %s, and its PUT may say %s", async (declared, contentType, sent) => {
  const { uploadUrl, uploadSessionId, method } = await session(9, declared);
  const put = await fetch(uploadUrl, { method, headers: { "Content-Type": sent }, body: randomBytes(9) });
  expect(put.status).toBe(200);
  const { body } = await client.call("GET", `/v1/uploads/${uploadSessionId}`);
  expect(body).toMatchObject({ status: "complete", contentType });
});

test.each(["image/svg+xml", "image/SVG+xml; charset=utf-8", "image/bmp", "image/jxl"])(
  "no session is opened for %s, which no edit can read",
  async (contentType) => {
    const { status, body } = await client.call("POST", "/v1/uploads", {
      json: { contentType, filename: "a", sizeBytes: 9 },
    });
    expect([status, body.code, body.details]).toEqual([415, "unsupported_media_type", { field: "contentType" }]);
  },
);

test("rows of a batch are uploaded, too, with a limit of their own", async () => {
  const rows = Buffer.from("ref,imageUrl\nK-17,https://shop.example/k.jpg\n");
  const opened = await session(rows.length, "text/csv");
  const put = await fetch(opened.uploadUrl, { method: opened.method, headers: opened.headers, body: rows });
  expect(put.status).toBe(200);
  await session(512 * 1024 * 1024, "Application/X-NDJSON");
  for (const [contentType, sizeBytes] of [
    ["text/csv", 512 * 1024 * 1024 + 1],
    ["image/png", 1_000_001],
  ]) {
    const { status, body } = await client.call("POST", "/v1/uploads", {
      json: { contentType, filename: "a", sizeBytes },
    });
    expect([status, body.code]).toEqual([413, "file_too_large"]);
  }
});

test.each([
  [{ contentType: "text/plain", filename: "a", sizeBytes: 1 }, "contentType"],
  [{ contentType: "", filename: "a", sizeBytes: 1 }, "contentType"],
  [{ filename: "a", sizeBytes: 1 }, "contentType"],
  [{ contentType: "image/png", filename: "", sizeBytes: 1 }, "filename"],
  [{ contentType: "image/png", filename: "a", sizeBytes: 0 }, "sizeBytes"],
  [{ contentType: "image/png", filename: "a", sizeBytes: 1.5 }, "sizeBytes"],
  [{ contentType: "image/png", filename: "a" }, "sizeBytes"],
  [{ contentType: "image/png", filename: "a", sizeBytes: 1, size: 2 }, "size"],
])("%j is refused naming %s", async (json, field) => {
  const { status, body } = await client.call("POST", "/v1/uploads", { json });
  expect([status, body.code, body.details]).toEqual([400, "invalid_request", { field }]);
});

test("the same Idempotency-Key returns the first session again", async () => {
  const json = { contentType: "image/png", filename: "a.png", sizeBytes: 77 };
  const headers = { "Idempotency-Key": "upload-1" };
  const first = await client.call("POST", "/v1/uploads", { json, headers });
  const second = await client.call("POST", "/v1/uploads", { json, headers });
  expect(second.status).toBe(201);
  expect(second.body).toEqual(first.body);
  expect(second.headers.get("location")).toBe(first.headers.get("location"));
  expect([first, second].map((reply) => reply.headers.get("idempotency-replayed"))).toEqual([null, "true"]);
  const third = await client.call("POST", "/v1/uploads", { json: { ...json, sizeBytes: 78 }, headers });
  expect([third.status, third.body.code]).toEqual([422, "idempotency_key_reused"]);
});
