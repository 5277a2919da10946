/**
 * The whole service on three nats-servers with TLS, each process with the credentials of its own service and allowed to
 * do no more than that needs, and a model server with TLS and a token.
 * @module-tag versitygw
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { toolIds } from "@packshot/domain/edits/tools.ts";
import type { NatsService } from "@packshot/log/operate/permissions.ts";
import { createS3Client } from "@packshot/platform/storage/s3-client.ts";
import { expect, it, vi } from "vitest";
import { type ServiceName, serviceArguments } from "../../cli/up/services.ts";
import { readyLine, startService } from "../../cli/up/start-service.ts";
import { openAccount, operator } from "../../testing/api/accounts.ts";
import { apiEnvironment } from "../../testing/api/api-processes.ts";
import { apiClient } from "../../testing/api/contract-client.ts";
import { jpeg } from "../../testing/images/odd-images.ts";
import { processEnvironment } from "../../testing/process-environment.ts";
import { createCertificate, createCertificateAuthority } from "../../testing/servers/certificates.ts";
import { startProxiedS3 } from "../../testing/servers/proxied-s3.ts";
import { startSecuredNats } from "../../testing/servers/secured-nats.ts";
import { formWith } from "../../testing/stack/live-stack.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { startReceiver } from "../../testing/webhooks/receiver.ts";

const packshot = fileURLToPath(new URL("../../cli/packshot.ts", import.meta.url));
const modelToken = "a token between workers and the model server".replaceAll(" ", "-");
const patient = { timeout: 120_000, interval: 50 };

const stack = suiteFixture(async () => {
  const [secured, customer] = await Promise.all([startSecuredNats(), startProxiedS3()]);
  const folder = mkdtempSync(join(tmpdir(), "packshot-secured-stack-"));
  const storageDir = join(folder, "storage");
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const issuer = createCertificateAuthority("CA of the model server");
  const { cert, key } = createCertificate({ names: ["localhost"], issuer });
  const lines: string[] = [];
  const stops: (() => Promise<void>)[] = [];

  const environmentOf = (service: NatsService) => ({
    ...apiEnvironment({ natsUrl: secured.url, storageDir }),
    ...secured.environment(service),
    // It says when an account was erased.
    PACKSHOT_LOG_LEVEL: "info",
    PACKSHOT_ALLOW_CONNECTIONS: new URL(customer.proxy.url).host,
  });
  async function start(name: ServiceName, environment: Readonly<Record<string, string>>) {
    const onLine = (line: string) => lines.push(`${name}: ${line}`);
    const started = await startService({
      name,
      args: serviceArguments(name),
      environment,
      waitForReady: readyLine,
      onLine,
    });
    stops.push(started.stop);
    return started.ready as Readonly<Record<string, string>>;
  }

  const runAs = (service: NatsService, args: readonly string[]) =>
    promisify(execFile)(process.execPath, [packshot, ...args], { env: environmentOf(service) });
  const migrated = await runAs("migrate", ["migrate", "--replicas", "3", "--state-streams", "4"]);
  const startApi = (environment: Readonly<Record<string, string>> = {}) =>
    start("api", { ...environmentOf("api"), PACKSHOT_API_PORT: "0", ...environment });
  const first = await startApi();
  // No word of NATS in its environment.
  const modelServer = await start("modelServer", {
    ...processEnvironment,
    PACKSHOT_MODEL_GRPC_PORT: "0",
    PACKSHOT_MODEL_HTTP_PORT: "0",
    PACKSHOT_MODEL_SERVER_TOKEN: modelToken,
    PACKSHOT_MODEL_SERVER_TLS_CERT_FILE: file("model.crt", cert),
    PACKSHOT_MODEL_SERVER_TLS_KEY_FILE: file("model.key", key),
  });
  const [second] = await Promise.all([
    startApi({ PACKSHOT_PUBLIC_URL: first.api! }),
    start("webhooks", { ...environmentOf("webhooks"), PACKSHOT_PUBLIC_URL: first.api! }),
    start("worker", {
      ...environmentOf("worker"),
      PACKSHOT_MODEL_SERVER: `localhost:${modelServer.grpcPort}`,
      PACKSHOT_MODEL_SERVER_TOKEN: modelToken,
      PACKSHOT_MODEL_SERVER_TLS_CA_FILE: file("model-ca.crt", issuer.cert),
    }),
  ]);
  const receiver = await startReceiver();
  return {
    lines,
    migrated: migrated.stdout,
    receiver,
    runAs,
    customer,
    backupFolder: join(folder, "backup"),
    admin: { adminUrl: first.admin! },
    apis: [first.api!, second.api!] as const,
    storedFiles: () => readdirSync(storageDir, { recursive: true }).map(String),
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
      await receiver.close();
      await Promise.all([secured.stop(), customer.stop()]);
      rmSync(folder, { recursive: true });
    },
  };
});

/** What a client of the shop does, over two API processes in turn. */
async function openClient() {
  const { accountId, key } = await openAccount(stack.admin);
  let turn = 0;
  const clients = stack.apis.map((url) => apiClient(url, key));
  const call: (typeof clients)[number]["call"] = (...args) => clients[turn++ % 2]!.call(...args);
  async function ended(id: string) {
    for (;;) {
      const { body } = await call("GET", `/v1/jobs/${id}`, { headers: { Prefer: "wait=30" } });
      if (body.status !== "queued" && body.status !== "processing") return body;
    }
  }
  return { accountId, key, call, ended };
}

