/** API processes, and a client that holds every answer to the contract. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { connectNats } from "@packshot/platform/nats/connection.ts";
import { createLog, type Log } from "@packshot/platform/nats/log.ts";
import type { ValidateFunction } from "ajv";
import { type Contract, loadContract } from "../../services/api/http/contract.ts";
import { onFreePorts } from "../servers/free-ports.ts";
import { startNats, type TestNats } from "../servers/nats.ts";

const main = fileURLToPath(new URL("../../services/api/api-main.ts", import.meta.url));
const logLinesMax = 200;
export const adminToken = "operator-token-of-the-tests";
export const linkKeyHex = "5".repeat(64);
export const masterKeyHex = "6".repeat(64);

export interface ApiProcess {
  readonly url: string;
  readonly adminUrl: string;
  /** `host:port` */
  readonly metrics: string;
  readonly logLines: readonly string[];
  /** As by `kill -9`. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  readonly ended: Promise<unknown>;
}

export interface ApiProcesses {
  readonly nats: TestNats;
  /** By a connection of the test's own. */
  readonly log: Log;
  readonly all: readonly ApiProcess[];
  readonly storageDir: string;
  /** A further one on the same log and storage. */
  start(environment?: Readonly<Record<string, string>>): Promise<ApiProcess>;
  stop(): Promise<void>;
}

export interface ApiOptions {
  readonly count?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** nats-servers. */
  readonly cluster?: 1 | 3;
}

/**
 * On a log of their own. All share the folder of their storage and, as behind one balancer, the first one's address in
 * links.
 */
export async function startApis({ count = 1, environment = {}, cluster = 1 }: ApiOptions = {}): Promise<ApiProcesses> {
  const nats = await startNats({ cluster });
  const storageDir = await mkdtemp(join(tmpdir(), "packshot-api-"));
  const shared = {
    PATH: process.env.PATH ?? "",
    PACKSHOT_NATS_URL: nats.url,
    PACKSHOT_NATS_REPLICAS: String(cluster),
    PACKSHOT_LINK_KEY: linkKeyHex,
    PACKSHOT_MASTER_KEY: masterKeyHex,
    PACKSHOT_STORAGE_DIR: storageDir,
    PACKSHOT_ADMIN_TOKEN: adminToken,
    PACKSHOT_ALLOW_WEBHOOKS: "127.0.0.1:*",
    PACKSHOT_PARENT_PIPE: "1",
    PACKSHOT_LOG_LEVEL: "warn",
    ...environment,
  };
  const first = await onFreePorts(1, ([port]) =>
    startApi({ PACKSHOT_API_PORT: String(port), PACKSHOT_PUBLIC_URL: `http://127.0.0.1:${port}`, ...shared }),
  );
  const all = [first];
  const start = async (extra: Readonly<Record<string, string>> = {}) => {
    const started = await startApi({ PACKSHOT_API_PORT: "0", PACKSHOT_PUBLIC_URL: first.url, ...shared, ...extra });
    all.push(started);
    return started;
  };
  await Promise.all(Array.from({ length: count - 1 }, () => start()));
  const log = createLog(await connectNats({ url: nats.url, name: "test" }));
  return {
    nats,
    log,
    all,
    storageDir,
    start,
    async stop() {
      await Promise.all(all.map((api) => api.stop()));
      await log.connection.close();
      await nats.stop();
      await rm(storageDir, { recursive: true, force: true });
    },
  };
}

async function startApi(environment: Readonly<Record<string, string>>): Promise<ApiProcess> {
  const child: ChildProcess = spawn(process.execPath, [main], { stdio: ["pipe", "pipe", "pipe"], env: environment });
  const logLines: string[] = [];
  createInterface({ input: child.stderr! }).on("line", (line) => {
    logLines.push(line);
    if (logLines.length > logLinesMax) logLines.shift();
  });
  const ended = once(child, "close");
  const ready = await new Promise<{ api: string; admin: string; metrics: string }>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on("line", (line) => {
      const said = JSON.parse(line) as { msg: string; api: string; admin: string; metrics: string };
      if (said.msg === "ready") resolve(said);
      else reject(new Error(line));
    });
    void ended.then(() => reject(new Error(`the API ended at its start: ${logLines.join("\n")}`)));
  });
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await ended;
  };
  const { api: url, admin: adminUrl, metrics } = ready;
  return { url, adminUrl, metrics, logLines, ended, kill: () => end("SIGKILL"), stop: () => end("SIGTERM") };
}

