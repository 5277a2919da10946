/** What a test does with a cluster that runs: kubectl, helm and ports of this machine that lead into it. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type ApiClient, createApiClient } from "../api/api-client.ts";
import { type ForwardedPort, forwardPort } from "./gateway.ts";

const execute = promisify(execFile);
const tools = fileURLToPath(new URL("../../../.tools", import.meta.url));
export const controlPlane = join(tools, "control-plane");
const apiTarget = "127.0.0.1:6443";
const outputBytesMax = 16 * 1024 * 1024;

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

/** `folder` is the cluster's, and has its gateway; `stopCluster` ends its processes. */
export async function connectCluster(folder: string, stopCluster: () => Promise<void>): Promise<Cluster> {
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
      await stopCluster().finally(() => rm(folder, { recursive: true, force: true }));
    },
  };
}
