/** A release of the chart on a cluster: its secret, the client's way to it, and what kubectl says of its pods. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import type { Cluster } from "../../testing/kubernetes/cluster/start-cluster.ts";
import type { ForwardedPort } from "../../testing/kubernetes/network/gateway.ts";
import { type ClientAccount, type Clients, startClients } from "../cluster/clients.ts";

const chart = fileURLToPath(new URL("../../deploy/helm", import.meta.url));
const commandLine = fileURLToPath(new URL("../../cli/packshot.ts", import.meta.url));
const samplePhoto = fileURLToPath(new URL("../../cli/demo/sample/mug.jpg", import.meta.url));
export const namespace = "shop";
const name = "packshot";
const publicUrl = "https://packshot.example.com";
/** A volume that pods of several nodes mount; everything else is the chart's default. */
const values = ["storage.volume.accessMode=ReadWriteMany", "storage.volume.storageClassName=shared"];
const accountCount = 2;
const concurrency = 2;
const photoWidth = 480;

interface Secret {
  readonly stringData: Readonly<Record<string, string>>;
}

export interface Release {
  /** Makes the secret, or makes it anew. */
  writeSecret(changed?: Readonly<Record<string, string>>): Promise<void>;
  install(timeout: string): Promise<string>;
  upgrade(timeout: string, ...changed: readonly string[]): Promise<string>;
  /** To the revision before. */
  rollback(): Promise<string>;
  kubectl(...args: readonly string[]): Promise<string>;
  /** Edits photos until it is told to finish. */
  openShop(): Promise<Clients>;
  stop(): Promise<void>;
}

export function createRelease(cluster: Cluster): Release {
  // The one command that our documents name for it.
  const made = execFileSync(process.execPath, [commandLine, "make-secrets", "--kubernetes", name], {
    encoding: "utf8",
  });
  const secret = JSON.parse(made) as Secret;
  const forwarded: ForwardedPort[] = [];
  const kubectl = (...args: readonly string[]) => cluster.kubectl("--namespace", namespace, ...args);

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
    const response = await fetch(`${admin}/admin/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
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

  return {
    kubectl,
    async writeSecret(changed = {}) {
      const written = { ...secret, stringData: { ...secret.stringData, ...changed } };
      await cluster.apply(JSON.stringify(written), "--namespace", namespace);
    },
    async install(timeout) {
      const set = values.flatMap((value) => ["--set", value]);
      const wait = ["--create-namespace", "--wait", "--timeout", timeout];
      return await cluster.helm("upgrade", "--install", name, chart, "--namespace", namespace, ...wait, ...set);
    },
    async upgrade(timeout, ...changed) {
      const set = changed.flatMap((value) => ["--set", value]);
      const wait = ["--reuse-values", "--wait", "--timeout", timeout];
      return await cluster.helm("upgrade", name, chart, "--namespace", namespace, ...wait, ...set);
    },
    rollback: () => cluster.helm("rollback", name, "--namespace", namespace, "--wait", "--timeout", "10m"),
    async openShop() {
      const admin = await addressOf(`${name}-admin`, 8081);
      const accounts = await Promise.all(Array.from({ length: accountCount }, () => openAccount(admin)));
      const api = await addressOf(`${name}-api`, 80);
      const photos = [new Uint8Array(await sharp(samplePhoto).resize(photoWidth).toBuffer())];
      return startClients({ apis: () => [api], publicUrl, accounts, photos, concurrency });
    },
    async stop() {
      await Promise.all(forwarded.map((way) => way.stop()));
    },
  };
}
