/** What Kubernetes runs on a node, of k8s.io/kubernetes itself: kubelet and kube-proxy. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startService } from "../../../cli/up/start-service.ts";
import { type NodeNetwork, podRange } from "./node-network.ts";
import { runCommand } from "./run-command.ts";

export const namesAddress = "10.96.0.10";
/**
 * The kubelet writes these for its whole machine, and containers come and go while others work on it. So it writes to files
 * that lie over them in the cluster's own view.
 */
const machineSettings = [
  "vm/overcommit_memory",
  "vm/panic_on_oom",
  "kernel/panic",
  "kernel/panic_on_oops",
  "kernel/keys/root_maxkeys",
  "kernel/keys/root_maxbytes",
];

export interface NodeAgents {
  readonly name: string;
  readonly zone: string;
  readonly folder: string;
  readonly network: NodeNetwork;
  readonly endpoint: string;
  /** The binary that has both. */
  readonly program: string;
  readonly kubeconfig: string;
  readonly authority: string;
  /** In each hierarchy of cgroups, the parent of this node's. */
  readonly cgroupRoot: string;
}

/** To be called once in a mount namespace. */
export async function hideMachineSettings(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of machineSettings) {
    const setting = `/proc/sys/${name}`;
    const value = await readFile(setting, "utf8").catch(() => undefined);
    if (value === undefined) continue;
    const cover = join(folder, name.replaceAll("/", "-"));
    await writeFile(cover, value);
    await runCommand("mount", "--bind", cover, setting);
  }
}

function kubeletSettings({ folder, endpoint, authority, cgroupRoot }: NodeAgents): object {
  return {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    containerRuntimeEndpoint: endpoint,
    authentication: { anonymous: { enabled: false }, webhook: { enabled: false }, x509: { clientCAFile: authority } },
    authorization: { mode: "AlwaysAllow" },
    clusterDNS: [namesAddress],
    clusterDomain: "cluster.local",
    resolvConf: join(folder, "resolv.conf"),
    cgroupDriver: "cgroupfs",
    cgroupRoot,
    // From 1.35 on it refuses cgroups of version 1.
    failCgroupV1: false,
    failSwapOn: false,
    oomScoreAdj: 0,
    // The disk and the memory are those of a machine where others work, too.
    evictionHard: { "memory.available": "100Mi", "nodefs.available": "1%", "imagefs.available": "1%" },
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
    podLogsDir: join(folder, "logs"),
    volumePluginDir: join(folder, "plugins"),
  };
}

function proxySettings(kubeconfig: string): object {
  return {
    apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
    kind: "KubeProxyConfiguration",
    mode: "nftables",
    clientConnection: { kubeconfig },
    clusterCIDR: podRange,
    // The limits of the connection table are the machine's.
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: "0s", tcpCloseWaitTimeout: "0s" },
  };
}

export async function startNodeAgents(node: NodeAgents): Promise<void> {
  const { name, zone, folder, network, program, kubeconfig } = node;
  await writeFile(join(folder, "resolv.conf"), "");
  const start = async (component: string, settings: object, flags: readonly string[], started: RegExp) => {
    const file = join(folder, `${component}.json`);
    await writeFile(file, JSON.stringify(settings));
    const order = network.enter(program, [component, `--config=${file}`, `--hostname-override=${name}`, ...flags]);
    const service = await startService({
      name: `${component} of ${name}`,
      ...order,
      environment: process.env,
      onLine: (line) => process.stdout.write(`${component} ${name}: ${line}\n`),
      waitForReady: ({ untilLine }) => untilLine((line) => started.test(line) || undefined),
    });
    void service.ended.then((how) => process.stdout.write(`${component} of ${name} ${how}\n`));
  };
  const kubeletFlags = [
    `--kubeconfig=${kubeconfig}`,
    `--root-dir=${join(folder, "kubelet")}`,
    `--cert-dir=${join(folder, "kubelet-keys")}`,
    `--node-ip=${network.address}`,
    `--node-labels=topology.kubernetes.io/zone=${zone}`,
  ];
  await start("kubelet", kubeletSettings(node), kubeletFlags, /Started kubelet/);
  await start("kube-proxy", proxySettings(kubeconfig), [], /Caches are synced/);
}
