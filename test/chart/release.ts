/** A release of the chart on a cluster: its secret, the client's way to it, and what kubectl says of its pods. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { expect } from "vitest";
import type { Cluster } from "../../testing/kubernetes/nodes/cluster-client.ts";
import type { ForwardedPort } from "../../testing/kubernetes/nodes/gateway.ts";
import { nodeRange } from "../../testing/kubernetes/nodes/node-network.ts";
import { type ClientAccount, type Clients, startClients } from "../cluster/clients.ts";

const checkout = fileURLToPath(new URL("../..", import.meta.url));
const commandLine = join(checkout, "cli/packshot.ts");
const samplePhoto = join(checkout, "cli/demo/sample/mug.jpg");
const name = "packshot";
const publicUrl = "https://packshot.example.com";
const accountCount = 2;
const concurrencyDefault = 2;
const photoWidth = 480;
const waitMs = 600_000;
const editsBetween = 5;
const retryPauseMs = 1_000;

/** Pods of the examples ask for more than test machines have: nodes that share two processors are promised to more than they have room for. */
const requests = ["api", "worker", "modelServer", "webhooks", "nats", "redis"].flatMap((component) => [
  `${component}.resources.requests.cpu=20m`,
  `${component}.resources.requests.memory=64Mi`,
]);
/** The test asks for accounts from outside of the cluster, as an operator's network would. */
const nodesValues = [`networkPolicy.adminFrom[0].ipBlock.cidr=${nodeRange}`, ...requests];
/** A volume that pods of several nodes mount. */
export const sharedVolume = ["storage.volume.accessMode=ReadWriteMany", "storage.volume.storageClassName=shared"];

/** Values that let the release's pods reach engines that the chart does not run, by the label `app` of their pods, and a port. */
export function egressTo(engines: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(engines).flatMap(([app, port], index) => {
    const rule = `networkPolicy.extraEgress[${index}]`;
    return [`${rule}.to[0].podSelector.matchLabels.app=${app}`, `${rule}.ports[0].port=${port}`];
  });
}

/** The chart in a checkout. */
export function chartOf(folder: string): string {
  return join(folder, "deploy/helm");
}

interface Secret {
  readonly stringData: Readonly<Record<string, string>>;
}

/** What `make-secrets` prints: the one command that our documents name for it. */
function makeSecret(): Secret {
  const made = execFileSync(process.execPath, [commandLine, "make-secrets", "--kubernetes", name], {
    encoding: "utf8",
  });
  return JSON.parse(made) as Secret;
}

/** A release to install, or to change to. */
export interface ReleaseChange {
  /** Absent: whether it becomes ready is not awaited. */
  readonly timeout?: string;
  /** As `--set` takes them. */
  readonly values?: readonly string[];
  /** As `--values` takes it. */
  readonly file?: string;
  /** A folder or an archive; that of this checkout when absent. */
  readonly chart?: string;
}

export interface Release {
  /** Makes the secret, or makes it anew. */
  writeSecret(changed?: Readonly<Record<string, string>>): Promise<void>;
  /** Also over one that failed. */
  install(change: ReleaseChange): Promise<string>;
  /** The values of before stay, and what the chart has new gets its default. */
  upgrade(change: ReleaseChange): Promise<string>;
  /** To the revision before. */
  rollback(): Promise<string>;
  /** `helm test`: edits a photo. */
  test(): Promise<string>;
  kubectl(...args: readonly string[]): Promise<string>;
  /** A way to the API, and a key of a new account. */
  openClient(): Promise<{ readonly url: string; readonly key: string }>;
  /**
   * Clients edit photos while it lasts, and for some edits before and after it. No job and no connection may be lost.
   *
   * @param concurrency edits that are on their way at once
   */
  whileClientsWork(act: () => Promise<unknown>, concurrency?: number): Promise<void>;
  stop(): Promise<void>;
}

