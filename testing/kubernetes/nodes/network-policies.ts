/**
 * Network policies as rules of nftables in the network of each node, made anew when a policy, a pod or a namespace changes. Every packet
 * between pods is routed (node-network.ts), so it passes the hook `forward` with the addresses of both pods. Connections of the node
 * itself, as probes are, do not pass it. Policies apply to a pod from when its address is known to the API server.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Namespace, Pod } from "kubernetes-types/core/v1.d.ts";
import type { LabelSelector } from "kubernetes-types/meta/v1.d.ts";
import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from "kubernetes-types/networking/v1.d.ts";
import type { ApiClient } from "../api/api-client.ts";
import { watchObjects } from "../api/watched-objects.ts";
import type { NodeNetwork } from "./node-network.ts";

export interface ClusterPods {
  readonly pods: readonly Pod[];
  readonly namespaces: readonly Namespace[];
  readonly policies: readonly NetworkPolicy[];
}

interface Rule {
  readonly peers: readonly NetworkPolicyPeer[] | undefined;
  readonly ports: readonly NetworkPolicyPort[] | undefined;
}

function matches(selector: LabelSelector, labels: Readonly<Record<string, string>> = {}): boolean {
  if (selector.matchExpressions !== undefined) throw new Error("policies of the tests select by labels alone");
  return Object.entries(selector.matchLabels ?? {}).every(([name, value]) => labels[name] === value);
}

const addressOf = (pod: Pod) => (pod.spec!.hostNetwork === true ? undefined : pod.status?.podIP);

/** What follows an address in a rule of nftables; undefined for a peer that is no IPv4 block. */
function blockOf({ cidr, except = [] }: NonNullable<NetworkPolicyPeer["ipBlock"]>, side: string): string | undefined {
  if (cidr.includes(":")) return undefined;
  const without = except.length === 0 ? "" : ` ip ${side} != { ${except.join(", ")} }`;
  return `ip ${side} ${cidr}${without}`;
}

function peersOf(cluster: ClusterPods, namespace: string, rule: Rule, side: string): readonly string[] {
  if (rule.peers === undefined || rule.peers.length === 0) return [""];
  return rule.peers.flatMap(({ ipBlock, namespaceSelector, podSelector }) => {
    if (ipBlock !== undefined) return blockOf(ipBlock, side) ?? [];
    const inNamespaces = cluster.namespaces.filter(({ metadata }) =>
      namespaceSelector === undefined
        ? metadata!.name === namespace
        : matches(namespaceSelector, metadata!.labels as Record<string, string>),
    );
    const names = new Set(inNamespaces.map(({ metadata }) => metadata!.name));
    const pods = cluster.pods.filter(
      ({ metadata }) => names.has(metadata!.namespace!) && matches(podSelector ?? {}, metadata!.labels),
    );
    const addresses = pods.flatMap((pod) => addressOf(pod) ?? []);
    return addresses.length === 0 ? [] : `ip ${side} { ${addresses.join(", ")} }`;
  });
}

/** A port by its name is one of the pod that is reached. */
function portsOf(rule: Rule, pod: Pod): readonly string[] {
  if (rule.ports === undefined || rule.ports.length === 0) return [""];
  return rule.ports.flatMap(({ port, protocol = "TCP" }) => {
    const containers = [...(pod.spec!.initContainers ?? []), ...pod.spec!.containers];
    const named = containers.flatMap(({ ports = [] }) => ports).find(({ name }) => name === port)?.containerPort;
    const number = typeof port === "number" ? port : named;
    return number === undefined ? [] : `${protocol.toLowerCase()} dport ${number}`;
  });
}

/** Lines of a chain for the pod, or none where no policy selects it in this direction. */
function chainOf(cluster: ClusterPods, pod: Pod, direction: "Ingress" | "Egress"): readonly string[] {
  const namespace = pod.metadata!.namespace!;
  const selected = cluster.policies.filter(
    ({ metadata, spec }) =>
      metadata!.namespace === namespace &&
      matches(spec!.podSelector!, pod.metadata!.labels) &&
      (spec!.policyTypes ?? ["Ingress"]).includes(direction),
  );
  if (selected.length === 0) return [];
  const rules = selected.flatMap(({ spec }): Rule[] =>
    direction === "Ingress"
      ? (spec!.ingress ?? []).map(({ from, ports }) => ({ peers: from, ports }))
      : (spec!.egress ?? []).map(({ to, ports }) => ({ peers: to, ports })),
  );
  const side = direction === "Ingress" ? "saddr" : "daddr";
  const accepted = rules.flatMap((rule) =>
    peersOf(cluster, namespace, rule, side).flatMap((peer) =>
      portsOf(rule, pod).map((port) => [peer, port, "return"].filter((part) => part !== "").join(" ")),
    ),
  );
  return [...new Set(accepted), "drop"];
}

/** A script of nftables that puts all policies in the place of those before, at once. */
export function policyRules(cluster: ClusterPods): string {
  const chains: string[] = [];
  const jumps: string[] = [];
  for (const pod of cluster.pods) {
    const address = addressOf(pod);
    if (address === undefined) continue;
    for (const direction of ["Egress", "Ingress"] as const) {
      const lines = chainOf(cluster, pod, direction);
      if (lines.length === 0) continue;
      const name = `${direction.toLowerCase()}-${address.replaceAll(".", "-")}`;
      chains.push(`chain ${name} {\n${lines.join("\n")}\n}`);
      jumps.push(`ip ${direction === "Egress" ? "saddr" : "daddr"} ${address} jump ${name}`);
    }
  }
  const hook = ["type filter hook forward priority 0; policy accept;", "ct state established,related accept"];
  const forward = `chain forward {\n${[...hook, ...jumps].join("\n")}\n}`;
  const table = "table inet network-policies";
  return `${table}\ndelete ${table}\n${table} {\n${[...chains, forward].join("\n")}\n}\n`;
}

async function apply(node: NodeNetwork, rules: string): Promise<void> {
  const { program, args } = node.enter("nft", ["--file", "-"]);
  const nft = spawn(program, [...args], { stdio: ["pipe", "inherit", "inherit"] });
  nft.stdin.end(rules);
  const [status] = (await once(nft, "exit")) as [number | null];
  if (status !== 0) throw new Error(`nft refused the rules:\n${rules}`);
}

/** Resolves when the policies that there are hold. */
export async function enforcePolicies(
  api: ApiClient,
  nodes: readonly NodeNetwork[],
  signal: AbortSignal,
): Promise<void> {
  const pods = await watchObjects<Pod>(api, "/api/v1/pods", signal);
  const namespaces = await watchObjects<Namespace>(api, "/api/v1/namespaces", signal);
  const policies = await watchObjects<NetworkPolicy>(api, "/apis/networking.k8s.io/v1/networkpolicies", signal);
  const rules = () =>
    policyRules({
      pods: pods.all().filter(({ status }) => status?.phase === "Running" || status?.phase === "Pending"),
      namespaces: namespaces.all(),
      policies: policies.all(),
    });
  let applied = "";
  let turn = Promise.resolve();
  const update = () => {
    turn = turn.then(async () => {
      const wanted = rules();
      if (wanted === applied) return;
      await Promise.all(nodes.map((node) => apply(node, wanted)));
      applied = wanted;
    });
    turn = turn.catch((error: Error) => void process.stdout.write(`network policies: ${error.message}\n`));
    return turn;
  };
  for (const watched of [pods, namespaces, policies]) watched.onChange(() => void update());
  await update();
}
