/** The services of the stack: their main modules, and what each says of its addresses when it is ready. */

import { CommandFault } from "../command-line.ts";
import type { ReadyLine } from "./service-process.ts";

export const serviceMains = {
  api: "services/api/api-main.ts",
  modelServer: "services/inference/model-server-main.ts",
  worker: "services/inference/worker-main.ts",
  webhooks: "services/webhooks/webhooks-main.ts",
} as const;

export type ServiceName = keyof typeof serviceMains;

/**
 * What Node itself is told. A picture leaves the model server a megabyte of buffers and few objects, and the worker a
 * hundred. V8 frees young buffers with young objects, for almost nothing; but left alone it lets that space grow, so that
 * it is seldom emptied, and a heap of 20 MB makes it mark everything for the sake of 20 MB of buffers, six times a second.
 * Measured: 0.9 ms of processor time a picture beside a light model's 7, not 3; of a 12 MP cut-out 62 ms of collecting,
 * not 108.
 */
export const nodeFlags = {
  api: [],
  modelServer: ["--max-semi-space-size=2", "--heap-growing-percent=400"],
  worker: ["--max-semi-space-size=2", "--heap-growing-percent=400"],
  webhooks: [],
} as const satisfies Readonly<Record<ServiceName, readonly string[]>>;

/**
 * A worker takes and gives back hundreds of megabytes with every edit, and on a virtual machine the first touch of a page
 * that the system took back costs 3–6 µs, or a hundred times that where the host took it too. So glibc keeps what it has
 * for the next edit, in one arena and in pages of 2 MiB; only buffers over 128 MB (of photos over 40 MP) go back at once.
 * Measured at 12 MP, one edit at a time: decoding 34 ms, not 73–97, and the whole .59 of rembg's time, not .65; with four
 * at once no difference beyond the machine's noise, and the same peak. An idle worker stays near its peak. Other C
 * libraries do not look at it.
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

interface Address {
  /** Field of the ready line. */
  readonly field: string;
  readonly as: (hostAndPort: string) => string;
  /** The setting that gives a restarted service the same port again: the others were told of it. */
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
  if (!/^.+:\d+$/.test(text)) throw new CommandFault(`${name} did not say where its "${field}" is.`);
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
