/** What may be lost: rates and last-used times. Shared between processes with Redis, else each has its own. */
import KeyvRedis from "@keyv/redis";
import { Keyv } from "keyv";

export function createKeyv({ redisUrl, namespace }: { redisUrl: string | undefined; namespace: string }): Keyv {
  if (redisUrl === undefined) return new Keyv({ namespace });
  return new Keyv({ store: new KeyvRedis(redisUrl, { throwOnConnectError: false }), namespace, useKeyPrefix: false });
}
