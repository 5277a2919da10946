/** The client against a server that misbehaves as networks and proxies do. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { Packshot } from "./packshot.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let baseUrl: string;
let answers: Answer[];
let seen: IncomingMessage[];

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request);
    request.resume();
    request.on("end", () => answers[Math.min(seen.length, answers.length) - 1]!(request, response));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  seen = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const client = (options = {}) => new Packshot({ apiKey: "ps_test_none", baseUrl, ...options });
const json =
  (status: number, body: unknown, headers = {}): Answer =>
  (_request, response) =>
    void response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
const drop: Answer = (request) => void request.socket.destroy();
const busy = { code: "rate_limit_exceeded", message: "slow down", requestId: "r-1", details: { limit: 1 } };
const created = { id: "j-1", tool: "mask", status: "queued" };

test("an edit that is dropped, refused and broken is sent again, with one key for all tries", async () => {
  const cut: Answer = (_request, response) => {
    response.writeHead(202, { "Content-Length": "1000" }).write("{");
    response.socket!.destroySoon();
  };
  answers = [
    drop,
    json(429, busy, { "Retry-After": "0" }),
    json(503, { code: "unavailable" }),
    cut,
    json(202, created),
  ];
  expect(await client().submit("mask", "https://shop.example/mug.jpg")).toEqual(created);
  const keys = new Set(seen.map(({ headers }) => headers["idempotency-key"]));
  expect([seen.length, keys.size]).toEqual([5, 1]);
  expect([...keys][0]).toMatch(/^[0-9a-f-]{36}$/);
});

test("a form is sent again whole, and a key of the caller's own is kept", async () => {
  const lengths: (string | undefined)[] = [];
  const note: Answer = ({ headers }, response) => {
    lengths.push(headers["content-length"] ?? headers["transfer-encoding"]);
    if (lengths.length === 1) response.socket!.destroy();
    else json(202, created)({} as IncomingMessage, response);
  };
  answers = [note];
  await client().submit("mask", new Blob(["photo"], { type: "image/png" }), { idempotencyKey: "order-7" });
  expect(lengths).toHaveLength(2);
  expect(seen.map(({ headers }) => headers["idempotency-key"])).toEqual(["order-7", "order-7"]);
});

test("an error is thrown by its code, with all that the service said, and is not asked for again", async () => {
  answers = [json(400, { ...busy, code: "invalid_request" }), json(200, {})];
  await expect(client().account.get()).rejects.toMatchObject({
    name: "PackshotError",
    code: "invalid_request",
    message: "slow down",
    status: 400,
    requestId: "r-1",
    details: { limit: 1 },
  });
  expect(seen).toHaveLength(1);
});

test("a Retry-After of an hour is not waited for: the error says it", async () => {
  answers = [json(429, busy, { "Retry-After": "3600" })];
  await expect(client().account.get()).rejects.toMatchObject({ code: "rate_limit_exceeded", retryAfterMs: 3_600_000 });
  expect(seen).toHaveLength(1);
});

test("a key is not created again when its response is lost", async () => {
  answers = [drop, json(201, {})];
  await expect(client().account.keys.create({ name: "shop" })).rejects.toMatchObject({ code: "connection_failed" });
  expect(seen).toHaveLength(1);
});

test("a key with an idempotency key is asked for again, and its error names the key whose secret is lost", async () => {
  answers = [drop, json(409, { code: "already_created", message: "It is there.", details: { id: "key-1" } })];
  const created = client().account.keys.create({ name: "shop" }, { idempotencyKey: "shop-1" });
  await expect(created).rejects.toMatchObject({ code: "already_created", details: { id: "key-1" } });
  expect(seen.map(({ headers }) => headers["idempotency-key"])).toEqual(["shop-1", "shop-1"]);
});

test("a proxy's page is no answer of Packshot", async () => {
  const page: Answer = (_request, response) => void response.writeHead(403).end("<html>no</html>");
  answers = [page];
  await expect(client().account.get()).rejects.toMatchObject({ code: "invalid_response", status: 403 });
  answers = [(_request, response) => void response.end("<html>welcome</html>")];
  await expect(client().account.get()).rejects.toMatchObject({ code: "invalid_response", status: 200 });
});

test("a server that never answers ends in timed_out, and one that is gone in connection_failed", async () => {
  answers = [() => {}];
  // A busy machine may be late before the server has seen a request.
  const sent = vi.fn(fetch);
  const impatient = client({ timeoutMs: 50, retriesMax: 1, fetch: sent });
  await expect(impatient.account.get()).rejects.toMatchObject({ code: "timed_out" });
  expect(sent).toHaveBeenCalledTimes(2);
  const gone = new Packshot({ apiKey: "k", baseUrl: "http://127.0.0.1:1", retriesMax: 0 });
  await expect(gone.account.get()).rejects.toMatchObject({ code: "connection_failed" });
});

test("a signed link stands in no error: whoever reads a log could follow it", async () => {
  const signature = "signature=c0ffee";
  const errorOf = async (link: string, options = {}) => {
    const job = { id: "j-1", status: "completed", error: null, resultUrl: link } as never;
    const error: unknown = await client({ retriesMax: 0, ...options })
      .jobs.download(job)
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain("c0ffee");
    return error as Error & { code?: string };
  };
  const gone = await errorOf(`http://127.0.0.1:1/files/mug.png?${signature}`);
  expect(gone).toMatchObject({ code: "connection_failed", message: expect.stringContaining("/files/mug.png: ") });
  answers = [() => {}];
  expect(await errorOf(`${baseUrl}/late.png?${signature}#x`, { timeoutMs: 50 })).toMatchObject({
    code: "timed_out",
    message: `GET ${baseUrl}/late.png took too long.`,
  });
  answers = [drop];
  expect(await errorOf(`${baseUrl}/cut.png?${signature}`)).toMatchObject({ code: "connection_failed" });
  for (const link of [`http://[broken/?${signature}`, `http://user:c0ffee@127.0.0.1:1/x?${signature}`])
    expect(await errorOf(link)).toMatchObject({ code: "invalid_response" });
  const refused = await client()
    .submit("mask", `shop.example/mug.jpg?${signature}`)
    .catch((thrown) => thrown);
  expect(String(refused)).not.toContain("c0ffee");
});

test("an abort rejects with its reason: before a request, in one, and in the wait before the next", async () => {
  const reason = new Error("the page was left");
  await expect(client().account.get({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(seen).toHaveLength(0);
  const abort = new AbortController();
  answers = [() => abort.abort(reason)];
  await expect(client().account.get({ signal: abort.signal })).rejects.toBe(reason);
  const later = new AbortController();
  answers = [json(429, busy, { "Retry-After": "50" })];
  const waiting = client().account.get({ signal: later.signal });
  await expect.poll(() => seen.length).toBe(2);
  later.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});

test("what is no source is refused before anything is sent", async () => {
  for (const source of ["mug.jpg", "./mug.jpg", {}, 7, null, undefined]) {
    await expect(client().submit("mask", source as string)).rejects.toThrow(/is no address|^A source is/);
  }
  expect(seen).toHaveLength(0);
  expect(() => new Packshot({ apiKey: "k", baseUrl: "packshot.example" })).toThrow(TypeError);
});