it("is migrated by its own user, to three replicas", () => {
  expect(stack.migrated).toContain("created stream PS_STATE, replicas 3");
});

it("edits by each tool, delivers webhooks, counts usage, and deletes everything", async () => {
  const { call, ended } = await openClient();
  const hook = await call("POST", "/v1/webhooks", { json: { url: stack.receiver.url } });
  expect(hook.status).toBe(201);
  const photo = await jpeg();
  const json = { contentType: "image/jpeg", filename: "mug.jpg", sizeBytes: photo.length };
  const upload = await call("POST", "/v1/uploads", { json });
  // The first API process has the address in the link; its host is the one that all share.
  const put = { method: "PUT", body: new Uint8Array(photo), headers: upload.body.headers };
  expect((await fetch(upload.body.uploadUrl.replace("127.0.0.1:8080", new URL(stack.apis[0]).host), put)).ok).toBe(
    true,
  );
  const { uploadSessionId } = upload.body;
  const jobs = await Promise.all(
    toolIds.map(async (id) => {
      const parameters = id === "ai-bg" ? { seed: 1, theme: "a marble table" } : { seed: 1 };
      const { status, body } = await call("POST", `/v1/tools/${id}/edit`, { json: { uploadSessionId, parameters } });
      expect([id, status, body.error?.code]).toEqual([id, 202, undefined]);
      return await ended(body.id);
    }),
  );
  expect(jobs.map(({ status, error }) => [status, error])).toEqual(jobs.map(() => ["completed", null]));
  await stack.receiver.until((received) => jobs.every(({ id }) => received.some(({ body }) => body.includes(id))));
  const [job] = jobs;
  expect((await call("DELETE", `/v1/jobs/${job.id}`)).status).toBe(204);
  await vi.waitFor(() => expect(stack.storedFiles().filter((name) => name.includes(job.id))).toEqual([]), patient);
  expect((await call("GET", `/v1/jobs/${job.id}`)).status).toBe(404);
  await vi.waitFor(async () => {
    const { body } = await call("GET", "/v1/account");
    expect(body.credits.remaining).toBe(1_000_000 - toolIds.length);
  }, patient);
});

it("fails, refunds, cancels, redelivers, and ends keys and webhooks", async () => {
  const { call, ended } = await openClient();
  const hook = await call("POST", "/v1/webhooks", { json: { url: stack.receiver.url } });
  const form = formWith(Buffer.from("this is no photo, however long one looks at it"));
  const refused = await call("POST", "/v1/tools/mask/edit", { form });
  expect(refused.status).toBeGreaterThanOrEqual(400);
  const imageUrl = "https://nowhere.invalid/photo.jpg";
  const { body: job } = await call("POST", "/v1/tools/mask/edit", { json: { imageUrl } });
  expect(await ended(job.id)).toMatchObject({ status: "failed" });
  await stack.receiver.until((received) => received.some(({ body }) => body.includes(job.id)));
  const path = `/v1/webhooks/${hook.body.id}/deliveries`;
  const delivery = await vi.waitFor(async () => {
    const { body } = await call("GET", path);
    expect(body.data).toMatchObject([{ jobId: job.id, status: "succeeded" }]);
    return body.data[0];
  }, patient);
  expect((await call("POST", `${path}/${delivery.id}/redeliver`)).status).toBe(202);
  await stack.receiver.until((received) => received.filter(({ body }) => body.includes(job.id)).length === 2);
  await vi.waitFor(async () => {
    expect((await call("GET", "/v1/account")).body.credits.remaining).toBe(1_000_000);
  }, patient);
  expect((await call("POST", `/v1/webhooks/${hook.body.id}/test`)).status).toBe(202);
  await stack.receiver.until((received) => received.some(({ body }) => body.includes("webhook.test")));
  expect((await call("GET", "/v1/account/usage")).status).toBe(200);
  expect((await call("GET", "/v1/jobs")).body.data).toHaveLength(1);
  const key = await call("POST", "/v1/account/keys", { json: { name: "second" } });
  expect(key.status).toBe(201);
  expect((await call("DELETE", `/v1/account/keys/${key.body.id}`)).status).toBe(204);
  expect((await call("DELETE", `/v1/webhooks/${hook.body.id}`)).status).toBe(204);
});

