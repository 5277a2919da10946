/**
 * The disasters of docs/operations.md, by the commands as they stand there: a lost log, a lost machine, lost keys. After each a
 * client finds what the document says. Only the port is another. It takes a minute or two: `make test-drill` runs it.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createLog } from "@packshot/log/log.ts";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StackFile } from "../../cli/operator/stack-file.ts";
import { findNatsServer } from "../../cli/up/nats-server.ts";
import { createArchive } from "../../services/api/features/accounts/ledger-archive.ts";
import * as images from "../../testing/images/odd-images.ts";
import { formWith } from "../../testing/stack/live-stack.ts";
import { type Received, type Receiver, startReceiver } from "../../testing/webhooks/receiver.ts";
import { readLedger } from "../failures/check-ledger.ts";
import { trackedFiles } from "../house-rules/source-tree.ts";
import { startHeldSite } from "./held-site.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const exec = promisify(execFile);
const timeoutMs = 300_000;
const dayMs = 86_400_000;

const fences = readFileSync(join(root, "docs/operations.md"), "utf8").matchAll(/^```sh drill (\S+)\n(.*?)^```$/gms);
const blocks = new Map([...fences].map(([, name, text]) => [name!, text!.replace("--port 8080", "--port 0")]));
const used = new Set<string>();

function blockOf(name: string): string {
  used.add(name);
  return blocks.get(name)!;
}

let folder: string;
let environment: NodeJS.ProcessEnv;
let site: Awaited<ReturnType<typeof startHeldSite>>;
let receiver: Receiver;
let running: ChildProcess | undefined;
let client: Client;
/** What a client has before the disasters. */
let before: Before;

interface Before {
  readonly accountId: string;
  readonly keys: readonly string[];
  readonly webhook: { readonly id: string; readonly secret: string };
  readonly completed: readonly string[];
  /** It was open when the backup was taken. */
  readonly open: string;
  /** It was made after the backup. */
  readonly later: string;
}

interface Client {
  call(method: string, path: string, body?: object | FormData): Promise<{ status: number; body: Answer }>;
  /** Resolves with the job once it has ended. */
  ended(jobId: string): Promise<Answer>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape; the tests say which
type Answer = any;

/** Resolves with what the document's commands print. */
async function run(name: string): Promise<string> {
  const bash = ["-euo", "pipefail", "-c", blockOf(name)];
  return (await exec("bash", bash, { cwd: folder, env: environment })).stdout;
}

/** The document's command that goes on running; resolves when it says that it is up. */
async function start(name: string): Promise<void> {
  const bash = ["-euo", "pipefail", "-c", blockOf(name)];
  const child = spawn("bash", bash, {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const up = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => {
      said += text;
      if (said.includes("Packshot is up")) up.resolve();
    });
  child.on("close", () => up.reject(new Error(said)));
  await up.promise;
  running = child;
}

/** Resolves when the launcher has ended. What it leaves when it is killed notices that, and stops too. */
async function stop(signal: NodeJS.Signals): Promise<void> {
  const child = running!;
  running = undefined;
  const ended = once(child, "close");
  process.kill(-child.pid!, signal);
  await ended;
}

async function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const isThere = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isThere;
}

const stackFile = () => JSON.parse(readFileSync(join(folder, "data/stack.json"), "utf8")) as StackFile;

function clientOf(key: string): Client {
  const { apiUrl } = stackFile();
  const call: Client["call"] = async (method, path, body) => {
    const isForm = body instanceof FormData;
    const response = await fetch(apiUrl + path, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        // An edit is answered at once, and asked for until it has ended.
        ...(method === "GET" && { Prefer: "wait=30" }),
        ...(body !== undefined && !isForm && { "Content-Type": "application/json" }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  async function ended(jobId: string): Promise<Answer> {
    for (;;) {
      const { body } = await call("GET", `/v1/jobs/${jobId}`);
      if (body.status !== "queued" && body.status !== "processing") return body;
    }
  }
  return { call, ended };
}

async function edit(): Promise<Answer> {
  const { body } = await client.call("POST", "/v1/tools/mask/edit", formWith(await images.jpeg()));
  const job = await client.ended(body.id);
  expect(job.status).toBe("completed");
  return job;
}

async function withLog<T>(use: (deps: Parameters<typeof createArchive>[0]) => Promise<T>): Promise<T> {
  const connection = await connectNats({ url: stackFile().natsUrl, name: "drill" });
  const storage = createDiskStorage({ dir: join(folder, "data/storage") });
  const logger = createLogger({ name: "drill", level: "error" });
  const log = createLog(connection, { stateStreamCount: 1 });
  return await use({ log, storage, logger, nowMs: () => Date.now() + 2 * dayMs }).finally(() => connection.close());
}

/** What the API does when a day is over; resolves with how many files it wrote. */
const archiveLedger = () => withLog((deps) => createArchive(deps)(new AbortController().signal));

const eventOf = (jobId: string) => (received: readonly Received[]) => received.some(({ body }) => body.includes(jobId));

/** Resolves once the event of the job's end has come; its signature must be of this secret. */
async function expectEvent(jobId: string, secret: string): Promise<void> {
  await receiver.until(eventOf(jobId));
  const { body, headers } = receiver.received.findLast((each) => eventOf(jobId)([each]))!;
  expect(() => new Verifier(secret).verify(body, headers as Record<string, string>)).not.toThrow();
}

/** What the document says of every restore. */
async function expectRestored({ hasFiles }: { readonly hasFiles: boolean }): Promise<void> {
  const { accountId, keys, webhook, completed, open, later } = before;
  for (const key of keys) expect((await clientOf(key).call("GET", "/v1/account")).body.accountId).toBe(accountId);
  client = clientOf(keys[0]!);
  expect((await client.call("GET", "/v1/webhooks")).body.data.map(({ id }: Answer) => id)).toEqual([webhook.id]);
  for (const id of completed) {
    const { body: job } = await client.call("GET", `/v1/jobs/${id}`);
    expect(job.status).toBe("completed");
    expect((await fetch(job.resultUrl)).status).toBe(hasFiles ? 200 : 404);
  }
  expect((await client.call("GET", `/v1/jobs/${later}`)).status).toBe(404);
  expect(await client.ended(open)).toMatchObject({ status: "completed" });
  await expectEvent(open, webhook.secret);
  await expectEvent((await edit()).id, webhook.secret);

  const remaining = async () => (await client.call("GET", "/v1/account")).body.credits.remaining as number;
  const ledgerEnd = () =>
    withLog(async ({ log, storage }) => {
      const { entries, problems } = await readLedger(log, storage as never);
      const own = entries.filter((entry) => entry.accountId === accountId);
      return {
        problems,
        balance: own.at(-1)?.balanceAfter,
        sum: own.reduce((sum, { amount }) => sum + amount, 0),
      };
    });
  const balance = await remaining();
  await expect.poll(ledgerEnd).toEqual({ problems: [], balance, sum: balance });
  expect(await archiveLedger()).toBeGreaterThan(0);
  expect(await ledgerEnd()).toEqual({ problems: [], balance, sum: balance });
  const said = await run("check");
  expect(said).toMatch(/ 0 problems/);
  expect(said).toContain(accountId);
}

describe.runIf(process.env.TEST_DRILL === "1")("disasters by the book (make test-drill)", () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "packshot-drill-"));
    for (const entry of new Set([...trackedFiles().map((path) => path.split("/")[0]!), "node_modules", ".tools"]))
      symlinkSync(join(root, entry), join(folder, entry));
    mkdirSync(join(folder, "backups"));
    site = await startHeldSite(await images.jpeg());
    receiver = await startReceiver();
    environment = {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      PACKSHOT_NATS_SERVER: findNatsServer(process.env),
      PACKSHOT_ALLOW_SOURCES: site.address,
      PACKSHOT_SOURCE_TIMEOUT_MS: "120000",
    };
  }, timeoutMs);

