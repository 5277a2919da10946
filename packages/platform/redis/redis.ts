/**
 * Redis as a process uses it: slow or away, it costs a request at most one short wait, and while it is known to be away
 * none. Callers keep a value of their own for that time.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createClient, type RedisClientType } from "@keyv/redis";
import { ErrorReply } from "@redis/client";
import { jitteredBackoffMs } from "../flow/pause.ts";
import type { Component } from "../lifecycle/component.ts";
import type { Logger } from "../telemetry/logger.ts";
import { RedisAway, type RedisMetrics } from "./redis-metrics.ts";
import { addressOf, type RedisSettings } from "./redis-settings.ts";

export interface Redis extends Component {
  readonly client: RedisClient;
  /** Runs commands of `client`. Rejects with `RedisAway`: at once while Redis is away, else within the timeout. */
  call<T>(command: () => Promise<T>): Promise<T>;
  /** Changes with each connection: Redis may have lost everything in between. */
  connectionNumber(): number;
  /** Why it is away, in a few words; undefined while it answers. */
  problem(): string | undefined;
  /** `listener` is told each time that Redis answers again. */
  onBack(listener: () => void): void;
}

export interface RedisDeps {
  readonly settings: RedisSettings;
  /** Per call. */
  readonly timeoutMs: number;
  readonly metrics: RedisMetrics;
  readonly logger: Logger;
}

/** A process starts without Redis when it is not there by then. */
const firstConnectTimeoutMs = 2_000;
/** Without calls, an outage is noticed by this; it also keeps an idle connection from being taken for a dead one. */
const checkEveryMs = 1_000;
const sayEveryMs = 10_000;
/** After a timeout nothing is sent for so long, twice as long after each further one, up to the second number. */
const openMsMin = 100;
const openMsMax = 5_000;

export function createRedis({ settings, timeoutMs, metrics, logger }: RedisDeps): Redis {
  const client = createRedisClient(settings);
  const listeners: (() => void)[] = [];
  let connectionNumber = 0;
  /** Open: Redis has not answered in time, and is not asked until it has answered a probe. */
  let isOpen = false;
  let openMs = openMsMin;
  let closedAtMs = 0;
  let fault: string | undefined;
  /** When the last line was logged that said that Redis is away. */
  let saidAtMs = Number.NEGATIVE_INFINITY;
  let wasSaidAway = false;
  let check: NodeJS.Timeout | undefined;

  function setFault(reason: string | undefined): void {
    if (reason === undefined) {
      if (wasSaidAway) logger.info({ redis: addressOf(settings) }, "Redis is back");
      wasSaidAway = false;
    } else if (!wasSaidAway && performance.now() - saidAtMs > sayEveryMs) {
      // One that answers now and then would fill the log.
      logger.warn({ reason, redis: addressOf(settings) }, "Redis is away: this process counts rates alone");
      wasSaidAway = true;
      saidAtMs = performance.now();
    }
    fault = reason;
    metrics.setAway(reason !== undefined);
  }

  function close(): void {
    isOpen = false;
    closedAtMs = performance.now();
    setFault(undefined);
    for (const listener of listeners) listener();
  }

  /** Redis answers in order: when it answers the probe it has also run what came before. */
  function open(): void {
    if (isOpen) return;
    isOpen = true;
    openMs = performance.now() - closedAtMs < 10 * openMs ? Math.min(openMsMax, 2 * openMs) : openMsMin;
    setFault(`no answer within ${timeoutMs} ms`);
    const probed = connectionNumber;
    const closesAtMs = performance.now() + openMs;
    client.ping().then(
      () => {
        const closeIfSame = () => isOpen && probed === connectionNumber && close();
        setTimeout(closeIfSame, Math.max(0, closesAtMs - performance.now())).unref();
      },
      () => {},
    );
  }

  client.on("ready", () => {
    connectionNumber += 1;
    close();
  });
  // Without a listener an error would end the process; each command reports its own.
  client.on("error", (error: Error) => setFault(error.message || error.name));

  async function call<T>(command: () => Promise<T>): Promise<T> {
    try {
      if (isOpen || !client.isReady) throw new RedisAway("away", false);
      const result = await inTime(command());
      // A connection alone says nothing of a Redis that refused the last command.
      if (fault !== undefined) setFault(undefined);
      return result;
    } catch (error) {
      const away = toRedisAway(error);
      metrics.onFallback(away.reason);
      if (away.reason === "timeout") open();
      if (away.reason === "refused") setFault((error as Error).message);
      throw away;
    }
  }

  /**
   * Where the event loop was busy, a timer fires before the answer is read that has long arrived: the answer has one more
   * turn of the loop.
   */
  async function inTime<T>(answer: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => setImmediate(() => late.reject(new RedisAway("timeout", true))), timeoutMs);
    try {
      return await Promise.race([answer, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  async function checkNow(): Promise<void> {
    if (isOpen || !client.isReady) return;
    await inTime(client.ping()).catch((error: unknown) => {
      if (toRedisAway(error).reason === "timeout") open();
    });
  }

  return {
    name: "redis",
    client,
    call,
    connectionNumber: () => connectionNumber,
    problem: () => fault,
    onBack: (listener) => void listeners.push(listener),
    async start() {
      const ready = once(client, "ready", { signal: AbortSignal.timeout(firstConnectTimeoutMs) });
      client.connect().catch(() => {});
      await ready.catch(() => setFault("it did not answer at the start"));
      check = setInterval(() => void checkNow(), checkEveryMs);
    },
    async stop() {
      clearInterval(check);
      if (client.isOpen) client.destroy();
    },
  };
}

function toRedisAway(error: unknown): RedisAway {
  if (error instanceof RedisAway) return error;
  if (error instanceof ErrorReply) return new RedisAway("refused", false, error);
  // The connection broke, perhaps after Redis had the command.
  return new RedisAway("away", true, error);
}

/** The Redis client for what processes share and may lose: rates and last-used times. */
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
              username,
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
