/** Starts a Kubernetes cluster for a test: see docs/adr/0021-chart-tests.md. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readyLine, startService } from "../../../cli/up/start-service.ts";
import { type ApiClient, createApiClient } from "../api/api-client.ts";
import type { NodeOrder } from "../kubelet/nodes.ts";
import { type ForwardedPort, forwardPort } from "../network/gateway.ts";
import type { ClusterOptions } from "./cluster-options.ts";

const execute = promisify(execFile);
const checkout = fileURLToPath(new URL("../../..", import.meta.url));
const tools = join(checkout, ".tools");
const controlPlane = join(tools, "control-plane");
const apiTarget = "127.0.0.1:6443";
const namespaces = ["--user", "--map-root-user", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"];
const outputBytesMax = 16 * 1024 * 1024;
const readyTimeoutMs = 300_000;

const nodesDefault: readonly NodeOrder[] = [
  { name: "node-a", zone: "zone-a" },
  { name: "node-b", zone: "zone-b" },
  { name: "node-c", zone: "zone-c" },
];

export interface Cluster {
  readonly folder: string;
  readonly api: ApiClient;
  /** Both resolve with stdout, and reject with an error that has `stdout` and `stderr`. */
  helm(...args: readonly string[]): Promise<string>;
  kubectl(...args: readonly string[]): Promise<string>;
  /** `kubectl apply` of objects in YAML; resolves with a line for each. */
  apply(objects: string, ...args: readonly string[]): Promise<string>;
  /** A port of this machine whose connections go to an address in the cluster, as "10.96.3.4:80". */
  forward(target: () => string): Promise<ForwardedPort>;
  stop(): Promise<void>;
}

/** Why no cluster can be started here; undefined where it can. */
export async function whyNoCluster(): Promise<string | undefined> {
  if (!existsSync(controlPlane)) return `${controlPlane} is missing: "make test-chart" builds it in some minutes`;
  const attempt = "ip link add pods type bridge && ip link add veth0 type veth peer name veth1";
  return await execute("unshare", [...namespaces, "sh", "-c", attempt]).then(
    () => undefined,
    (error: Error) => `this machine gives no user, network and mount namespaces (unshare, ip): ${error.message}`,
  );
}

export interface ClusterChoices {
  readonly nodes?: readonly NodeOrder[];
  /** Older checkouts by the tag of their image. */
  readonly checkouts?: Readonly<Record<string, string>>;
}

export async function startCluster({ nodes = nodesDefault, checkouts = {} }: ClusterChoices = {}): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "packshot-cluster-"));
  const options: ClusterOptions = { folder, checkout, checkouts, controlPlane, nodes };
  const main = fileURLToPath(new URL("cluster-main.ts", import.meta.url));
  const cluster = await startService({
    name: "cluster",
    program: "unshare",
    args: [...namespaces, "--", process.execPath, main, JSON.stringify(options)],
    environment: process.env,
    logPath: join(folder, "cluster.log"),
    waitForReady: readyLine,
    readyTimeoutMs,
  });
  const apiServer = await forwardPort(folder, () => apiTarget);
  const api = await createApiClient(folder, apiServer.port);
  const kubeconfig = join(folder, "kubeconfig-outside");
  const inside = await readFile(join(folder, "kubeconfig"), "utf8");
  await writeFile(kubeconfig, inside.replace(apiTarget, `127.0.0.1:${apiServer.port}`), { mode: 0o600 });
  await mkdir(join(folder, "helm"));
  const env = { ...process.env, KUBECONFIG: kubeconfig, HOME: join(folder, "helm") };
  const run = async (program: string, args: readonly string[]) =>
    (await execute(program, args, { env, maxBuffer: outputBytesMax })).stdout;
  const kubectl = (...args: readonly string[]) => run(controlPlane, ["kubectl", ...args]);

  return {
    folder,
    api,
    kubectl,
    async apply(objects, ...args) {
      const file = join(folder, "objects.yaml");
      await writeFile(file, objects);
      return await kubectl("apply", "--filename", file, ...args);
    },
    helm: (...args) => run(existsSync(join(tools, "helm")) ? join(tools, "helm") : "helm", args),
    forward: (target) => forwardPort(folder, target),
    async stop() {
      api.close();
      await apiServer.stop();
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
