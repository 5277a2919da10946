import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { examineStack } from "./examine-stack.ts";

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
}

/** A port on which nobody listens any more. */
async function deserted(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${port}/metrics`;
}

function stackOf(metrics: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "packshot-examine-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "stack.json"), JSON.stringify({ metrics, logs: "/data/logs" }));
  return folder;
}

/** A machine with many tests may be slow to answer. */
const patientMs = 60_000;

const ready: RequestListener = (request, response) =>
  void response.writeHead(request.url === "/health/ready" ? 200 : 404).end('{"status":"ok"}');

test("says of each process whether it is ready, why not, and where its log is", async () => {
  const reasons = { storage: "the disk is full", "model server": "it loads its models" };
  const unready: RequestListener = (_request, response) =>
    void response.writeHead(503).end(JSON.stringify({ status: "unavailable", reasons }));
  const folder = stackOf({
    api: await listen(ready),
    worker: await listen(unready),
    modelServer: await deserted(),
  });
  expect(await examineStack(folder, patientMs)).toEqual([
    { check: "api", state: "ok", message: expect.stringMatching(/^ready, on 127\.0\.0\.1:\d+$/) },
    {
      check: "worker",
      state: "fault",
      message:
        "not ready: storage: the disk is full; model server: it loads its models; its log is /data/logs/worker.log",
    },
    {
      check: "model-server",
      state: "fault",
      message: expect.stringMatching(/^nobody listens on .*; its log is \/data\/logs\/model-server\.log$/),
    },
  ]);
});

test("says that a process hangs", async () => {
  const folder = stackOf({ webhooks: await listen(() => {}) });
  const message = expect.stringMatching(/^answers nothing on .*: it hangs.*; its log is \/data\/logs\/webhooks\.log$/);
  expect(await examineStack(folder, 100)).toEqual([{ check: "webhooks", state: "fault", message }]);
});

test("says that nats-server has to be started again after a full disk, and nothing once it was", async () => {
  const folder = stackOf({ api: await listen(ready) });
  writeFileSync(join(folder, "stack.json"), JSON.stringify({ metrics: { api: await listen(ready) }, logs: folder }));
  const log = join(folder, "nats-server.log");
  const started = "[1] 2026/12/01 15:12:00.1 [INF] Server is ready\n";
  const failed =
    "[1] 2026/12/01 15:12:49.5 [ERR] JetStream failed to store a msg on stream '$G > PS_STATE': write /d/1.blk: no space left on device\n";
  writeFileSync(log, started + failed);
  expect((await examineStack(folder, patientMs))[1]).toEqual({
    check: "nats-server",
    state: "fault",
    message: expect.stringMatching(
      /\(no space left on device\), and fail until nats-server is started again: make room/,
    ),
  });
  writeFileSync(log, started + failed + started);
  expect(await examineStack(folder, patientMs)).toHaveLength(1);
});

test("says once that a whole stack has ended", async () => {
  const folder = stackOf({ api: await deserted(), worker: await deserted() });
  const message = expect.stringContaining(`start it again with "packshot up --data-dir ${folder}"`);
  expect(await examineStack(folder)).toEqual([{ check: "stack", state: "fault", message }]);
});

test("finds nothing where no stack was started", async () => {
  expect(await examineStack(join(tmpdir(), "packshot-nowhere"))).toEqual([]);
});
