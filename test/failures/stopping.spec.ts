/** Workers and webhook services that are asked to stop in the middle of their work finish it, or give it back uncounted. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { Job } from "@packshot/domain/jobs/job.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { serviceArguments } from "../../cli/up/services.ts";
import { type ReadyLine, readyLine, type Service, startService } from "../../cli/up/start-service.ts";
import { sandboxPhoto } from "../../services/inference/consumer/fetch-job-source.ts";
import { type OpenedAccount, openAccount } from "../../testing/api/accounts.ts";
import { startApis } from "../../testing/api/api-processes.ts";
import { apiClient } from "../../testing/api/contract-client.ts";
import { startModelServerProcess } from "../../testing/models/model-server-process.ts";
import { writeTinyModel } from "../../testing/models/tiny-model-repository.ts";
import { processEnvironment } from "../../testing/process-environment.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { loggedDelivery } from "../../testing/webhooks/delivery-log.ts";
import { type Receiver, respond204, startReceiver } from "../../testing/webhooks/receiver.ts";
import { emit, endedEvent, registerWebhook } from "../../testing/webhooks/webhook-records.ts";
import { startWebhookService } from "../../testing/webhooks/webhook-service.ts";

/** Half of it is for what runs: soon it is given back. */
const stopsSoon = { PACKSHOT_STOP_SECONDS: "2" };

const apis = suiteFixture(startApis);

/** A shop's server that answers a request for a photo when the test says so. */
interface Shop {
  readonly url: string;
  /** Resolves with the next request's answer, to be sent by `send`. */
  next(): Promise<ServerResponse>;
  stop(): Promise<void>;
}

