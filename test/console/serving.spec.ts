/** How the API serves the console: what browsers may do with it, how it is cached, and that it takes no other path. */

import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { type ApiProcess, startApis } from "../../testing/api/api-processes.ts";
import { buildConsoleHere } from "../../testing/console/console-stack.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";

const built = fileURLToPath(new URL("../../console/dist", import.meta.url));
const bundleBytesMax = 250 * 1024;
const apis = suiteFixture(async () => {
  buildConsoleHere();
  return await startApis();
});
let api: ApiProcess;

beforeAll(() => {
  api = apis.all[0]!;
});

interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly bytes: Buffer;
}

/** As sent: fetch would decompress it. */
async function request(path: string, headers: Record<string, string> = {}, { url } = api): Promise<Reply> {
  const [response] = (await once(get(url + path, { headers }), "response")) as [IncomingMessage];
  const bytes = Buffer.concat(await response.toArray());
  return { status: response.statusCode!, headers: response.headers, bytes };
}

function assetPath(extension: string): string {
  return `/console/${readdirSync(join(built, "console")).find((name) => name.endsWith(extension))}`;
}

test("the page is asked for anew each time, and may run and load nothing but the server's own", async () => {
  const { status, headers, bytes } = await request("/");
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(headers["cache-control"]).toBe("no-cache");
  expect(headers["content-security-policy"]).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; " +
      "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  );
  expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
  const text = bytes.toString();
  expect(text).not.toMatch(/<script(?![^>]* src="\/console\/)|<style|\son\w+=|https?:\/\//);
  const again = await request("/", { "If-None-Match": headers.etag! });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
});

test("its files are kept for good, and compressed as the browser understands it", async () => {
  const path = assetPath(".js");
  const plain = await request(path);
  expect(plain.headers).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "content-type": "text/javascript; charset=utf-8",
    vary: "Accept-Encoding",
  });
  expect(plain.bytes).toEqual(readFileSync(join(built, path)));
  const gzip = await request(path, { "Accept-Encoding": "gzip" });
  expect([gzip.headers["content-encoding"], gunzipSync(gzip.bytes).equals(plain.bytes)]).toEqual(["gzip", true]);
  const brotli = await request(path, { "Accept-Encoding": "gzip, br" });
  expect([brotli.headers["content-encoding"], brotliDecompressSync(brotli.bytes).equals(plain.bytes)]).toEqual([
    "br",
    true,
  ]);
});

test("no path of the API is taken, and what the console has not is said as everywhere", async () => {
  for (const path of ["/v1/openapi.json", "/openapi.json", "/docs", "/healthz"]) {
    const { status, headers } = await request(path);
    expect([status, headers["cross-origin-opener-policy"]], path).toEqual([200, undefined]);
  }
  for (const path of ["/console/none.js", "/console/../../package.json", "/console", "/jobs", "/index.html"]) {
    const { status, bytes } = await request(path);
    expect([status, JSON.parse(bytes.toString()).code], path).toEqual([404, "not_found"]);
  }
  const post = await fetch(`${api.url}/`, { method: "POST" });
  expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

test("it can be switched off, and pages may read the bucket that links lead to", async () => {
  const off = await apis.start({ PACKSHOT_CONSOLE: "0" });
  expect((await request("/", {}, off)).status).toBe(404);
  expect((await request(assetPath(".js"), {}, off)).status).toBe(404);
  const onS3 = await apis.start({
    PACKSHOT_STORAGE: "s3",
    PACKSHOT_S3_BUCKET: "photos",
    PACKSHOT_S3_ENDPOINT: "http://127.0.0.1:9",
    PACKSHOT_S3_PUBLIC_ENDPOINT: "https://files.example",
    PACKSHOT_S3_FORCE_PATH_STYLE: "1",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
  });
  const { headers } = await request("/", {}, onS3);
  expect(headers["content-security-policy"]).toContain(
    "img-src 'self' https://files.example blob:; connect-src 'self' https://files.example;",
  );
});

test(`all that browsers load of it is at most ${bundleBytesMax / 1024} KB, compressed by gzip`, () => {
  const files = readdirSync(join(built, "console"));
  const sizes = files.map((name) => gzipSync(readFileSync(join(built, "console", name))).length);
  expect(existsSync(join(built, "index.html"))).toBe(true);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(bundleBytesMax);
});
