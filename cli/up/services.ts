/** The services of the stack: their main modules, and the addresses that each reports when it is ready. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Row } from "@packshot/platform/config/setting-rows.ts";
import { settingsTable } from "@packshot/platform/config/settings.ts";
import { CommandError } from "../command-line/command.ts";
import type { ReadyLine } from "./start-service.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export const serviceMains = {
  api: "services/api/api-main.ts",
  modelServer: "services/inference/model-server-main.ts",
  worker: "services/inference/worker-main.ts",
  webhooks: "services/webhooks/webhooks-main.ts",
} as const;

export type ServiceName = keyof typeof serviceMains;

/**
 * Flags of Node. Each image leaves the model server a megabyte of buffers and the worker a hundred, with few objects.
 * V8 frees young buffers cheaply, but by default its young generation grows until full collections free them instead.
 * Measured: garbage collection takes 0.9 ms of processor time for each image instead of 3 in the model server, and 62
 * ms instead of 108 for a 12 MP cut-out in the worker. The API passes photos and results on: garbage collection takes it 4
 * ms of an edit with 2 MB instead of 11 with 8 MB, and when it starts with 150,000 unexpired jobs, which it reads all once,
 * it needs as much processor time with either and has 188 MB instead of 200.
 */
export const nodeFlags = {
  api: ["--max-semi-space-size=2"],
  modelServer: ["--max-semi-space-size=2", "--heap-growing-percent=400"],
  worker: ["--max-semi-space-size=2", "--heap-growing-percent=400"],
  webhooks: [],
} as const satisfies Readonly<Record<ServiceName, readonly string[]>>;

/**
 * Environment of Node. A worker allocates and frees hundreds of megabytes for every edit, and on a virtual machine the
 * first touch of a returned page costs 3–6 µs or more. glibc therefore keeps freed memory for the next edit, in one
 * arena with pages of 2 MiB; only buffers over 128 MB (photos over 40 MP) are returned at once. Measured at 12 MP with
 * one edit at a time: decoding takes 34 ms instead of 73–97. The peak is the same, but an idle worker stays near it.
 * Other C libraries ignore the variable.
 */
export const nodeEnvironment = {
  api: {},
  modelServer: {},
  worker: {
    GLIBC_TUNABLES: [
      "glibc.malloc.arena_max=1",
      "glibc.malloc.mmap_threshold=134217728",
      "glibc.malloc.trim_threshold=536870912",
      "glibc.malloc.hugetlb=1",
    ].join(":"),
  },
  webhooks: {},
} as const satisfies Readonly<Record<ServiceName, Readonly<Record<string, string>>>>;

/** For storage on S3. */
const storageSecrets = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"] as const;
/** An address of Redis may hold a password. */
const redisSecrets = ["PACKSHOT_REDIS_URL", "PACKSHOT_REDIS_PASSWORD"] as const;
const keys = ["PACKSHOT_LINK_KEY", "PACKSHOT_MASTER_KEY"] as const;

/** Worker and model server open what anybody sends, and get no key that they do not need for it. */
const secretsNeeded: Readonly<Record<ServiceName, readonly string[]>> = {
  api: ["PACKSHOT_ADMIN_TOKEN", ...keys, ...redisSecrets, ...storageSecrets],
  modelServer: ["PACKSHOT_MODEL_SERVER_TOKEN"],
  worker: ["PACKSHOT_MODEL_SERVER_TOKEN", ...storageSecrets],
  webhooks: [...keys, ...storageSecrets],
};

/** A secret that no service is said to need reaches none. */
export function secretNames(): readonly string[] {
  const inTable = Object.entries<Row<unknown>>(settingsTable).filter(([, { secret }]) => secret === true);
  return [...new Set([...inTable.map(([name]) => name), ...redisSecrets, ...storageSecrets])];
}

/** The environment without the secrets that the service does not need, and without the names of their files. */
export function withSecretsOf(
  name: ServiceName,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const withheld = secretNames()
    .filter((secret) => !secretsNeeded[name].includes(secret))
    .flatMap((secret) => [secret, `${secret}_FILE`]);
  return { ...environment, ...Object.fromEntries(withheld.map((secret) => [secret, undefined])) };
}

/** Flags and main module for Node. `folder` has the source tree; this one when absent. */
export function serviceArguments(name: ServiceName, folder = root): readonly string[] {
  return [...nodeFlags[name], join(folder, serviceMains[name])];
}

interface Address {
  /** Field of the ready line. */
  readonly field: string;
  readonly as: (hostAndPort: string) => string;
  /** The setting that gives a restarted service the same port again, because the others already use it. */
  readonly setting: string;
}

const asIs = (hostAndPort: string) => hostAndPort;
const asUrl = (hostAndPort: string) => `http://${hostAndPort}`;
const asMetrics = (hostAndPort: string) => `http://${hostAndPort}/metrics`;
const metrics: Address = { field: "metrics", as: asMetrics, setting: "PACKSHOT_METRICS_PORT" };

const addresses: Readonly<Record<ServiceName, Readonly<Record<string, Address>>>> = {
  api: {
    api: { field: "api", as: asUrl, setting: "PACKSHOT_API_PORT" },
    admin: { field: "admin", as: asUrl, setting: "PACKSHOT_ADMIN_PORT" },
    metrics,
  },
  modelServer: {
    grpc: { field: "grpcPort", as: asIs, setting: "PACKSHOT_MODEL_GRPC_PORT" },
    metrics: { field: "httpPort", as: asMetrics, setting: "PACKSHOT_MODEL_HTTP_PORT" },
  },
  worker: { metrics },
  webhooks: { metrics },
};

/** Accepts `host:port`, `http://host:port` and a bare port of loopback. */
function hostAndPortIn(name: string, field: string, value: unknown): string {
  const text = String(value ?? "")
    .replace(/^https?:\/\//, "")
    .replace(/\/.*$/, "");
  if (/^\d+$/.test(text)) return `127.0.0.1:${text}`;
  if (!/^.+:\d+$/.test(text)) throw new CommandError(`${name} did not report its address "${field}".`);
  return text;
}

export function addressesOf(name: ServiceName, ready: ReadyLine): Readonly<Record<string, string>> {
  const entries = Object.entries(addresses[name]).map(([key, { field, as }]) => [
    key,
    as(hostAndPortIn(name, field, ready[field])),
  ]);
  return Object.fromEntries(entries);
}

export function settingsForRestart(name: ServiceName, ready: ReadyLine): Readonly<Record<string, string>> {
  const entries = Object.values(addresses[name]).map(({ field, setting }) => [
    setting,
    hostAndPortIn(name, field, ready[field]).split(":").at(-1)!,
  ]);
  return Object.fromEntries(entries);
}
