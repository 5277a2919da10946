/**
 * The cluster's network: every pod has a network namespace with an address of its own, as it has in Kubernetes, so that
 * several may listen on the same port of 0.0.0.0. A bridge joins them. It lies in the network namespace of the cluster,
 * so nothing of it is visible on the machine.
 */
import { mkdir } from "node:fs/promises";
import { runCommand } from "./run-command.ts";

export const gatewayAddress = "10.244.0.1";
export const namesAddress = "10.96.0.10";
const bridge = "pods";
const podsMax = 200 * 250;

export interface PodLink {
  readonly address: string;
  /** The file by which `nsenter --net` enters it. */
  readonly namespacePath: string;
  remove(): Promise<void>;
}

export interface PodNetwork {
  add(): Promise<PodLink>;
}

/** Changes the network namespace of this process: see start-cluster.ts. */
export async function createPodNetwork(): Promise<PodNetwork> {
  await runCommand("ip", "link", "set", "lo", "up");
  // `ip netns` keeps the namespaces in files there; /run itself may belong to another user.
  await runCommand("mount", "-t", "tmpfs", "tmpfs", "/run");
  await mkdir("/run/netns");
  await runCommand("ip", "link", "add", bridge, "type", "bridge");
  await runCommand("ip", "addr", "add", `${gatewayAddress}/16`, "dev", bridge);
  await runCommand("ip", "link", "set", bridge, "up");
  let count = 0;

  return {
    async add() {
      const number = count++ % podsMax;
      const address = `10.244.${1 + Math.floor(number / 250)}.${1 + (number % 250)}`;
      const name = `pod-${number}`;
      const link = `veth${number}`;
      await runCommand("ip", "netns", "add", name);
      await runCommand("ip", "link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", name);
      await runCommand("ip", "link", "set", link, "master", bridge, "up");
      const inPod = (...args: readonly string[]) => runCommand("ip", "-n", name, ...args);
      await inPod("addr", "add", `${address}/16`, "dev", "eth0");
      await inPod("link", "set", "lo", "up");
      await inPod("link", "set", "eth0", "up");
      await inPod("route", "add", "default", "via", gatewayAddress);
      return {
        address,
        namespacePath: `/run/netns/${name}`,
        async remove() {
          await runCommand("ip", "netns", "delete", name);
        },
      };
    },
  };
}
