import type { NatsConnection } from "@nats-io/transport-node";

export interface ConnectionWatch {
  /** False from the loss of the connection until it is there again. The client reconnects forever. */
  isConnected(): boolean;
  /** Returns a function that removes the listener. */
  onDisconnect(listener: () => void): () => void;
  /** The same, whenever the connection is there again. */
  onReconnect(listener: () => void): () => void;
}

const watches = new WeakMap<NatsConnection, ConnectionWatch>();

/** One watch for each connection: the client keeps an iterator over its status until the connection is closed. */
export function watchConnection(connection: NatsConnection): ConnectionWatch {
  const known = watches.get(connection);
  if (known !== undefined) return known;
  const listeners = { disconnect: new Set<() => void>(), reconnect: new Set<() => void>() };
  let isConnected = true;

  async function follow(): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type !== "disconnect" && type !== "reconnect") continue;
      isConnected = type === "reconnect";
      for (const listener of [...listeners[type]]) listener();
    }
  }
  void follow();

  const add = (type: keyof typeof listeners) => (listener: () => void) => {
    listeners[type].add(listener);
    return () => void listeners[type].delete(listener);
  };
  const watch: ConnectionWatch = {
    isConnected: () => isConnected && !connection.isClosed(),
    onDisconnect: add("disconnect"),
    onReconnect: add("reconnect"),
  };
  watches.set(connection, watch);
  return watch;
}