async function startShop(): Promise<Shop> {
  const asked: ServerResponse[] = [];
  const waiting: ((response: ServerResponse) => void)[] = [];
  const server = createServer((_request, response) => {
    const next = waiting.shift();
    if (next === undefined) asked.push(response);
    else next(response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.png`,
    next: async () => asked.shift() ?? (await new Promise((resolve) => waiting.push(resolve))),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("a worker that gets SIGTERM in the middle of an edit", () => {
  const machines = suiteFixture(async () => {
    const modelDir = mkdtempSync(join(tmpdir(), "packshot-stopping-"));
    writeTinyModel(modelDir, "tiny", 1);
    const models = await startModelServerProcess(modelDir);
    const shop = await startShop();
    return {
      models,
      shop,
      async stop() {
        await models.stop();
        await shop.stop();
        rmSync(modelDir, { recursive: true });
      },
    };
  });
  let account: OpenedAccount;

  beforeAll(async () => {
    account = await openAccount(apis.all[0]!);
  });

  function startWorker(environment: Readonly<Record<string, string>> = {}): Promise<Service<ReadyLine>> {
    return startService({
      name: "worker",
      args: serviceArguments("worker"),
      environment: {
        ...processEnvironment,
        PACKSHOT_NATS_URL: apis.nats.url,
        PACKSHOT_STORAGE_DIR: apis.storageDir,
        PACKSHOT_MODEL_SERVER: machines.models.address,
        PACKSHOT_DEFAULT_MODEL: "tiny",
        PACKSHOT_ALLOW_SOURCES: "127.0.0.1:*",
        PACKSHOT_LOG_LEVEL: "error",
        ...environment,
      },
      waitForReady: readyLine,
    });
  }

  async function submitEdit(): Promise<string> {
    const { status, body } = await apiClient(apis.all[0]!.url, account.key).call("POST", "/v1/tools/mask/edit", {
      json: { imageUrl: machines.shop.url },
    });
    expect(status).toBe(202);
    return body.id as string;
  }

  const recordOf = async (jobId: string) => (await apis.log.read<Job>(subjects.job(account.accountId, jobId))).value;

  async function sendPhoto(response: ServerResponse): Promise<void> {
    response.writeHead(200, { "Content-Type": "image/png" }).end(await sandboxPhoto());
  }

  /** The job has ended, once: whatever the tiny model made of the photo. */
  async function expectEndedOnce(jobId: string): Promise<void> {
    const ended = expect.stringMatching(/^(completed|failed)$/);
    await expect.poll(() => recordOf(jobId), { timeout: 120_000 }).toMatchObject({ status: ended, attempts: 1 });
    const manager = await jetstreamManager(apis.log.connection);
    const filter = subjects.event(account.accountId, jobId, "*");
    const { state } = await manager.streams.info(streams.state, { subjects_filter: filter });
    expect(Object.values(state.subjects ?? {})).toEqual([1]);
  }

  test("gives its job back after half of its time to stop, and another worker takes it at once", async () => {
    const stopping = await startWorker(stopsSoon);
    const jobId = await submitEdit();
    const firstAsked = await machines.shop.next();
    const other = await startWorker();
    process.kill(stopping.pid, "SIGTERM");
    const secondAsked = await machines.shop.next();
    expect(await recordOf(jobId)).toMatchObject({ status: "processing", attempts: 1 });
    expect(await stopping.ended).toBe("ended with status 0");
    await sendPhoto(secondAsked);
    firstAsked.destroy();
    await expectEndedOnce(jobId);
    await other.stop();
  });

  test("finishes what it can finish in time", async () => {
    const worker = await startWorker();
    const jobId = await submitEdit();
    const asked = await machines.shop.next();
    process.kill(worker.pid, "SIGTERM");
    await sendPhoto(asked);
    expect(await worker.ended).toBe("ended with status 0");
    await expectEndedOnce(jobId);
  });
});

describe("a webhook service that gets SIGTERM while an endpoint has not answered", () => {
  /** Resolves with the answers to the first request, which the test sends or leaves. */
  async function holdingReceiver(): Promise<{ receiver: Receiver; held: Promise<ServerResponse> }> {
    const held = Promise.withResolvers<ServerResponse>();
    const receiver = await startReceiver((request, response, received, count) => {
      if (count === 1) held.resolve(response);
      else respond204(request, response, received, count);
    });
    return { receiver, held: held.promise };
  }

  test("waits for the answer and records it", async () => {
    const { receiver, held } = await holdingReceiver();
    const accountId = uuidv7();
    const service = await startWebhookService(apis.nats.url);
    const { webhook } = await registerWebhook(apis.log, accountId, receiver.url);
    const event = endedEvent(accountId);
    await emit(apis.log, event);
    const answer = await held;
    process.kill(service.pid, "SIGTERM");
    await expect.poll(() => service.logLines.join("\n")).toContain('"msg":"stopping"');
    answer.writeHead(204).end();
    expect(await service.ended).toBe("ended with status 0");
    expect(await loggedDelivery(apis.log, webhook, event.eventId, 1)).toMatchObject({ status: "succeeded" });
    expect(receiver.received).toHaveLength(1);
    await receiver.close();
  });

  test("gives the delivery back after half of its time to stop, and another service takes it at once", async () => {
    const { receiver, held } = await holdingReceiver();
    const accountId = uuidv7();
    const stopping = await startWebhookService(apis.nats.url, stopsSoon);
    const { webhook } = await registerWebhook(apis.log, accountId, receiver.url);
    const event = endedEvent(accountId);
    await emit(apis.log, event);
    await held;
    const other = await startWebhookService(apis.nats.url);
    process.kill(stopping.pid, "SIGTERM");
    await receiver.until((received) => received.length === 2);
    expect(await stopping.ended).toBe("ended with status 0");
    const { status, attempts } = await loggedDelivery(apis.log, webhook, event.eventId, 1);
    expect([status, attempts.map(({ attempt, outcome }) => [attempt, outcome])]).toEqual([
      "succeeded",
      [[1, "succeeded"]],
    ]);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    await other.stop();
    await receiver.close();
  });
});
