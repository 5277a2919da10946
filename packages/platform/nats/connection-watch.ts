import type { NatsConnection } from "@nats-io/transport-node";

export interface ConnectionWatch {
  /** False from the loss of the connection until it is there again. The client reconnects forever. */
  isConnected(): boolean;
  /** Returns a function that removes the listener. */
  onDisconnect(listener: () => void): () => void;
}

const watches = new WeakMap<NatsConnection, ConnectionWatch>();

/** One watch for each connection: the client keeps an iterator over its status until the connection is closed. */
export function watchConnection(connection: NatsConnection): ConnectionWatch {
  const known = watches.get(connection);
  if (known !== undefined) return known;
  const listeners = new Set<() => void>();
  let isConnected = true;

  async function follow(): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === "reconnect") isConnected = true;
      if (type !== "disconnect") continue;
      isConnected = false;
      for (const listener of [...listeners]) listener();
    }
  }
  void follow();

  const watch: ConnectionWatch = {
    isConnected: () => isConnected && !connection.isClosed(),
    onDisconnect(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  watches.set(connection, watch);
  return watch;
}