it("fills a customer's bucket, runs a batch and the drop-in, keeps an audit log, and erases the account", async () => {
  const { accountId, key, call, ended } = await openClient();
  const { bucket, region, credentials } = stack.customer.s3.settings;
  const { accessKeyId, secretAccessKey } = credentials!;
  const photo = await jpeg();
  const put = new PutObjectCommand({ Bucket: bucket, Key: "catalog/in/mug.jpg", Body: photo });
  await createS3Client(stack.customer.s3.settings).send(put);
  const address = { endpoint: stack.customer.proxy.url, region, bucket, prefix: "catalog" };
  const connection = { name: "shop", ...address, accessKeyId, secretAccessKey };
  expect((await call("POST", "/v1/connections", { json: connection })).status).toBe(201);
  const destination = { connection: "shop", key: "out/{ref}.{ext}" };
  expect((await call("PUT", "/v1/presets/shop", { json: { tool: "mask", destination } })).status).toBe(201);
  const edit = { imageUrl: "s3://shop/in/mug.jpg", preset: "shop", metadata: { ref: "K-17" } };
  const accepted = await call("POST", "/v1/tools/mask/edit", { json: edit });
  expect(await ended(accepted.body.id)).toMatchObject({ status: "completed", destination: { key: "out/K-17.png" } });
  const items = ["M-4", "M-5"].map((ref) => ({ ref, imageUrl: "https://nowhere.invalid/photo.jpg" }));
  const batch = await call("POST", "/v1/batches", { json: { tool: "mask", onExisting: "redo", items } });
  expect([batch.status, batch.body.error]).toEqual([202, null]);
  await vi.waitFor(async () => {
    const { body } = await call("GET", `/v1/batches/${batch.body.id}`);
    expect(body).toMatchObject({ status: "completed", counts: { failed: items.length } });
  }, patient);
  const form = new FormData();
  form.set("image_file", new Blob([new Uint8Array(photo)]), "mug.jpg");
  const init = { method: "POST", headers: { "X-Api-Key": key }, body: form };
  expect((await fetch(`${stack.apis[1]}/v1.0/removebg`, init)).status).toBe(200);
  const limited = await call("POST", "/v1/account/keys", { json: { name: "reader", scopes: ["read"] } });
  expect(limited.status).toBe(201);
  expect((await call("GET", "/v1/audit")).body.data.length).toBeGreaterThanOrEqual(3);
  expect((await call("GET", "/v1/account/export")).body).toContain('"type":"end"');
  const account = `/accounts/${accountId}`;
  expect((await operator(stack.admin, "DELETE", `${account}?confirm=${accountId}`)).status).toBe(202);
  const erased = () => stack.lines.filter((line) => line.includes("an account was erased") && line.includes(accountId));
  await vi.waitFor(() => expect(erased()).not.toEqual([]), patient);
});

it("is backed up by the user for that, and by no other", async () => {
  await expect(stack.runAs("migrate", ["backup", stack.backupFolder, "--wait", "5"])).rejects.toThrow();
  const { stdout } = await stack.runAs("backup", ["backup", stack.backupFolder]);
  expect(stdout).toMatch(/PS_STATE_3: \d+ messages/);
  expect(readdirSync(stack.backupFolder)).toContain("backup.json");
  // It is not restored over a log that is there.
  await expect(stack.runAs("backup", ["restore", stack.backupFolder])).rejects.toThrow(/PS_READY exists/);
});

it("was let do all of that: no service asked for more than it may do", () => {
  expect(stack.lines.filter((line) => line.includes("does not let this service"))).toEqual([]);
});
