/** The cluster's DNS: services by their cluster address, headless services and their pods by the addresses of pods. */
import type { Endpoint, EndpointSlice } from "kubernetes-types/discovery/v1.d.ts";
import { type Answer, startNameServer } from "../../servers/name-server.ts";
import { namesAddress } from "./pod-network.ts";
import { runCommand } from "./run-command.ts";
import type { ClusterServices } from "./service-proxy.ts";

const domain = "svc.cluster.local";

/** What a pod's /etc/resolv.conf says. */
export const resolverSettings = (namespace: string): string =>
  `search ${namespace}.${domain} ${domain} cluster.local\nnameserver ${namesAddress}\noptions ndots:5\n`;

export async function startClusterNames(cluster: ClusterServices): Promise<void> {
  await runCommand("ip", "addr", "add", `${namesAddress}/32`, "dev", "lo");
  await startNameServer(({ name, answer }) => answer(lookUp(cluster, name)), { host: namesAddress, port: 53 });
}

function lookUp({ services, slices }: ClusterServices, name: string): Answer {
  if (!name.endsWith(`.${domain}`)) return "no such name";
  const labels = name.slice(0, -domain.length - 1).split(".");
  if (labels.length < 2 || labels.length > 3) return "no such name";
  const [namespace, serviceName, hostname] = labels.reverse() as [string, string, string?];
  const service = services.get(namespace, serviceName);
  if (service === undefined) return "no such name";
  const address = service.spec!.clusterIP!;
  if (address !== "None") return hostname === undefined ? [address] : "no such name";
  const includesUnready = service.spec!.publishNotReadyAddresses === true;
  const addresses = endpointsOf(slices.all(), namespace, serviceName)
    .filter(({ conditions }) => includesUnready || conditions?.ready !== false)
    .filter((endpoint) => hostname === undefined || endpoint.hostname === hostname)
    .flatMap((endpoint) => endpoint.addresses);
  return addresses.length === 0 ? "no such name" : addresses;
}

function endpointsOf(slices: readonly EndpointSlice[], namespace: string, service: string): readonly Endpoint[] {
  return slices
    .filter(({ metadata }) => metadata!.namespace === namespace)
    .filter(({ metadata }) => metadata!.labels?.["kubernetes.io/service-name"] === service)
    .flatMap(({ endpoints }) => endpoints ?? []);
}
