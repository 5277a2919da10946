/**
 * The disasters of a cluster by docs/operations.md: three nats-servers with users and TLS, two API processes and S3 lose the log, then the
 * region. Each command is the document's own, with the environment of the user that it names. `make test-drill` runs it.
 * @module-tag versitygw
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createLog, type Log } from "@packshot/log/log.ts";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { migrateLog } from "@packshot/log/operate/migrate.ts";
import { createS3Access } from "@packshot/platform/storage/s3-client.ts";
import { createS3Storage } from "@packshot/platform/storage/s3-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createArchive } from "../../services/api/features/accounts/ledger-archive.ts";
import { openAccount } from "../../testing/api/accounts.ts";
import { adminToken } from "../../testing/api/api-processes.ts";
import * as images from "../../testing/images/odd-images.ts";
import { type SecuredNats, startSecuredNats } from "../../testing/servers/secured-nats.ts";
import { startS3, type TestS3 } from "../../testing/servers/versitygw.ts";
import { formWith } from "../../testing/stack/live-stack.ts";
import { type Receiver, startReceiver } from "../../testing/webhooks/receiver.ts";
import { type ClusterProcesses, startClusterProcesses } from "../cluster/cluster-processes.ts";
import { readLedger } from "../failures/check-ledger.ts";
import { trackedFiles } from "../house-rules/source-tree.ts";
import { startHeldSite } from "./held-site.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const exec = promisify(execFile);
const timeoutMs = 600_000;
const dayMs = 86_400_000;
const ledgerFileBytesMax = 64 * 1024 * 1024;
const counts = { api: 2, modelServer: 1, worker: 1, webhooks: 1 };
const keys = {
  PACKSHOT_MASTER_KEY: randomBytes(32).toString("hex"),
  PACKSHOT_LINK_KEY: randomBytes(32).toString("hex"),
};

const fences = readFileSync(join(root, "docs/operations.md"), "utf8").matchAll(
  /^ *```sh cluster-drill (\S+)\n(.*?)^ *```$/gms,
);
const blocks = new Map([...fences].map(([, name, text]) => [name!, text!]));
const used = new Set<string>();

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape; the tests say which
type Answer = any;

let folder: string;
let secured: SecuredNats;
let s3: TestS3;
let storage: Storage;
let site: Awaited<ReturnType<typeof startHeldSite>>;
let receiver: Receiver;
let processes: ClusterProcesses | undefined;
/** What a client has before the disasters, and what was open or came later. */
let before: {
  readonly accountId: string;
  readonly keys: readonly string[];
  readonly webhook: { readonly id: string; readonly secret: string };
  readonly completed: readonly string[];
  readonly open: string;
  readonly later: string;
};
/** The copy of the bucket's `ledger/` from the time of the backup. */
let copiedLedger: ReadonlyMap<string, Uint8Array>;

