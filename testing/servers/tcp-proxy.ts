/** A TCP proxy before a server, for tests of what happens when a connection breaks or stands still. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface TcpProxy {
  readonly port: number;
  stop(): void;
}

export interface TcpProxyOptions {
  /** The server's port, on this machine. */
  readonly port: number;
  /** Awaited before each part is passed on; false: the connection breaks instead. */
  readonly onData: (data: Buffer, from: "client" | "server") => Promise<boolean> | boolean;
}

export async function startTcpProxy({ port, onData }: TcpProxyOptions): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    const breakOff = () => {
      for (const socket of [client, upstream]) {
        sockets.delete(socket);
        socket.destroy();
      }
    };
    const pass = async (from: "client" | "server") => {
      const [source, sink] = from === "client" ? [client, upstream] : [upstream, client];
      for await (const data of source as AsyncIterable<Buffer>) {
        if (!(await onData(data, from))) return;
        sink.write(data);
      }
    };
    for (const socket of [client, upstream]) sockets.add(socket.on("error", breakOff));
    for (const from of ["client", "server"] as const) void pass(from).then(breakOff, breakOff);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as { readonly port: number }).port,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
