import { connect, type NatsConnection } from "@nats-io/transport-node";

export interface NatsSettings {
  /** Comma-separated, `nats://host:port`. */
  readonly url: string;
  /** The process's name, which the server's monitoring shows. */
  readonly name: string;
}

/** A connection that reconnects forever: a process outlasts any outage of the log. */
export async function connectNats({ url, name }: NatsSettings): Promise<NatsConnection> {
  return await connect({
    servers: url.split(","),
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    waitOnFirstConnect: true,
    // Otherwise each request builds two errors with stacks in case it fails, a tenth of the CPU time of an accept.
    noAsyncTraces: true,
    pingInterval: 10_000,
    maxPingOut: 2,
  });
}