  afterAll(async () => {
    if (running !== undefined) await stop("SIGTERM");
    site?.stop();
    await receiver?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }, timeoutMs);

  test(
    "a backup is taken while a job is open, and later jobs are not in it",
    async () => {
      await start("start");
      const { accountId, apiKey } = stackFile();
      client = clientOf(apiKey);
      const key = await client.call("POST", "/v1/account/keys", { name: "second" });
      const webhook = await client.call("POST", "/v1/webhooks", { url: receiver.url });
      const completed = [(await edit()).id, (await edit()).id];
      expect(await archiveLedger()).toBe(1);
      const held = await client.call("POST", "/v1/tools/mask/edit", { imageUrl: site.heldUrl });
      await expect.poll(site.isHolding).toBe(true);

      expect(await run("back-up")).toContain("the backup is whole");
      const later = (await edit()).id;
      expect(await archiveLedger()).toBe(1);
      before = {
        accountId,
        keys: [apiKey, key.body.key],
        webhook: webhook.body,
        completed,
        open: held.body.id,
        later,
      };
      receiver.received.length = 0;
      site.release();
    },
    timeoutMs,
  );

  test(
    "a lost log is restored beside the files that are there",
    async () => {
      await stop("SIGTERM");
      expect(await run("lost-log")).toMatch(/^ledger\/.+: moved to ledger-set-aside\//m);
      await start("start");
      await expectRestored({ hasFiles: true });
    },
    timeoutMs,
  );

  test(
    "a lost machine is replaced by another one, from the copies alone",
    async () => {
      const { natsUrl } = stackFile();
      await stop("SIGKILL");
      await expect.poll(() => isListening(natsUrl), { timeout: 60_000 }).toBe(false);
      rmSync(join(folder, "data"), { recursive: true });
      receiver.received.length = 0;
      await run("lost-machine");
      await start("start");
      await expectRestored({ hasFiles: false });
    },
    timeoutMs,
  );

  test(
    "lost keys are replaced: links are made anew, and what waits is sent once its webhook has a new secret",
    async () => {
      const job = await edit();
      await stop("SIGTERM");
      rmSync(join(folder, "data/secrets.json"));
      await expect(start("start")).rejects.toThrow("secrets.json is missing");
      expect(existsSync(join(folder, "data/secrets.json"))).toBe(false);
      await start("lost-keys");

      client = clientOf(before.keys[0]!);
      const path = new URL(job.resultUrl);
      expect((await fetch(stackFile().apiUrl + path.pathname + path.search)).status).toBe(404);
      const { body: again } = await client.call("GET", `/v1/jobs/${job.id}`);
      expect((await fetch(again.resultUrl)).status).toBe(200);

      const { id } = await edit();
      const rotated = await client.call("POST", `/v1/webhooks/${before.webhook.id}/rotate-secret`);
      await expectEvent(id, rotated.body.secret);
    },
    timeoutMs,
  );

  test("every command of the document's disasters was run", () => {
    expect([...used].sort()).toEqual([...blocks.keys()].sort());
  });
});
