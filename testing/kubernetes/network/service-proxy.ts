/**
 * Services' cluster addresses. Each connection to one goes on to a ready endpoint, chosen at random: what kube-proxy did
 * before it wrote rules for the kernel. A service without a ready endpoint refuses connections.
 */
import { connect, createServer, type Server, type Socket } from "node:net";
import type { Service, ServicePort } from "kubernetes-types/core/v1.d.ts";
import type { EndpointSlice } from "kubernetes-types/discovery/v1.d.ts";
import type { WatchedObjects } from "../api/watched-objects.ts";
import { joinSockets } from "./join-sockets.ts";
import { runCommand } from "./run-command.ts";

export interface ClusterServices {
  readonly services: WatchedObjects<Service>;
  readonly slices: WatchedObjects<EndpointSlice>;
}

/** Addresses and ports of a service's ready endpoints. */
function readyEndpoints(
  slices: readonly EndpointSlice[],
  service: Service,
  portName: string,
): readonly { readonly host: string; readonly port: number }[] {
  const { namespace, name } = service.metadata!;
  return slices
    .filter(
      ({ metadata }) => metadata!.namespace === namespace && metadata!.labels?.["kubernetes.io/service-name"] === name,
    )
    .flatMap(({ endpoints, ports }) => {
      const port = ports?.find((candidate) => (candidate.name ?? "") === portName)?.port;
      // The API server writes null for none, whatever its types say.
      const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
      return port === undefined ? [] : ready.flatMap(({ addresses }) => addresses.map((host) => ({ host, port })));
    });
}

export function startServiceProxy({ services, slices }: ClusterServices): void {
  const listeners = new Map<string, Server>();
  const addresses = new Set<string>();

  function forward(client: Socket, service: Service, portName: string): void {
    const candidates = readyEndpoints(slices.all(), service, portName);
    const endpoint = candidates[Math.floor(Math.random() * candidates.length)];
    if (endpoint === undefined) return void client.resetAndDestroy();
    const server = connect({ ...endpoint, allowHalfOpen: true });
    joinSockets(client, server);
  }

  async function listen(service: Service, port: ServicePort, address: string): Promise<void> {
    const key = `${address}:${port.port}`;
    if (listeners.has(key) || (port.protocol ?? "TCP") !== "TCP") return;
    const server = createServer({ allowHalfOpen: true }, (client) => forward(client, service, port.name ?? ""));
    listeners.set(key, server);
    if (!addresses.has(address)) {
      addresses.add(address);
      await runCommand("ip", "addr", "add", `${address}/32`, "dev", "lo");
    }
    server.on("error", (error) => process.stdout.write(`service ${service.metadata!.name}: ${error.message}\n`));
    server.listen(port.port, address);
  }

  services.onChange((service, change) => {
    const { clusterIP, ports = [] } = service.spec!;
    if (clusterIP === undefined || clusterIP === "None") return;
    const wanted = new Set(change === "set" ? ports.map(({ port }) => `${clusterIP}:${port}`) : []);
    for (const [key, server] of listeners) {
      if (!key.startsWith(`${clusterIP}:`) || wanted.has(key)) continue;
      listeners.delete(key);
      server.close();
    }
    if (change === "set") for (const port of ports) void listen(service, port, clusterIP);
  });
}
