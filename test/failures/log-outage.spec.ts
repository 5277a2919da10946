/**
 * A nats-server that stops and starts again: every process stays alive, says in time that it is not ready and why, and
 * is ready again by itself. Requests in between are refused in time.
 */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serviceArguments } from "../../cli/up/services.ts";
import { type ReadyLine, readyLine, type Service, startService } from "../../cli/up/start-service.ts";
import { openAccount } from "../../testing/api/accounts.ts";
import { startApis } from "../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../testing/api/contract-client.ts";
import { type ModelServerProcess, startModelServerProcess } from "../../testing/models/model-server-process.ts";
import { writeTinyModel } from "../../testing/models/tiny-model-repository.ts";
import { processEnvironment } from "../../testing/process-environment.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { startWebhookService, type WebhookService } from "../../testing/webhooks/webhook-service.ts";

/** Within two periods of an orchestrator, of five seconds or so, it knows; on a machine busy with other tests, later. */
const noticedMs = 60_000;
/** The longest wait of a request that the log cannot answer, 25 s, on such a machine. */
const refusedMs = 60_000;
/** Much less than the log is waited for. */
const noWaitMs = 5_000;
const probeTimeoutMs = 30_000;
const patient = { timeout: 400_000 };

const imageUrl = "https://shop.example/a.jpg";

const apis = suiteFixture(() => startApis());
let modelDir: string;
let models: ModelServerProcess;
let worker: Service<ReadyLine>;
let webhooks: WebhookService;
/** `host:port` of each process's probes. */
let processes: Readonly<Record<"api" | "worker" | "webhooks", string>>;

beforeAll(async () => {
  modelDir = mkdtempSync(join(tmpdir(), "packshot-outage-"));
  writeTinyModel(modelDir, "tiny", 1);
  models = await startModelServerProcess(modelDir);
  webhooks = await startWebhookService(apis.nats.url);
  worker = await startService({
    name: "worker",
    args: serviceArguments("worker"),
    environment: {
      ...processEnvironment,
      PACKSHOT_NATS_URL: apis.nats.url,
      PACKSHOT_STORAGE_DIR: apis.storageDir,
      PACKSHOT_MODEL_SERVER: models.address,
      PACKSHOT_LOG_LEVEL: "error",
    },
    waitForReady: readyLine,
  });
  processes = {
    api: apis.all[0]!.metrics,
    worker: worker.ready.metrics as string,
    webhooks: webhooks.metrics,
  };
});

afterAll(async () => {
  await Promise.all([worker.stop(), webhooks.stop(), models.stop()]);
  rmSync(modelDir, { recursive: true });
});

async function probe(address: string, path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`http://${address}${path}`, { signal: AbortSignal.timeout(probeTimeoutMs) });
  return { status: response.status, text: await response.text() };
}

/** Status of each process, by name. */
async function statuses(path: string): Promise<Record<string, number>> {
  const entries = Object.entries(processes).map(async ([name, address]) => [name, (await probe(address, path)).status]);
  return Object.fromEntries(await Promise.all(entries));
}

/** What was asked for when the fault began may be the first to be named. */
async function untilReasonNames(address: string, what: string): Promise<void> {
  const reason = async () => (await probe(address, "/health/ready")).text;
  await expect.poll(reason, { timeout: noticedMs }).toContain(what);
}

/** An answer, and how long it took. */
async function timed<Answer>(asked: Promise<Answer>): Promise<Answer & { readonly tookMs: number }> {
  const askedAtMs = performance.now();
  const answer = await asked;
  return { ...answer, tookMs: performance.now() - askedAtMs };
}

/** How long an edit takes to be refused as `unavailable`. */
async function refusalMs(client: ContractClient): Promise<number> {
  const askedAtMs = performance.now();
  expect((await client.call("POST", "/v1/tools/mask/edit", { json: { imageUrl } })).body.code).toBe("unavailable");
  return performance.now() - askedAtMs;
}