export interface OpenedAccount {
  readonly accountId: string;
  readonly key: string;
}

export async function operator(
  api: Pick<ApiProcess, "adminUrl">,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${api.adminUrl}/admin/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${adminToken}`,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

export async function openAccount(
  api: Pick<ApiProcess, "adminUrl">,
  order: Readonly<Record<string, unknown>> = {},
): Promise<OpenedAccount> {
  const make = async (path: string, wanted: object) => {
    const { status, body } = await operator(api, "POST", path, wanted);
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const { accountId } = await make("/accounts", { name: "test", plan: "dev", ...order });
  const { key } = await make(`/accounts/${accountId}/keys`, { name: "first" });
  return { accountId: accountId as string, key: key as string };
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  readonly body: any;
}

export interface ContractClient {
  /** Fails when the answer is not one that openapi.yaml documents for this operation. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
}

export interface CallOptions {
  readonly json?: unknown;
  readonly form?: FormData;
  readonly raw?: string | Uint8Array | ReadableStream;
  readonly headers?: Readonly<Record<string, string>>;
  /** null: none. */
  readonly key?: string | null;
  readonly signal?: AbortSignal;
}

let contract: Contract | undefined;
const validators = new Map<string, ValidateFunction>();

export function apiClient(url: string, key: string): ContractClient {
  return {
    async call(method, path, { json, form, raw, headers = {}, key: otherKey = key, signal } = {}) {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(otherKey === null ? {} : { Authorization: `Bearer ${otherKey}` }),
          ...(json === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        ...(form === undefined ? {} : { body: form }),
        ...(raw === undefined ? {} : { body: raw, duplex: "half" }),
        ...(signal === undefined ? {} : { signal }),
      } as RequestInit);
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
      const reply: Reply = {
        status: response.status,
        headers: response.headers,
        body: isJson ? JSON.parse(text) : text,
      };
      assertDocumented(method, path, reply);
      return reply;
    },
  };
}

function assertDocumented(method: string, path: string, { status, headers, body }: Reply): void {
  contract ??= loadContract(new URL("../../services/api/openapi.yaml", import.meta.url));
  const what = `${method} ${path} → ${status} ${JSON.stringify(body)?.slice(0, 500)}`;
  if (headers.get("request-id") === null) throw new Error(`${what}: no Request-Id`);
  const operation = contract.operations.find(
    (candidate) =>
      candidate.method === method.toLowerCase() &&
      new RegExp(`^${candidate.path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(
        path.split("?")[0]!,
      ),
  );
  const schema = operation === undefined ? { $ref: "#/components/schemas/Error" } : schemaOf(operation, status, what);
  if (schema === undefined) return;
  const key = JSON.stringify(schema);
  const validate = validators.get(key) ?? contract.compile(schema);
  validators.set(key, validate);
  if (!validate(body)) throw new Error(`${what}: ${JSON.stringify(validate.errors?.[0])}`);
}

function schemaOf(operation: Contract["operations"][number], status: number, what: string): object | undefined {
  const item = contract!.document.paths[operation.path]![operation.method] as {
    responses: Record<string, { $ref?: string; content?: Record<string, { schema: object }> }>;
  };
  const documented = item.responses[status];
  if (documented === undefined) throw new Error(`${what}: this status is not documented`);
  const responses = contract!.document.components.responses as Record<string, typeof documented>;
  const response = documented.$ref === undefined ? documented : responses[documented.$ref.split("/").at(-1)!]!;
  return response.content?.["application/json"]?.schema;
}
