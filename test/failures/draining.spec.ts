/**
 * How an API process and a model server leave: balancers learn only after a while that they are not ready, so until then
 * they serve whoever comes. Drains of ten minutes are ended by a second signal, so that no test depends on their time.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test } from "vitest";
import { callUnary, openChannel } from "../../services/inference/model-client/grpc-channel.ts";
import { type OpenedAccount, openAccount } from "../../testing/api/accounts.ts";
import { type ApiProcess, startApis } from "../../testing/api/api-processes.ts";
import { apiClient } from "../../testing/api/contract-client.ts";
import { startModelServerProcess } from "../../testing/models/model-server-process.ts";
import { tinyModelSide, writeTinyModel } from "../../testing/models/tiny-model-repository.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";

const drainsForLong = { PACKSHOT_DRAIN_SECONDS: "600" };
const file = Buffer.alloc(200_000, 7);

const apis = suiteFixture(startApis);
let account: OpenedAccount;

beforeAll(async () => {
  account = await openAccount(apis.all[0]!);
});

async function probe(address: string, path: string): Promise<number> {
  return (await fetch(`http://${address}${path}`)).status;
}

async function untilNotReady(address: string): Promise<void> {
  await expect.poll(() => probe(address, "/health/ready")).toBe(503);
}

async function answerTo(sent: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return answer;
}

function ask(api: ApiProcess, path: string, { agent, prefer }: { agent?: Agent; prefer?: string } = {}): ClientRequest {
  const headers = { Authorization: `Bearer ${account.key}`, ...(prefer === undefined ? {} : { Prefer: prefer }) };
  return request(`${api.url}${path}`, { agent: agent ?? false, headers }).end();
}

/** The first half of an upload; the API waits for the second one. */
async function beginUpload(api: ApiProcess): Promise<ClientRequest> {
  const { body } = await apiClient(api.url, account.key).call("POST", "/v1/uploads", {
    json: { contentType: "image/png", filename: "shoe.png", sizeBytes: file.length },
  });
  const { pathname, search } = new URL(body.uploadUrl);
  const headers = { ...body.headers, "Content-Length": file.length };
  const upload = request(`${api.url}${pathname}${search}`, { method: "PUT", headers, agent: false });
  await new Promise<void>((resolve) => upload.write(file.subarray(0, 100_000), () => resolve()));
  return upload;
}

test("an API process that drains is live, not ready, and answers every request, old and new", async () => {
  const api = await apis.start(drainsForLong);
  const client = apiClient(api.url, account.key);
  const keptAlive = new Agent({ keepAlive: true, maxSockets: 1 });
  await text(await answerTo(ask(api, "/v1/account", { agent: keptAlive })));
  const upload = await beginUpload(api);
  process.kill(api.pid, "SIGTERM");
  await untilNotReady(api.metrics);
  expect(await probe(api.metrics, "/health/live")).toBe(200);
  expect(await probe(api.metrics, "/health/started")).toBe(200);
  expect((await fetch(`${api.url}/healthz`)).status).toBe(503);

  const onOldConnection = await answerTo(ask(api, "/v1/account", { agent: keptAlive }));
  expect([onOldConnection.statusCode, onOldConnection.headers.connection]).toEqual([200, "close"]);
  await text(onOldConnection);
  const answers = await Promise.all(Array.from({ length: 50 }, () => answerTo(ask(api, "/v1/account"))));
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  for (const answer of answers) answer.resume();
  const edit = { json: { imageUrl: "https://shop.example/a.jpg" } };
  expect((await client.call("POST", "/v1/tools/mask/edit", edit)).status).toBe(202);
  upload.end(file.subarray(100_000));
  expect((await answerTo(upload)).statusCode).toBe(200);

  process.kill(api.pid, "SIGTERM");
  expect(await api.ended).toBe("ended with status 143");
  keptAlive.destroy();
});

test("after the drain, long polls and event streams end politely, and running requests are answered", async () => {
  const api = await apis.start({ PACKSHOT_DRAIN_SECONDS: "1" });
  const client = apiClient(api.url, account.key);
  const edit = { json: { imageUrl: "https://shop.example/a.jpg" } };
  const { id } = (await client.call("POST", "/v1/tools/mask/edit", edit)).body;
  const stream = await answerTo(ask(api, `/v1/jobs/${id}/events`));
  const events = text(stream);
  const poll = answerTo(ask(api, `/v1/jobs/${id}`, { prefer: "wait=60" }));
  const upload = await beginUpload(api);

  process.kill(api.pid, "SIGTERM");
  const polled = await poll;
  expect([polled.statusCode, JSON.parse(await text(polled)).status]).toEqual([200, "queued"]);
  expect(await events).toContain('"status":"queued"');
  expect(stream.complete).toBe(true);
  upload.end(file.subarray(100_000));
  expect((await answerTo(upload)).statusCode).toBe(200);
  expect(await api.ended).toBe("ended with status 0");
});

test("a model server that drains says that it is not ready, and infers", async () => {
  const folder = mkdtempSync(join(tmpdir(), "packshot-draining-"));
  writeTinyModel(folder, "tiny", 1);
  const server = await startModelServerProcess(folder, drainsForLong);
  const { inference, health } = openChannel(server.address);
  const deadlineAtMs = Date.now() + 100_000;
  const { inputs } = await callUnary<{ inputs: readonly [{ name: string; datatype: string }] }>(
    inference,
    "ModelMetadata",
    { name: "tiny" },
    { deadlineAtMs },
  );
  expect(await probe(server.http, "/health/started")).toBe(200);

  process.kill(server.pid, "SIGTERM");
  await untilNotReady(server.http);
  expect(await callUnary(health, "Check", {}, { deadlineAtMs })).toMatchObject({ status: "NOT_SERVING" });
  expect(await probe(server.http, "/health/live")).toBe(200);
  const message = {
    model_name: "tiny",
    inputs: [{ name: inputs[0].name, datatype: inputs[0].datatype, shape: [1, tinyModelSide, tinyModelSide, 3] }],
    raw_input_contents: [Buffer.alloc(tinyModelSide ** 2 * 3)],
  };
  const answer = await callUnary<{ model_name: string }>(inference, "ModelInfer", message, { deadlineAtMs });
  expect(answer.model_name).toBe("tiny");

  process.kill(server.pid, "SIGTERM");
  expect(await server.ended).toBe("ended with status 143");
  health.close();
  inference.close();
  rmSync(folder, { recursive: true });
});
