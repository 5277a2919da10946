/** The Redis client for what processes share and may lose: rate limits and last-used times. */
import { once } from "node:events";
import { createClient, type RedisClientType } from "@keyv/redis";

export type RedisClient = RedisClientType;

/** Pending commands of a server that hangs; further ones fail at once. */
const pendingCommandsMax = 1_000;
const reconnectMsMax = 2_000;
/** A process starts without Redis when it is not there by then. */
const firstConnectTimeoutMs = 2_000;

/** While Redis is away every command fails at once, and the client reconnects by itself. */
export async function connectRedis(url: string): Promise<RedisClient> {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: pendingCommandsMax,
    socket: { reconnectStrategy: (tries: number) => Math.min(reconnectMsMax, 50 * 2 ** Math.min(tries, 10)) },
  }) as RedisClientType;
  // Without a listener an error would end the process; each command reports its own.
  client.on("error", () => {});
  const ready = once(client, "ready", { signal: AbortSignal.timeout(firstConnectTimeoutMs) });
  client.connect().catch(() => {});
  await ready.catch(() => {});
  return client;
}
