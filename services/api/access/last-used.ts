import type { Keyv } from "keyv";

const noteIntervalMs = 60_000;
const notedMax = 20_000;
const storedForMs = 400 * 24 * 3600 * 1000;
const readTimeoutMs = 500;

export interface LastUsed {
  note(keyId: string): void;
}

/** Notes when a key was last used, to the minute. A note may be lost: no request waits for the store. */
export function createLastUsed({ keyv, nowMs }: { keyv: Keyv; nowMs: () => number }): LastUsed {
  const noted = new Map<string, number>();
  return {
    note(keyId: string): void {
      const now = nowMs();
      if (now - (noted.get(keyId) ?? 0) < noteIntervalMs) return;
      if (noted.size >= notedMax) noted.clear();
      noted.set(keyId, now);
      keyv.set(keyId, new Date(now).toISOString(), storedForMs).catch(() => {});
    },
  };
}

/**
 * Returns null when the key was never used, and when the store does not answer in time: the response to a new key shows
 * its secret once, and must not fail because of this store.
 */
export async function readLastUsed(keyv: Keyv, keyId: string): Promise<string | null> {
  const timeout = Promise.withResolvers<null>();
  const timer = setTimeout(() => timeout.resolve(null), readTimeoutMs);
  const lastUsedAt = await Promise.race([keyv.get<string>(keyId).catch(() => null), timeout.promise]);
  clearTimeout(timer);
  return lastUsedAt ?? null;
}
