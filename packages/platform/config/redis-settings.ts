/** Settings of the Redis that API processes share. */
import { integer, optionalText, type Row } from "./setting-rows.ts";

/** With a path: a Redis has numbered databases. */
function optionalRedisAddress(doc: string): Row<string | undefined> {
  return {
    ...optionalText(doc),
    parse(value) {
      if (!/^rediss?:$/.test(URL.parse(value)?.protocol ?? ""))
        throw new Error("must be an address like redis://redis.example:6379, or rediss:// with TLS");
      return value;
    },
  };
}

export const redisSettings = {
  PACKSHOT_REDIS_URL: optionalRedisAddress(
    "Redis (7 or newer) or Valkey in which API processes count rates together and keep last-used times: `redis://[user:password@]host:port[/database]`, or `rediss://` with TLS. Without it, and while it does not answer, each process counts alone.",
  ),
  PACKSHOT_REDIS_USER: optionalText("Its ACL user, if the address names none ([rights](operations.md#redis))."),
  PACKSHOT_REDIS_PASSWORD: {
    ...optionalText("Its password, if it stands neither in the address nor in a file."),
    secret: true,
  },
  PACKSHOT_REDIS_PASSWORD_FILE: optionalText(
    "File with the password, read again at each connection, so that it can be replaced while processes run.",
  ),
  PACKSHOT_REDIS_TLS_CA_FILE: optionalText("PEM file with the CA that signed Redis' certificate, if it is your own."),
  PACKSHOT_REDIS_TIMEOUT_MS: integer(
    50,
    5,
    10_000,
    "How long a request waits for Redis before the process counts it alone.",
  ),
} as const;
