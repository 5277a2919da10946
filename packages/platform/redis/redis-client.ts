/** The Redis client for what processes share and may lose: rates and last-used times. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createClient, type RedisClientType } from "@keyv/redis";
import { jitteredBackoffMs } from "../flow/pause.ts";
import type { RedisSettings } from "./redis-settings.ts";

export type RedisClient = RedisClientType;

/** Pending commands of a server that hangs; further ones fail at once. */
const pendingCommandsMax = 1_000;
const reconnectMsMax = 2_000;
const connectTimeoutMs = 2_000;
/** Without any byte in either direction: a server that hangs, or whose machine is gone, is connected to anew. */
const silenceMsMax = 5_000;

/**
 * Not connected yet. Afterwards it reconnects by itself, and while it is not connected every command fails at once.
 * Throws when the file with the CA cannot be read.
 */
export function createRedisClient(settings: RedisSettings): RedisClient {
  const address = new URL(settings.url);
  const given = { user: decodeURIComponent(address.username), password: decodeURIComponent(address.password) };
  address.username = "";
  address.password = "";
  const username = given.user || settings.user;
  const password = given.password || settings.password;
  const { passwordFile, caFile } = settings;
  const client = createClient({
    url: address.href,
    ...(password === undefined && passwordFile === undefined
      ? {}
      : {
          credentialsProvider: {
            type: "async-credentials-provider" as const,
            credentials: async () => ({
              ...(username === undefined ? {} : { username }),
              password: password ?? (await readFile(passwordFile!, "utf8")).trim(),
            }),
          },
        }),
    disableOfflineQueue: true,
    commandsQueueMaxLength: pendingCommandsMax,
    socket: {
      connectTimeout: connectTimeoutMs,
      socketTimeout: silenceMsMax,
      reconnectStrategy: (tries: number) => jitteredBackoffMs(tries + 1, { firstMs: 50, maxMs: reconnectMsMax }),
      ...(address.protocol === "rediss:" && { tls: true as const, ...(caFile && { ca: readFileSync(caFile) }) }),
    },
  }) as RedisClientType;
  return client;
}
