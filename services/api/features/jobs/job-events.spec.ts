import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { keyScopes } from "@packshot/domain/accounts/api-key.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { QueuedJob } from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { expect, test, vi } from "vitest";
import { queuedJob } from "../../../../testing/log/job-records.ts";
import { startLog } from "../../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import type { Caller } from "../../access/caller.ts";
import type { Call, Handler } from "../../http/call.ts";
import { loadContract } from "../../http/contract.ts";
import { createHttpServer, type HttpServer } from "../../http/http-server.ts";
import { type JobEventDeps, streamJobEvents } from "./job-events.ts";
import { type JobHandlerDeps, jobHandlers } from "./jobs.ts";

const log = suiteFixture(startLog);

/** A response without a client; `written` resolves when the text matches. */
function openStream(job: QueuedJob, reading: Log, signal: AbortSignal) {
  let text = "";
  let look = () => {};
  const response = {
    writeHead: () => {},
    end: () => {},
    write(chunk: string) {
      text += chunk;
      look();
    },
  };
  const view = { onChange: () => () => {}, queuedBefore: () => 0 };
  const responses = { job: async ({ status }: QueuedJob) => ({ status }) };
  const deps = { log: reading, view, responses } as unknown as JobEventDeps;
  const over = streamJobEvents(deps, { response, signal } as unknown as Call, job);
  const written = (pattern: RegExp) =>
    new Promise<void>((resolve) => {
      look = () => {
        if (pattern.test(text)) resolve();
      };
      look();
    });
  return { over, written };
}

test("a log that does not answer when a stage arrives ends the stream, not the process", async () => {
  const job = queuedJob();
  await log.commit("accept", [{ subject: subjects.job(job.accountId, job.id), value: job, expected: 0 }]);
  let reads = 0;
  const failing: Log = {
    ...log,
    async read(subject) {
      reads += 1;
      if (reads > 1) throw new Error("timeout");
      return await log.read(subject);
    },
  };
  const { over, written } = openStream(job, failing, new AbortController().signal);
  const ended = expect(over).rejects.toThrow("timeout");
  await written(/event: position/);
  log.connection.publish(subjects.progress(job.id), JSON.stringify({ stage: "decode" }));
  await ended;
});

test("nothing is streamed to a client that disconnected before the stream began", async () => {
  const job = queuedJob();
  await log.commit("accept", [{ subject: subjects.job(job.accountId, job.id), value: job, expected: 0 }]);
  await openStream(job, log, AbortSignal.abort()).over;
});

/** With a key that may do all. */
const caller = { key: { scopes: keyScopes }, account: {} } as unknown as Caller;

function serverWith(handler: Handler, authenticate: () => Promise<Caller>): HttpServer {
  const contract = loadContract(new URL("../../openapi.yaml", import.meta.url));
  return createHttpServer({
    name: "test",
    host: "127.0.0.1",
    port: 0,
    trustedProxies: 0,
    finishTimeoutMs: 20_000,
    contract,
    handlers: Object.fromEntries(contract.operations.map(({ id }) => [id, handler])),
    authenticate,
    logger: createLogger({ name: "job-events.spec", level: "silent" }),
  });
}

test("a handler learns of a client that disconnected while its key was looked up", async () => {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<Caller>();
  const called = Promise.withResolvers<AbortSignal>();
  const handler: Handler = async ({ operation, signal }) => {
    if (operation.needsKey) called.resolve(signal);
    return { status: 204 };
  };
  const server = serverWith(handler, async () => {
    asked.resolve();
    return await answered.promise;
  });
  await server.start();
  const socket: Socket = connect(Number(new URL(server.url()).port), "127.0.0.1");
  socket.write(`GET /v1/jobs/${uuidv7()}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n`);
  await asked.promise;
  socket.destroy();
  // When later requests have been served, the server has seen the connection close.
  for (let n = 0; n < 5; n++) await (await fetch(`${server.url()}/healthz`)).text();
  answered.resolve(caller);
  expect((await called.promise).aborted).toBe(true);
  await server.stop();
});

test("an account follows so many jobs at once, and others follow theirs meanwhile", async () => {
  const job = queuedJob();
  const view = { onChange: () => () => {}, queuedBefore: () => 0 };
  const responses = { job: async ({ status }: QueuedJob) => ({ status }) };
  const { streamJobEvents: follow } = jobHandlers({
    log,
    view,
    responses,
    nowMs: Date.now,
  } as unknown as JobHandlerDeps);
  await log.commit("accept", [{ subject: subjects.job(job.accountId, job.id), value: job, expected: 0 }]);
  const other = queuedJob();
  await log.commit("accept", [{ subject: subjects.job(other.accountId, other.id), value: other, expected: 0 }]);
  let opened = 0;
  const writeHead = () => {
    opened += 1;
  };
  const response = { writeHead, write: () => true, end: () => {} };
  const open = (leaving: AbortController, { id, accountId } = job) =>
    follow!({
      caller: { account: { accountId }, key: { live: true } },
      path: { id },
      request: { method: "GET" },
      response,
      signal: leaving.signal,
    } as unknown as Call);
  const clients = Array.from({ length: 128 }, () => new AbortController());
  const streams = clients.map((client) => open(client));
  await expect.poll(() => opened).toBe(128);
  const refused = await open(new AbortController()).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "rate_limit_exceeded", retryAfterSeconds: 5 });
  clients[0]!.abort();
  await streams[0];
  const again = new AbortController();
  again.abort();
  expect([await open(again), await open(again, other)]).toEqual(["sent", "sent"]);
  for (const client of clients) client.abort();
  await Promise.all(streams);
});

test("a server that stops ends its streams, and does not wait for clients to disconnect", async () => {
  const streamUntilTheStop: Handler = async ({ response, signal }) => {
    response.writeHead(200).write("data: 1\n\n");
    await once(signal, "abort");
    response.end("data: 2\n\n");
    return "sent";
  };
  const server = serverWith(streamUntilTheStop, async () => caller);
  await server.start();
  const socket: Socket = connect(Number(new URL(server.url()).port), "127.0.0.1");
  socket.write(`GET /v1/jobs/${uuidv7()}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n`);
  await once(socket, "data");
  // The client keeps its connection open, and the timeout that would close it is far away.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    await server.stop();
  } finally {
    vi.useRealTimers();
    socket.destroy();
  }
});
