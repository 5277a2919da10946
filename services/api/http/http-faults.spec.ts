import { connect } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { openAccount } from "../../../testing/api/accounts.ts";
import { startApis } from "../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../testing/api/contract-client.ts";
import { pngClaiming } from "../../../testing/images/odd-images.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";

const apis = suiteFixture(startApis);
let client: ContractClient;
let key: string;

beforeAll(async () => {
  ({ key } = await openAccount(apis.all[0]!, { limits: { maxFileSizeBytes: 50_000_000 } }));
  client = apiClient(apis.all[0]!.url, key);
});

interface RawReply {
  readonly status: number;
  readonly head: string;
  // biome-ignore lint/suspicious/noExplicitAny: an error body
  readonly body: any;
}

/** Bytes on a socket: what fetch would not send. `more` is called until it returns undefined. */
async function raw(
  head: string,
  more?: () => Buffer | undefined,
): Promise<RawReply & { sentBytes: number; closed: boolean }> {
  const { hostname, port } = new URL(apis.all[0]!.url);
  const socket = connect(Number(port), hostname);
  let text = "";
  let sentBytes = 0;
  let closed = false;
  const answered = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    const [top = "", body = ""] = text.split("\r\n\r\n", 2);
    const length = Number(/content-length: (\d+)/i.exec(top)?.[1] ?? Number.NaN);
    if (body.length >= length) answered.resolve();
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    closed = true;
    answered.resolve();
    over.resolve();
  });
  socket.write(head);
  if (more !== undefined) {
    await answered.promise;
    for (let chunk = more(); chunk !== undefined && !closed && sentBytes < 10 ** 8; chunk = more()) {
      sentBytes += chunk.length;
      const flushed = new Promise<void>((resolve) => socket.write(chunk!, () => resolve()));
      await Promise.race([flushed, over.promise]);
      // A closed socket says so only when the event loop turns.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  await answered.promise;
  const wasClosed = closed;
  socket.destroy();
  const [top = "", body = ""] = text.split("\r\n\r\n", 2);
  return {
    status: Number(top.split(" ")[1]),
    head: top,
    body: body === "" ? undefined : JSON.parse(body),
    sentBytes,
    closed: wasClosed,
  };
}

const shape = { code: expect.any(String), message: expect.any(String), requestId: expect.any(String) };

test.each([
  [
    "malformed JSON",
    "POST",
    "/v1/uploads",
    { raw: "{", headers: { "Content-Type": "application/json" } },
    400,
    "invalid_request",
  ],
  ["JSON that is not an object", "POST", "/v1/uploads", { json: [1] }, 400, "invalid_request"],
  [
    "bytes that are not UTF-8",
    "POST",
    "/v1/uploads",
    { raw: Buffer.from([0x22, 0xff, 0x22]), headers: { "Content-Type": "application/json" } },
    400,
    "invalid_request",
  ],
  [
    "a JSON body over its limit",
    "POST",
    "/v1/uploads",
    { json: { filename: "x".repeat(70_000) } },
    413,
    "file_too_large",
  ],
  [
    "another content type",
    "POST",
    "/v1/uploads",
    { raw: "a=1", headers: { "Content-Type": "application/x-www-form-urlencoded" } },
    415,
    "unsupported_media_type",
  ],
  [
    "a compressed body",
    "POST",
    "/v1/uploads",
    { raw: "x", headers: { "Content-Type": "application/json", "Content-Encoding": "gzip" } },
    415,
    "unsupported_media_type",
  ],
  [
    "a form without a boundary",
    "POST",
    "/v1/tools/mask/edit",
    { raw: "x", headers: { "Content-Type": "multipart/form-data" } },
    400,
    "invalid_request",
  ],
  [
    "a form that ends early",
    "POST",
    "/v1/tools/mask/edit",
    {
      raw: '--b\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\nabc',
      headers: { "Content-Type": "multipart/form-data; boundary=b" },
    },
    400,
    "invalid_request",
  ],
  ["a path that does not exist", "GET", "/v1/nothing", {}, 404, "not_found"],
  ["a path that is not valid percent-encoding", "GET", "/v1/jobs/%E0%A4%A", {}, 400, "invalid_request"],
  ["a method that the path does not have", "PUT", "/v1/jobs", {}, 405, "method_not_allowed"],
  [
    "an Accept header that allows no response",
    "GET",
    "/v1/account",
    { headers: { Accept: "image/png" } },
    406,
    "not_acceptable",
  ],
  ["an unknown query parameter", "GET", "/v1/jobs?color=red", {}, 400, "invalid_request"],
  ["a query parameter out of range", "GET", "/v1/jobs?limit=101", {}, 400, "invalid_request"],
  ["a query parameter that is no decimal number", "GET", "/v1/jobs?limit=0x10", {}, 400, "invalid_request"],
  ["one with an exponent", "GET", "/v1/jobs?limit=1e1", {}, 400, "invalid_request"],
  ["a query parameter given twice", "GET", "/v1/jobs?limit=1&limit=2", {}, 400, "invalid_request"],
  ["an invalid cursor", "GET", "/v1/jobs?cursor=abc", {}, 400, "invalid_request"],
])("%s: %s %s", async (_what, method, path, options, status, code) => {
  const reply = await client.call(method, path, options);
  expect([reply.status, reply.body]).toEqual([status, expect.objectContaining({ ...shape, code })]);
  expect(reply.body.requestId).toBe(reply.headers.get("request-id"));
  if (status === 405) expect(reply.headers.get("allow")).toBe("GET, HEAD");
});

test.each(["+10", "10", "%2010%20", "%2B10", "010", "10.0"])(
  "a query parameter may be written as limit=%s",
  async (limit) => {
    expect((await client.call("GET", `/v1/jobs?limit=${limit}`)).status).toBe(200);
  },
);

test("headers over 16 KiB are refused with headers_too_large", async () => {
  const { status, body, head } = await raw(
    `GET /v1/account HTTP/1.1\r\nHost: a\r\nX-Big: ${"a".repeat(20_000)}\r\n\r\n`,
  );
  expect([status, body]).toEqual([431, { ...shape, code: "headers_too_large" }]);
  expect(head).toMatch(/request-id: /i);
});

test("bytes that are not HTTP are refused with invalid_request", async () => {
  const { status, body } = await raw("HELLO\r\n\r\n");
  expect([status, body]).toEqual([400, { ...shape, code: "invalid_request" }]);
});

test("HTTP/1.1 without a Host is refused, HTTP/1.0 may omit it", async () => {
  const { status, body, head } = await raw("GET /healthz HTTP/1.1\r\n\r\n");
  expect([status, body]).toEqual([400, { ...shape, code: "invalid_request" }]);
  expect(head).toMatch(/request-id: /i);
  expect((await raw("GET /healthz HTTP/1.0\r\n\r\n")).status).toBe(200);
});

test("an unknown Expect header is ignored", async () => {
  const { status, head } = await raw("GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\n\r\n");
  expect([status, head]).toEqual([200, expect.stringMatching(/request-id: /i)]);
});

test.each([
  ["é as one byte of Latin-1", "latin1", "", 400],
  ["é as UTF-8", "utf8", "", 202],
  ["é as the Latin-1 that the part declares", "latin1", "Content-Type: text/plain; charset=iso-8859-1\r\n", 202],
] as const)("a form's text: %s", async (_what, encoding, header, expected) => {
  const part = (name: string, text: string, more = "") =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n${more}\r\n${text}\r\n`;
  const form = `${part("imageUrl", "https://shop.example/a.jpg")}${part("theme", "été", header)}--b--\r\n`;
  const answer = await fetch(`${apis.all[0]!.url}/v1/tools/ai-bg/edit`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "multipart/form-data; boundary=b" },
    body: Buffer.from(form, encoding),
  });
  expect(answer.status).toBe(expected);
  if (expected === 400) expect(await answer.json()).toMatchObject({ details: { field: "theme" } });
});

const chunk = Buffer.alloc(256 * 1024, "a");

test("a refusal is sent before the body has arrived, and up to 8 MiB of the body are drained", async () => {
  let left = 16;
  const reply = await raw(
    `POST /v1/tools/mask/edit HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${16 * chunk.length}\r\n\r\n`,
    () => (left-- > 0 ? chunk : undefined),
  );
  expect([reply.status, reply.body.code]).toEqual([401, "unauthenticated"]);
  expect([reply.sentBytes, reply.closed]).toEqual([16 * chunk.length, false]);
});

test("past 8 MiB the connection is closed", async () => {
  const reply = await raw(
    `POST /v1/tools/mask/edit HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${10 ** 9}\r\n\r\n`,
    () => chunk,
  );
  expect([reply.status, reply.body.code, reply.closed]).toEqual([401, "unauthenticated", true]);
  expect(reply.sentBytes).toBeLessThan(64 * 1024 * 1024);
});

test("a file that grows past the plan's limit is refused before it ends", async () => {
  // An image by its header: anything else is refused before it grows.
  const head = Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n`),
    pngClaiming(64, 48),
  ]);
  const { hostname, port } = new URL(apis.all[0]!.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  const answered = new Promise<string>((resolve) => socket.once("data", (data) => resolve(data.toString())));
  socket.write(
    `POST /v1/tools/mask/edit HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n${head.length.toString(16)}\r\n`,
  );
  socket.write(Buffer.concat([head, Buffer.from("\r\n")]));
  const piece = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n")]);
  let isAnswered = false;
  void answered.then(() => {
    isAnswered = true;
  });
  let sentBytes = 0;
  while (!isAnswered && sentBytes < 80_000_000) {
    sentBytes += chunk.length;
    await new Promise<void>((resolve) => socket.write(piece, () => resolve()));
    // The response is read only when the event loop turns.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await answered).toMatch(/^HTTP\/1\.1 413 [\s\S]*file_too_large/);
  socket.destroy();
});

test("the service describes itself", async () => {
  const document = await client.call("GET", "/openapi.json", { key: null });
  expect(document.body.openapi).toBe("3.1.0");
  expect((await client.call("GET", "/v1/openapi.json", { key: null })).body).toEqual(document.body);
  const docs = await client.call("GET", "/docs", { key: null });
  expect(docs.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(docs.body).toContain("/docs/assets/");
  for (const { headers } of [document, docs]) expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect((await client.call("GET", "/healthz", { key: null })).body).toEqual({ status: "ok", storage: "ok" });
});

test("no log line holds a key or a body", async () => {
  expect(apis.all[0]!.logLines.join("\n")).not.toContain(key);
});
