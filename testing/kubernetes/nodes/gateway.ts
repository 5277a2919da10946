/**
 * The way into the cluster's network from outside: a socket in a folder, because files are seen in every network
 * namespace. A connection names its target in a first line, as "10.96.3.4:80", and is then a connection to it.
 */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";

const socketPath = (folder: string) => join(folder, "gateway.sock");

/** Hands on what either side sends, also after the other has finished; when one breaks, so does the other. */
function joinSockets(left: Socket, right: Socket): void {
  for (const [from, to] of [
    [left, right],
    [right, left],
  ] as const) {
    from.pipe(to);
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroySoon());
  }
}

/** Inside the cluster's network namespace. */
export async function startGateway(folder: string): Promise<void> {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    client.once("data", (first: Buffer) => {
      client.pause();
      const lineEnd = first.indexOf("\n");
      const [host, port] = first.toString("latin1", 0, lineEnd).split(":");
      const target = connect({ host: host!, port: Number(port), allowHalfOpen: true });
      target.on("error", ({ message }) => process.stdout.write(`gateway: ${host}:${port}: ${message}\n`));
      target.write(first.subarray(lineEnd + 1));
      joinSockets(client, target);
    });
    client.on("error", () => {});
  });
  server.listen(socketPath(folder));
  await once(server, "listening");
}

export interface ForwardedPort {
  /** On this machine's loopback. */
  readonly port: number;
  stop(): Promise<void>;
}

/** Outside: a port of this machine whose connections go to `target`, as `kubectl port-forward` makes. */
export async function forwardPort(folder: string, target: () => string): Promise<ForwardedPort> {
  const clients = new Set<{ destroy(): void }>();
  const server: Server = createServer({ allowHalfOpen: true }, (client) => {
    clients.add(client);
    client.on("close", () => clients.delete(client));
    const way = connect({ path: socketPath(folder), allowHalfOpen: true });
    way.write(`${target()}\n`);
    joinSockets(client, way);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as { port: number }).port,
    async stop() {
      for (const client of clients) client.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
