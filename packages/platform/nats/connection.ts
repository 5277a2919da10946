import { connect, type NatsConnection } from "@nats-io/transport-node";

export interface NatsSettings {
  /** Comma-separated, `nats://host:port`. */
  readonly url: string;
  /** Shown by the server's monitoring: the process's name. */
  readonly name: string;
}

/** A connection that never gives up: the log outlives any outage, and so do the processes that follow it. */
export async function connectNats({ url, name }: NatsSettings): Promise<NatsConnection> {
  return await connect({
    servers: url.split(","),
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    waitOnFirstConnect: true,
    // Each request would otherwise build two errors with their stacks, in case it fails: a tenth of an accept's CPU.
    noAsyncTraces: true,
    pingInterval: 10_000,
    maxPingOut: 2,
  });
}
