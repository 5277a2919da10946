/**
 * A page of another origin edits a photo in a real browser; a page that the operator has not listed cannot.
 * @module-tag long
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../../testing/programs.ts";
import { buildSdk, type SdkConsumer } from "../../testing/sdk/build-sdk.ts";
import { type LiveStack, startLiveStack } from "../../testing/stack/live-stack.ts";

const pageTimeoutMs = 100_000;

/** What a page does, and how it tells the test. */
const page = `<!doctype html><title>edit</title>
<script type="importmap">{"imports": {"@packshot/sdk": "/sdk/packshot.js", "eventsource-parser": "/parser/index.js"}}</script>
<script type="module">
import { Packshot, PackshotError } from "@packshot/sdk";
const { baseUrl, apiKey } = await (await fetch("/settings.json")).json();
const packshot = new Packshot({ baseUrl, apiKey, retriesMax: 0 });
const outcome = {};
try {
  const photo = await (await fetch("/mug.jpg")).blob();
  const steps = [];
  const edited = await packshot.edit("mask", photo, {
    parameters: { output: { format: "webp", width: 160 } },
    metadata: { sku: "PAGE" },
    onProgress: ({ kind }) => steps.push(kind),
  });
  const download = await edited.download();
  const bitmap = await createImageBitmap(await download.blob());
  const session = await packshot.uploads.send(photo);
  const again = await packshot.edit("ai-shadows", session, { parameters: { output: { width: 80 } } });
  await packshot.uploads.delete(session.uploadSessionId);
  const listed = [];
  for await (const job of packshot.jobs.list({ limit: 1 })) listed.push(job.tool);
  const refused = await packshot.jobs.get("none").catch((error) => error);
  Object.assign(outcome, {
    status: edited.job.status, streamed: steps.includes("stage") || steps.length > 1, type: download.contentType,
    size: [bitmap.width, bitmap.height], again: again.job.status, listed,
    refused: [refused instanceof PackshotError, refused.code, typeof refused.requestId],
  });
} catch (error) {
  Object.assign(outcome, { error: String(error), code: error.code });
}
await fetch("/outcome", { method: "POST", body: JSON.stringify(outcome) });
</script>`;

interface PageServer {
  readonly server: Server;
  readonly origin: string;
  /** Resolves with what the page has told. */
  readonly outcome: Promise<Record<string, unknown>>;
}

let consumer: SdkConsumer;
let stack: LiveStack;
let mug: Buffer;
let listed: PageServer;
let stranger: PageServer;

async function servePage(): Promise<PageServer> {
  const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>();
  const server = createServer((request, response) => void answer(request, response, resolve));
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, outcome: promise };
}

async function answer(request: IncomingMessage, response: ServerResponse, resolve: (told: never) => void) {
  const path = request.url!;
  if (path === "/outcome") {
    const body = Buffer.concat(await request.toArray()).toString();
    response.end();
    return resolve(JSON.parse(body) as never);
  }
  const folders: Record<string, string> = {
    "/sdk/": join(consumer.package, "dist"),
    "/parser/": join(import.meta.dirname, "../../node_modules/eventsource-parser/dist"),
  };
  const folder = Object.keys(folders).find((start) => path.startsWith(start));
  if (folder !== undefined) return await sendModule(response, join(folders[folder]!, path.slice(folder.length)));
  const { apiUrl, apiKey } = stack.file;
  if (path === "/settings.json") return void response.end(JSON.stringify({ baseUrl: apiUrl, apiKey }));
  if (path === "/mug.jpg") return void response.writeHead(200, { "Content-Type": "image/jpeg" }).end(mug);
  if (path !== "/") return void response.writeHead(404).end();
  response.writeHead(200, { "Content-Type": "text/html" }).end(page);
}

async function sendModule(response: ServerResponse, file: string): Promise<void> {
  const text = await readFile(extname(file) === ".js" ? file : `${file}.js`).catch(() => undefined);
  if (text === undefined) return void response.writeHead(404).end();
  response.writeHead(200, { "Content-Type": "text/javascript" }).end(text);
}

/** Opens the page until it has told its outcome. */
async function visit({ origin, outcome }: PageServer): Promise<Record<string, unknown>> {
  const profile = await mkdtemp(join(tmpdir(), "packshot-browser-"));
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"];
  const more = ["--disable-dev-shm-usage", "--remote-debugging-port=0", `--user-data-dir=${profile}`];
  // Debian's command is a script that waits for the browser: both are ended, as a group.
  const options = { stdio: ["ignore", "ignore", "pipe"] as ["ignore", "ignore", "pipe"], detached: true };
  const child = spawn(findChromium()!, [...flags, ...more, `${origin}/`], options);
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk;
  });
  // Its own children keep its output open.
  const ended = once(child, "exit");
  const silent = AbortSignal.timeout(pageTimeoutMs);
  try {
    return await Promise.race([
      outcome,
      ended.then(() => Promise.reject(new Error(`the browser ended: ${said}`))),
      once(silent, "abort").then(() => Promise.reject(new Error(`the page told nothing: ${said}`))),
    ]);
  } finally {
    if (child.exitCode === null) process.kill(-child.pid!, "SIGKILL");
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

describe("in a browser", { tags: ["chromium"] }, () => {
  beforeAll(async () => {
    [listed, stranger, consumer] = await Promise.all([servePage(), servePage(), buildSdk()]);
    stack = await startLiveStack({ PACKSHOT_CORS_ORIGINS: listed.origin });
    const product = Buffer.from(
      '<svg width="240" height="240"><rect width="100%" height="100%" rx="30" fill="#204060"/></svg>',
    );
    const ground = { create: { width: 640, height: 480, channels: 3 as const, background: "#f4f2ee" } };
    mug = await sharp(ground)
      .composite([{ input: product }])
      .jpeg()
      .toBuffer();
  });
  afterAll(async () => {
    for (const { server } of [listed, stranger].filter(Boolean)) server.close();
    await stack?.stop();
    await consumer?.stop();
  });

  test("a page of a listed origin uploads, follows the event stream, downloads, lists and reads errors", async () => {
    expect(await visit(listed)).toEqual({
      status: "completed",
      streamed: true,
      type: "image/webp",
      size: [160, 120],
      again: "completed",
      listed: ["ai-shadows", "mask"],
      refused: [true, "not_found", "string"],
    });
  });

  test("a page of another origin is refused by the browser", async () => {
    expect(await visit(stranger)).toMatchObject({ code: "connection_failed" });
  });
});
