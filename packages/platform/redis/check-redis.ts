/** Whether a Redis can be used, tried as API processes use it; for `packshot doctor`. */
import { randomUUID } from "node:crypto";
import { redisVersionMin } from "../config/backend-settings.ts";
import { createRedisClient, type RedisClient } from "./redis.ts";
import { addressOf, type RedisSettings } from "./redis-settings.ts";
import { countScript } from "./window-counts.ts";

export interface RedisFinding {
  readonly state: "ok" | "warning" | "fault";
  readonly message: string;
}

const timeoutMs = 3_000;

export async function checkRedis(settings: RedisSettings): Promise<RedisFinding> {
  const address = addressOf(settings);
  const over = Promise.withResolvers<never>();
  over.promise.catch(() => {});
  const timer = setTimeout(() => over.reject(new Error(`it did not answer within ${timeoutMs / 1000} s`)), timeoutMs);
  let client: RedisClient | undefined;
  try {
    client = createRedisClient(settings);
    client.on("error", (error: Error) => over.reject(error));
    await Promise.race([client.connect(), over.promise]);
    return await Promise.race([tryOut(client, address), over.promise]);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const hint = hints.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1] ?? "rates are counted per process";
    return { state: "fault", message: `${address} cannot be used (${message || code}): ${hint}` };
  } finally {
    clearTimeout(timer);
    if (client?.isOpen) client.destroy();
  }
}

const hints: readonly (readonly [RegExp, string])[] = [
  [/WRONGPASS|NOAUTH|invalid password|without any password/i, "check PACKSHOT_REDIS_USER and its password"],
  [/NOPERM/i, "the user lacks rights; docs/operations.md lists them"],
  [/CERT|self.signed|unable to verify|altnames/i, "check PACKSHOT_REDIS_TLS_CA_FILE and the name in the address"],
  [/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|did not answer/i, "check PACKSHOT_REDIS_URL and that Redis runs there"],
];

export function isTooOld(version: string): boolean {
  return Number(version.split(".")[0]) < redisVersionMin;
}

/** Each command that API processes send. */
async function tryOut(client: RedisClient, address: string): Promise<RedisFinding> {
  const beganMs = performance.now();
  await client.ping();
  const roundTripMs = Math.round(10 * (performance.now() - beganMs)) / 10;
  await client.eval(countScript, {
    keys: [`counts:doctor:${randomUUID()}`],
    arguments: ["1", "10", "0", "", "doctor"],
  });
  const key = `last-used::doctor:${randomUUID()}`;
  await client.set(key, "1", { PX: 1_000 });
  await client.get(key);
  // A user of its own may not ask for it.
  const info = await client.info().catch(() => "");
  const read = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1];
  const version = read("valkey_version") ?? read("redis_version");
  const found = `${address} ${version === undefined ? "answers" : `(version ${version}) answers`} in ${roundTripMs} ms`;
  if (version !== undefined && isTooOld(version))
    return { state: "warning", message: `${found}: Packshot is tested with version ${redisVersionMin} and newer` };
  if (read("maxmemory_policy") === "noeviction" && read("maxmemory") !== "0")
    return {
      state: "warning",
      message: `${found}; when it is full it refuses to count: set maxmemory-policy allkeys-lru`,
    };
  return { state: "ok", message: found };
}
