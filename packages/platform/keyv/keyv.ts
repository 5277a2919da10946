/** What may be lost: rates and last-used times. Shared between processes with Redis, else each has its own. */
import KeyvRedis from "@keyv/redis";
import { Keyv } from "keyv";

/** Asked of a server that hangs; what comes beyond is refused at once. */
const commandsMax = 1_000;
const reconnectMsMax = 2_000;

/** While Redis is away nothing waits for it: `get` finds nothing, `set` answers false. */
export function createKeyv({ redisUrl, namespace }: { redisUrl: string | undefined; namespace: string }): Keyv {
  if (redisUrl === undefined) return new Keyv({ store: new ExpiringMap(), namespace });
  const store = new KeyvRedis(
    {
      url: redisUrl,
      disableOfflineQueue: true,
      commandsQueueMaxLength: commandsMax,
      socket: { reconnectStrategy: (tries: number) => Math.min(reconnectMsMax, 50 * 2 ** Math.min(tries, 10)) },
    },
    { throwOnConnectError: false, throwOnErrors: true },
  );
  // Now, and by nobody who needs an answer: the first to ask would wait until there is a server.
  store.getClient().catch(() => {});
  return new Keyv({ store, namespace, useKeyPrefix: false });
}

const sweepSizeMin = 1_000;

/** Keyv ends an entry when it is read; the count of an hour that is over is never read again, and would stay. */
class ExpiringMap extends Map<string, string> {
  sweepSize = sweepSizeMin;

  override set(key: string, value: string): this {
    super.set(key, value);
    if (this.size >= this.sweepSize) {
      const now = Date.now();
      for (const [name, text] of this) {
        const { expires } = JSON.parse(text) as { expires?: number };
        if (expires !== undefined && expires < now) this.delete(name);
      }
      // Twice what lives: a sweep costs each entry little, however many there are.
      this.sweepSize = Math.max(sweepSizeMin, 2 * this.size);
    }
    return this;
  }
}
