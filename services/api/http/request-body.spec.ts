import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { PackshotError } from "@packshot/domain/errors.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { mediaTypeOf, readJson } from "./request-body.ts";

let server: Server;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = await readJson(request).catch(({ code, message }: PackshotError) => ({ code, message }));
    response.end(JSON.stringify({ type: mediaTypeOf(request), body }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterAll(() => server.close());

async function send(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const response = await fetch(url, { method: "POST", body, headers });
  return (await response.json()) as { readonly type: string; readonly body: unknown };
}

const json = '{"theme":"größe"}';

it.each([
  ["application/json", {}, json],
  ["application/json; charset=UTF-8", {}, json],
  ['Application/JSON;charset="utf-8"', {}, json],
  ["application/json", {}, `\ufeff${json}`],
  ["application/json", { "Content-Encoding": "" }, json],
  ["application/json", { "Content-Encoding": "IDENTITY" }, json],
  ["application/json", { "Content-Encoding": "UTF-8" }, json],
])("reads JSON of the type %s, %j: %j", async (type, headers, body) => {
  expect(await send(body, { "Content-Type": type, ...headers })).toEqual({
    type: "application/json",
    body: { theme: "größe" },
  });
});

it.each([
  [{ "Content-Encoding": "GZIP" }, json, "unsupported_media_type", "without compression"],
  [{ "Content-Encoding": "utf-8, br" }, json, "unsupported_media_type", "without compression"],
  [{}, Buffer.from(json, "latin1"), "invalid_request", "not valid UTF-8"],
  [{}, Buffer.from(json, "utf16le"), "invalid_request", "not valid UTF-8"],
  [{}, `{"imageUrl":"data:image/png;base64,${"A".repeat(65_536)}"}`, "file_too_large", "multipart form"],
])("says what is wrong with a body: %j", async (headers, body, code, words) => {
  const reply = await send(body, { "Content-Type": "application/json; charset=latin1", ...headers });
  expect(reply.body).toEqual({ code, message: expect.stringContaining(words) });
});