async function run(name: string, environment: Readonly<Record<string, string>>, after = "1234"): Promise<string> {
  used.add(name);
  const script = blocks.get(name)!.replace("--after 1234", `--after ${after}`);
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}`, ...environment };
  return (await exec("bash", ["-euo", "pipefail", "-c", script], { cwd: folder, env })).stdout;
}

async function startServices(): Promise<void> {
  const inCommon = {
    ...s3.environment,
    ...keys,
    PACKSHOT_PUBLIC_URL: "http://packshot.test",
    PACKSHOT_ALLOW_WEBHOOKS: "127.0.0.1:*",
    PACKSHOT_ALLOW_SOURCES: site.address,
    PACKSHOT_SOURCE_TIMEOUT_MS: "120000",
  };
  processes = await startClusterProcesses({
    counts,
    folder,
    adminToken,
    modelServerHost: "127.0.0.1",
    environmentOf: (role) => ({ ...inCommon, ...(role === "modelServer" ? {} : secured.environment(role)) }),
  });
}

async function stopServices(): Promise<void> {
  await processes?.stop();
  processes = undefined;
}

async function withLog<T>(use: (log: Log) => Promise<T>): Promise<T> {
  const connection = await connectNats(secured.operatorSettings);
  return await use(createLog(connection, { stateStreamCount: 4 })).finally(() => connection.close());
}

/** What the API does when a day is over; resolves with how many files it wrote. */
const archiveLedger = () =>
  withLog((log) => {
    const logger = createLogger({ name: "drill", level: "error" });
    const archive = createArchive({ log, storage, logger, nowMs: () => Date.now() + 2 * dayMs });
    return archive(new AbortController().signal);
  });

async function call(key: string, method: string, path: string, body?: object | FormData): Promise<Answer> {
  const isForm = body instanceof FormData;
  const response = await fetch(processes!.apis()[0] + path, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(method === "GET" && { Prefer: "wait=30" }),
      ...(body !== undefined && !isForm && { "Content-Type": "application/json" }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  return { status: response.status, ...((await response.json()) as object) };
}

async function ended(key: string, jobId: string): Promise<Answer> {
  for (;;) {
    const job = await call(key, "GET", `/v1/jobs/${jobId}`);
    if (job.status !== "queued" && job.status !== "processing") return job;
  }
}

async function edit(key: string): Promise<string> {
  const { id } = await call(key, "POST", "/v1/tools/mask/edit", formWith(await images.jpeg()));
  expect(await ended(key, id)).toMatchObject({ status: "completed" });
  return id;
}

async function expectEvent(jobId: string): Promise<void> {
  await receiver.until((received) => received.some(({ body }) => body.includes(jobId)));
  const { body, headers } = receiver.received.findLast((each) => each.body.includes(jobId))!;
  expect(() => new Verifier(before.webhook.secret).verify(body, headers as Record<string, string>)).not.toThrow();
}

/** The three steps of the document, from servers without a log. */
async function restoreByTheBook(): Promise<void> {
  const said = await run("restore", secured.environment("backup"));
  const after = /ledger set-aside --after (\d+)/.exec(said)![1]!;
  await run("migrate", secured.environment("migrate"));
  expect(await run("set-aside", s3.environment, after)).toMatch(/ 0 problems/);
}

async function expectRestored({ hasFiles }: { readonly hasFiles: boolean }): Promise<void> {
  const [key] = before.keys as [string];
  for (const each of before.keys)
    expect(await call(each, "GET", "/v1/account")).toMatchObject({ accountId: before.accountId });
  const webhooks = await call(key, "GET", "/v1/webhooks");
  expect(webhooks.data.map(({ id }: Answer) => id)).toEqual([before.webhook.id]);
  for (const id of before.completed) {
    const job = await call(key, "GET", `/v1/jobs/${id}`);
    expect(job.status).toBe("completed");
    expect((await fetch(job.resultUrl)).status).toBe(hasFiles ? 200 : 404);
  }
  expect(await call(key, "GET", `/v1/jobs/${before.later}`)).toMatchObject({ code: "not_found" });
  expect(await ended(key, before.open)).toMatchObject({ status: "completed" });
  await expectEvent(before.open);
  await expectEvent(await edit(key));

  const remaining = async () => (await call(key, "GET", "/v1/account")).credits.remaining as number;
  const ledgerEnd = () =>
    withLog(async (log) => {
      const { entries, problems } = await readLedger(log, storage);
      const own = entries.filter((entry) => entry.accountId === before.accountId);
      return { problems, sum: own.reduce((sum, { amount }) => sum + amount, 0) };
    });
  const balance = await remaining();
  await expect.poll(ledgerEnd).toEqual({ problems: [], sum: balance });
  expect(await archiveLedger()).toBeGreaterThan(0);
  expect(await ledgerEnd()).toEqual({ problems: [], sum: balance });
}

describe.runIf(process.env.TEST_DRILL === "1")("disasters of a cluster by the book (make test-drill)", () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "packshot-cluster-drill-"));
    for (const entry of new Set([...trackedFiles().map((path) => path.split("/")[0]!), "node_modules", ".tools"]))
      symlinkSync(join(root, entry), join(folder, entry));
    mkdirSync(join(folder, "backups"));
    site = await startHeldSite(await images.jpeg());
    receiver = await startReceiver();
    [secured, s3] = await Promise.all([startSecuredNats(), startS3()]);
    storage = createS3Storage(s3.settings, createS3Access(s3.settings));
    await withLog(({ connection }) => migrateLog(connection, { replicas: 3, stateStreams: 4 }));
    await startServices();
  }, timeoutMs);

  afterAll(async () => {
    await stopServices();
    await s3?.stop();
    await secured?.stop();
    site?.stop();
    await receiver?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }, timeoutMs);

  test(
    "a backup is taken while a job is open, and later jobs are not in it",
    async () => {
      const { accountId, key } = await openAccount({ adminUrl: processes!.admins()[0]! });
      const second = await call(key, "POST", "/v1/account/keys", { name: "second" });
      const webhook = await call(key, "POST", "/v1/webhooks", { url: receiver.url });
      const completed = [await edit(key), await edit(key)];
      expect(await archiveLedger()).toBe(1);
      const held = await call(key, "POST", "/v1/tools/mask/edit", { imageUrl: site.heldUrl });
      await expect.poll(site.isHolding).toBe(true);

      expect(await run("back-up", secured.environment("backup"))).toContain("the backup is whole");
      const files = await Array.fromAsync(storage.list("ledger/"), async ({ key: name }) => {
        const bytes = await storage.read(name, { bytesMax: ledgerFileBytesMax });
        return [name, bytes!] as const;
      });
      copiedLedger = new Map(files);
      const later = await edit(key);
      expect(await archiveLedger()).toBe(1);
      before = { accountId, keys: [key, second.key], webhook, completed, open: held.id, later };
      receiver.received.length = 0;
      site.release();
    },
    timeoutMs,
  );

  test(
    "a lost log is restored beside the bucket's files",
    async () => {
      await stopServices();
      await secured.nats.moveAll();
      await restoreByTheBook();
      expect((await Array.fromAsync(storage.list("ledger-set-aside/"))).length).toBeGreaterThan(0);
      await startServices();
      await expectRestored({ hasFiles: true });
    },
    timeoutMs,
  );

  test(
    "a lost region is replaced by another, from the copies alone",
    async () => {
      await stopServices();
      await Promise.all([s3.stop(), secured.stop()]);
      [secured, s3] = await Promise.all([startSecuredNats(), startS3()]);
      storage = createS3Storage(s3.settings, createS3Access(s3.settings));
      for (const [name, bytes] of copiedLedger)
        await storage.write(name, Buffer.from(bytes), { bytesMax: ledgerFileBytesMax });
      receiver.received.length = 0;
      await restoreByTheBook();
      await startServices();
      await expectRestored({ hasFiles: false });
    },
    timeoutMs,
  );

  test("every command of the document for clusters was run", () => {
    expect([...used].sort()).toEqual([...blocks.keys()].sort());
  });
});