const all = (status: number) => ({ api: status, worker: status, webhooks: status });

test("without nats-server every process is alive and not ready, and with it ready again", patient, async () => {
  const { url } = apis.all[0]!;
  const { key } = await openAccount(apis.all[0]!);
  const client = apiClient(url, key);
  await expect.poll(() => statuses("/health/ready")).toEqual(all(200));
  expect(await statuses("/health/live")).toEqual(all(200));
  expect((await client.call("GET", "/healthz")).body).toMatchObject({ status: "ok" });

  await apis.nats.kill();
  // The key is still cached: this request gets as far as the commit.
  const inFlight = timed(client.call("POST", "/v1/tools/mask/edit", { json: { imageUrl } }));
  await expect.poll(() => statuses("/health/ready"), { timeout: noticedMs }).toEqual(all(503));
  await untilReasonNames(processes.api, "nats-server");
  expect((await fetch(`${url}/healthz`)).status).toBe(503);
  expect(await statuses("/health/live")).toEqual(all(200));
  const later = ["/v1/account", "/v1/jobs"].map((path) => timed(client.call("GET", path)));
  for (const reply of [inFlight, ...later]) {
    const { status, body, headers, tookMs } = await reply;
    expect([status, body.code, headers.get("Retry-After")]).toEqual([503, "unavailable", "5"]);
    expect(tookMs).toBeLessThan(refusedMs);
  }
  // Once the process knows that the log is away, it does not wait for it.
  await expect.poll(() => refusalMs(client), { timeout: noticedMs }).toBeLessThan(noWaitMs);
  expect(await statuses("/health/live")).toEqual(all(200));

  await apis.nats.restart();
  await expect.poll(() => statuses("/health/ready"), { timeout: noticedMs }).toEqual(all(200));
  expect((await client.call("POST", "/v1/tools/mask/edit", { json: { imageUrl } })).status).toBe(202);
  expect((await client.call("GET", "/healthz")).status).toBe(200);
});

test("a nats-server that hangs is noticed, too", patient, async () => {
  await expect.poll(() => statuses("/health/ready")).toEqual(all(200));
  await apis.nats.pause();
  try {
    await expect.poll(() => statuses("/health/ready"), { timeout: noticedMs }).toEqual(all(503));
    await untilReasonNames(processes.worker, "PS_STATE");
    expect(await statuses("/health/live")).toEqual(all(200));
  } finally {
    apis.nats.resume();
  }
  await expect.poll(() => statuses("/health/ready"), { timeout: noticedMs }).toEqual(all(200));
});

test("a worker without its model server is not ready, and ready again with it", patient, async () => {
  await expect.poll(() => statuses("/health/ready")).toEqual(all(200));
  const port = models.address.split(":")[1]!;
  await models.kill();
  await expect.poll(() => statuses("/health/ready"), { timeout: noticedMs }).toEqual({ ...all(200), worker: 503 });
  await untilReasonNames(processes.worker, "model server");
  expect(await statuses("/health/live")).toEqual(all(200));
  models = await startModelServerProcess(modelDir, { PACKSHOT_MODEL_GRPC_PORT: port });
  await expect.poll(() => statuses("/health/ready"), { timeout: noticedMs }).toEqual(all(200));
});

test("processes that cannot write to storage are not ready", patient, async () => {
  await expect.poll(() => statuses("/health/ready")).toEqual(all(200));
  const away = `${apis.storageDir}-away`;
  renameSync(apis.storageDir, away);
  writeFileSync(apis.storageDir, "a file where the folder was");
  try {
    const expected = { api: 503, worker: 503, webhooks: 200 };
    await expect.poll(() => statuses("/health/ready"), { timeout: noticedMs }).toEqual(expected);
    await untilReasonNames(processes.api, "storage");
  } finally {
    rmSync(apis.storageDir);
    renameSync(away, apis.storageDir);
  }
  await expect.poll(() => statuses("/health/ready"), { timeout: noticedMs }).toEqual(all(200));
});
