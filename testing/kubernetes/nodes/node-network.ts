/**
 * The network between nodes: a bridge in the network namespace of the cluster, where the control plane is, and a network
 * namespace for each node with an address there and a range of addresses for its pods. The CNI plugin `ptp` gives each pod
 * a link of its own to its node, so that every packet between pods is routed, and kube-proxy and network policies see it.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "./run-command.ts";

/** Where nodes and pods reach the API server. */
export const controlPlaneAddress = "10.0.0.1";
/** Who is in it is outside of the cluster, as an operator's machine is. */
export const nodeRange = "10.0.0.0/24";
export const podRange = "10.244.0.0/16";
const serviceRange = "10.96.0.0/16";
const bridge = "nodes";

export interface NodeNetwork {
  readonly address: string;
  /** The folder of its CNI configuration. */
  readonly cniFolder: string;
  /** What a program and its arguments become, so that it runs in the node's network. */
  enter(program: string, args: readonly string[]): { readonly program: string; readonly args: readonly string[] };
}

/** Changes the network namespace of this process: see start-nodes.ts. */
export async function createNodeNetworks(names: readonly string[], folder: string): Promise<readonly NodeNetwork[]> {
  await runCommand("ip", "link", "set", "lo", "up");
  await runCommand("mount", "-t", "tmpfs", "tmpfs", "/run");
  await mkdir("/run/netns");
  await runCommand("ip", "link", "add", bridge, "type", "bridge");
  await runCommand("ip", "addr", "add", `${controlPlaneAddress}/24`, "dev", bridge);
  await runCommand("ip", "link", "set", bridge, "up");
  await writeFile("/proc/sys/net/ipv4/ip_forward", "1");
  const nodes = names.map((name, index) => ({
    name,
    address: `10.0.0.${11 + index}`,
    pods: `10.244.${1 + index}.0/24`,
  }));
  for (const { name, address, pods } of nodes) {
    const link = `lan-${name}`;
    await runCommand("ip", "netns", "add", name);
    await runCommand("ip", "link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", name);
    await runCommand("ip", "link", "set", link, "master", bridge, "up");
    await runCommand("ip", "-n", name, "link", "set", "lo", "up");
    await runCommand("ip", "-n", name, "addr", "add", `${address}/24`, "dev", "eth0");
    await runCommand("ip", "-n", name, "link", "set", "eth0", "up");
    await runCommand("ip", "-n", name, "route", "add", "default", "via", controlPlaneAddress);
    const others = nodes.filter((other) => other.name !== name);
    for (const other of others) await runCommand("ip", "-n", name, "route", "add", other.pods, "via", other.address);
    await runCommand("ip", "netns", "exec", name, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward");
    await runCommand("ip", "route", "add", pods, "via", address);
  }
  // From outside, services are reached by the first node, whose kube-proxy knows them.
  await runCommand("ip", "route", "add", serviceRange, "via", nodes[0]!.address);
  return await Promise.all(
    nodes.map(async ({ name, address, pods }) => ({
      address,
      cniFolder: await writeCni(join(folder, name), pods),
      enter: (program, args) => ({ program: "nsenter", args: [`--net=/run/netns/${name}`, program, ...args] }),
    })),
  );
}

async function writeCni(folder: string, pods: string): Promise<string> {
  const cniFolder = join(folder, "cni");
  await mkdir(cniFolder, { recursive: true });
  const ipam = {
    type: "host-local",
    dataDir: join(folder, "addresses"),
    ranges: [[{ subnet: pods }]],
    routes: [{ dst: "0.0.0.0/0" }],
  };
  const network = { cniVersion: "0.3.1", name: "pods", plugins: [{ type: "ptp", ipMasq: false, mtu: 1500, ipam }] };
  await writeFile(join(cniFolder, "10-pods.conflist"), JSON.stringify(network));
  return cniFolder;
}
