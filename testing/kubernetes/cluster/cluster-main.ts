/**
 * A Kubernetes cluster in one process and its children: the real control plane, and a kubelet of our own that runs pods
 * as processes. It is the first process of user, mount, network and PID namespaces of its own (see start-cluster.ts): it
 * may do there what root may, and nothing of it is left when it ends.
 */
import { copyFile, cp, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Pod, Service } from "kubernetes-types/core/v1.d.ts";
import type { EndpointSlice } from "kubernetes-types/discovery/v1.d.ts";
import { findNatsServer } from "../../../cli/up/nats-server.ts";
import { startService } from "../../../cli/up/start-service.ts";
import { findProgram } from "../../programs.ts";
import { createApiClient } from "../api/api-client.ts";
import { watchObjects } from "../api/watched-objects.ts";
import { createEventReporter } from "../kubelet/events.ts";
import { findLogIn, startKubelet } from "../kubelet/kubelet.ts";
import { startLogsServer } from "../kubelet/logs-server.ts";
import { registerNodes } from "../kubelet/nodes.ts";
import { startVolumeProvisioner } from "../kubelet/volume-provisioner.ts";
import { resolverSettings, startClusterNames } from "../network/cluster-names.ts";
import { startGateway } from "../network/gateway.ts";
import { createPodNetwork, gatewayAddress } from "../network/pod-network.ts";
import { runCommand } from "../network/run-command.ts";
import { startServiceProxy } from "../network/service-proxy.ts";
import type { ClusterOptions } from "./cluster-options.ts";

const apiPort = 6443;
const { folder, checkout, checkouts, controlPlane, nodes, runsKeda } = JSON.parse(process.argv[2]!) as ClusterOptions;
const running = new AbortController();
const { signal } = running;

/** What the images have in /usr/local/bin. */
async function preparePrograms(): Promise<string> {
  const programs = join(folder, "programs");
  await mkdir(programs, { recursive: true });
  await copyFile(process.execPath, join(programs, "node"));
  await copyFile(findNatsServer(process.env), join(programs, "nats-server"));
  const versitygw = findProgram("versitygw");
  if (versitygw !== undefined) await copyFile(versitygw, join(programs, "versitygw"));
  if (runsKeda) await cp(join(dirname(controlPlane), "keda"), programs, { recursive: true });
  return programs;
}

async function startControlPlane(): Promise<void> {
  const plane = await startService({
    name: "control plane",
    program: controlPlane,
    args: ["run", folder, gatewayAddress],
    environment: process.env,
    waitForReady: ({ untilLine }) => untilLine((line) => line === "ready" || undefined),
  });
  void plane.ended.then((how) => {
    process.stdout.write(`the control plane ${how}\n`);
    process.exit(1);
  });
}

async function main(): Promise<void> {
  const network = await createPodNetwork();
  const programs = await preparePrograms();
  await startControlPlane();
  const api = await createApiClient(folder, apiPort);
  const services = await watchObjects<Service>(api, "/api/v1/services", signal);
  const slices = await watchObjects<EndpointSlice>(api, "/apis/discovery.k8s.io/v1/endpointslices", signal);
  await startClusterNames({ services, slices });
  startServiceProxy({ services, slices });
  await startVolumeProvisioner(api, join(folder, "claims"), signal);
  const pods = await watchObjects<Pod>(api, "/api/v1/pods", signal);
  const logsPort = await startLogsServer(findLogIn(pods, folder));
  const version = (await runCommand(controlPlane, "version")).trim();
  await registerNodes(api, nodes, { version, logsPort, signal });
  const reportEvent = createEventReporter(api);
  startKubelet(pods, { api, network, services, folder, programs, checkout, checkouts, resolverSettings, reportEvent });
  await startGateway(folder);
}

process.on("SIGTERM", () => process.exit(0));
process.stdin.resume().on("end", () => process.exit(0)); // Whoever started it has ended.

main().then(
  () => process.stdout.write(`${JSON.stringify({ msg: "ready" })}\n`),
  (error: Error) => {
    process.stdout.write(`${error.stack}\n${JSON.stringify({ msg: "failed", reason: error.message })}\n`);
    process.exit(1);
  },
);
