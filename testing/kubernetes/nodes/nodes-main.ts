/**
 * A Kubernetes cluster in one process and its children: the real control plane, and nodes with the real kubelet, kube-proxy
 * and containerd. It is the first process of mount, network and PID namespaces of its own (see start-nodes.ts), so that
 * nothing of it but its cgroups is left when it ends.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startService } from "../../../cli/up/start-service.ts";
import { createApiClient } from "../api/api-client.ts";
import { namesObjects, pauseImage } from "./add-on-objects.ts";
import { makeCgroups, makeClusterCgroup } from "./cgroups.ts";
import { startContainerRuntime } from "./container-runtime.ts";
import { startGateway } from "./gateway.ts";
import { enforcePolicies } from "./network-policies.ts";
import { hideMachineSettings, startNodeAgents } from "./node-agents.ts";
import { controlPlaneAddress, createNodeNetworks, type NodeNetwork } from "./node-network.ts";
import type { NodesOptions } from "./nodes-options.ts";
import { runCommand } from "./run-command.ts";
import { startVolumeProvisioner } from "./volume-provisioner.ts";

const apiPort = 6443;
const { folder, controlPlane, archives, zones, cgroup } = JSON.parse(process.argv[2]!) as NodesOptions;
const running = new AbortController();

const nodeIn = (zone: string) => `node-${zone}`;

async function startControlPlane(): Promise<void> {
  const plane = await startService({
    name: "control plane",
    program: controlPlane,
    args: ["run", folder, controlPlaneAddress],
    environment: process.env,
    waitForReady: ({ untilLine }) => untilLine((line) => line === "ready" || undefined),
  });
  void plane.ended.then((how) => {
    process.stdout.write(`the control plane ${how}\n`);
    process.exit(1);
  });
}

const kubectl = (...args: readonly string[]) =>
  runCommand(controlPlane, "kubectl", `--kubeconfig=${join(folder, "kubeconfig")}`, ...args);

async function startNode(zone: string, network: NodeNetwork, kubeconfig: string): Promise<void> {
  const name = nodeIn(zone);
  const own = join(folder, name);
  const { endpoint, importImages } = await startContainerRuntime(own, network, pauseImage);
  for (const archive of archives) await importImages(archive);
  const cgroupRoot = `/${cgroup}/${name}`;
  await makeCgroups(cgroupRoot);
  const authority = join(folder, "keys", "authority.pem");
  const program = controlPlane;
  await startNodeAgents({
    name,
    zone: `zone-${zone}`,
    folder: own,
    network,
    endpoint,
    program,
    kubeconfig,
    authority,
    cgroupRoot,
  });
}

async function main(): Promise<void> {
  // What the kubelet mounts is seen by the containers that it gives it to.
  await runCommand("mount", "--make-rshared", "/");
  const networks = await createNodeNetworks(zones.map(nodeIn), folder);
  await hideMachineSettings(join(folder, "settings"));
  await startControlPlane();
  const inside = await readFile(join(folder, "kubeconfig"), "utf8");
  const kubeconfig = join(folder, "kubeconfig-nodes");
  await writeFile(kubeconfig, inside.replace("127.0.0.1", controlPlaneAddress), { mode: 0o600 });
  await makeClusterCgroup(cgroup);
  await Promise.all(zones.map((zone, index) => startNode(zone, networks[index]!, kubeconfig)));
  const api = await createApiClient(folder, apiPort);
  const claims = join(folder, "claims");
  await mkdir(claims);
  await startVolumeProvisioner(api, claims, running.signal);
  const objects = join(folder, "add-ons.json");
  await writeFile(objects, JSON.stringify({ apiVersion: "v1", kind: "List", items: namesObjects() }));
  await kubectl("wait", "--for=condition=Ready", "nodes", "--all", "--timeout=300s");
  // A loaded API server takes longer for the schemas by which kubectl would validate them than kubectl waits.
  await kubectl("apply", "--validate=false", "--filename", objects);
  await enforcePolicies(api, networks, running.signal);
  await kubectl("--namespace=kube-system", "rollout", "status", "deployment/kube-dns", "--timeout=300s");
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