export function createRelease(cluster: Cluster, namespace: string): Release {
  const secret = makeSecret();
  const forwarded: ForwardedPort[] = [];
  const kubectl = (...args: readonly string[]) => cluster.kubectl("--namespace", namespace, ...args);

  async function change(
    args: readonly string[],
    { timeout, values = [], file, chart = chartOf(checkout) }: ReleaseChange,
  ) {
    // Settings are text, which --set takes for numbers.
    const set = values.flatMap((value) => [/settings\.|stateStreams=/.test(value) ? "--set-string" : "--set", value]);
    const wait = timeout === undefined ? [] : ["--wait", "--timeout", timeout];
    const given = [...(file === undefined ? [] : ["--values", file]), ...set, ...wait];
    return await cluster.helm("upgrade", name, chart, "--namespace", namespace, ...args, ...given);
  }

  async function addressOf(service: string, port: number): Promise<string> {
    const address = await kubectl("get", "service", service, "--output=jsonpath={.spec.clusterIP}");
    const way = await cluster.forward(() => `${address}:${port}`);
    forwarded.push(way);
    return `http://127.0.0.1:${way.port}`;
  }

  async function operatorCall<T>(admin: string, path: string, body: object): Promise<T> {
    const headers = {
      Authorization: `Bearer ${secret.stringData.PACKSHOT_ADMIN_TOKEN}`,
      "Content-Type": "application/json",
    };
    const order = () => fetch(`${admin}/admin/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    let response = await order();
    // A log that elects a leader is away for a moment, and operators are asked for another try as clients are.
    const status = async () => {
      if (response.status === 503) response = await order();
      return response.status;
    };
    await expect.poll(status, { timeout: waitMs, interval: retryPauseMs }).not.toBe(503);
    if (response.status !== 201) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  }

  async function openAccount(admin: string): Promise<ClientAccount> {
    const limits = { rateLimitPerHour: 1_000_000_000, concurrentJobs: 20, maxQueuedJobs: 1_000 };
    const order = { name: "shop", plan: "dev", limits };
    const { accountId } = await operatorCall<{ accountId: string }>(admin, "/accounts", order);
    const { key } = await operatorCall<{ key: string }>(admin, `/accounts/${accountId}/keys`, { name: "shop" });
    return { accountId, key };
  }

  async function openShop(concurrency: number): Promise<Clients> {
    const admin = await addressOf(`${name}-admin`, 8081);
    const accounts = await Promise.all(Array.from({ length: accountCount }, () => openAccount(admin)));
    const api = await addressOf(`${name}-api`, 80);
    const photos = [new Uint8Array(await sharp(samplePhoto).resize(photoWidth).toBuffer())];
    return startClients({ apis: () => [api], publicUrl, accounts, photos, concurrency });
  }

  return {
    kubectl,
    async writeSecret(changed = {}) {
      const written = { ...secret, stringData: { ...secret.stringData, ...changed } };
      await cluster.apply(JSON.stringify(written), "--namespace", namespace);
    },
    install: (order) => {
      const values = [...nodesValues, ...(order.values ?? [])];
      return change(["--install", "--create-namespace"], { ...order, values });
    },
    upgrade: (order) => change(["--reset-then-reuse-values"], order),
    rollback: () => cluster.helm("rollback", name, "--namespace", namespace, "--wait", "--timeout", "10m"),
    test: () => cluster.helm("test", name, "--namespace", namespace, "--logs", "--timeout", "10m"),
    async openClient() {
      const { key } = await openAccount(await addressOf(`${name}-admin`, 8081));
      return { url: await addressOf(`${name}-api`, 80), key };
    },
    async whileClientsWork(act, concurrency = concurrencyDefault) {
      const clients = await openShop(concurrency);
      const more = async () =>
        await expect
          .poll(() => clients.accepted.size, { timeout: waitMs })
          .toBeGreaterThanOrEqual(clients.accepted.size + editsBetween);
      try {
        await more();
        await act();
        await more();
      } finally {
        await clients.finish();
      }
      console.info(JSON.stringify({ accepted: clients.accepted.size, ...clients.counts }));
      expect(clients.wrong).toEqual([]);
      expect(clients.counts.completed).toBe(clients.accepted.size);
      expect(clients.counts["connection lost"] ?? 0).toBe(0);
    },
    async stop() {
      await Promise.all(forwarded.map((way) => way.stop()));
    },
  };
}
