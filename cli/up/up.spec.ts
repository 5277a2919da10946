import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { describePages, untilReady } from "./up.ts";

/** An API whose probe answers with these reasons, one after the other, and then that it is ready. */
async function startApi(reasons: Record<string, string>[]): Promise<string> {
  const server = createServer((request, response) => {
    const lacks = request.url === "/health/ready" ? reasons.shift() : { probe: "unknown" };
    response.statusCode = lacks === undefined ? 200 : 503;
    response.end(JSON.stringify(lacks === undefined ? { status: "ok" } : { status: "unavailable", reasons: lacks }));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
}

test("a stack is up once its API is ready, and says once what that lacks", async () => {
  const away = { storage: "storage cannot be used (ECONNREFUSED)" };
  const said: string[] = [];
  const url = await startApi([away, away, { ...away, log: "no server" }]);
  await untilReady(url, (line) => said.push(line), new AbortController().signal);
  expect(said).toEqual([
    "the API is not ready: storage: storage cannot be used (ECONNREFUSED)",
    "the API is not ready: storage: storage cannot be used (ECONNREFUSED); log: no server",
  ]);
});

test("nobody waits for an API that is to stop", async () => {
  const stopping = new AbortController();
  const url = await startApi(Array.from({ length: 100 }, () => ({ storage: "away" })));
  await untilReady(url, () => stopping.abort(), stopping.signal);
});

test.each([
  [200, "URL has the console, URL/docs has the documentation of the API"],
  [404, "URL/docs has the documentation of the API"],
])("the console is named where the API has it, by status %d", async (status, pages) => {
  const server = createServer((_request, response) => void response.writeHead(status).end("page")).listen(
    0,
    "127.0.0.1",
  );
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect((await describePages(url, new AbortController().signal)).replaceAll(url, "URL")).toBe(pages);
});

test("nobody is asked for the pages of a stack that stops", async () => {
  let requests = 0;
  const server = createServer((_request, response) => void response.end(`${++requests}`)).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  await describePages(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, AbortSignal.abort());
  expect(requests).toBe(0);
});
