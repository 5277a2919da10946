/** Starts a Kubernetes cluster for a test: see docs/adr/0021-chart-tests.md. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readyLine, startService } from "../../../cli/up/start-service.ts";
import type { NodeOrder } from "../kubelet/nodes.ts";
import { type Cluster, connectCluster, controlPlane } from "./cluster-client.ts";
import type { ClusterOptions } from "./cluster-options.ts";

const execute = promisify(execFile);
const checkout = fileURLToPath(new URL("../../..", import.meta.url));
const namespaces = ["--user", "--map-root-user", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"];
const readyTimeoutMs = 300_000;

const nodesDefault: readonly NodeOrder[] = [
  { name: "node-a", zone: "zone-a" },
  { name: "node-b", zone: "zone-b" },
  { name: "node-c", zone: "zone-c" },
];

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
  /** As `make test-keda` has it built; not when absent. */
  readonly runsKeda?: boolean;
}

export async function startCluster({
  nodes = nodesDefault,
  checkouts = {},
  runsKeda = false,
}: ClusterChoices = {}): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "packshot-cluster-"));
  const options: ClusterOptions = { folder, checkout, checkouts, controlPlane, nodes, runsKeda };
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
  return await connectCluster(folder, () => cluster.stop());
}
