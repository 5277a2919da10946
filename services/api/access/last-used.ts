import type { Keyv } from "keyv";

const noteEveryMs = 60_000;
const notedMax = 20_000;
const keptMs = 400 * 24 * 3600 * 1000;
const readTimeoutMs = 500;

/** When a key was last used, to the minute; may be lost. */
export function createLastUsed({ keyv, nowMs }: { keyv: Keyv; nowMs: () => number }) {
  const noted = new Map<string, number>();
  return {
    note(keyId: string): void {
      const now = nowMs();
      if (now - (noted.get(keyId) ?? 0) < noteEveryMs) return;
      if (noted.size >= notedMax) noted.clear();
      noted.set(keyId, now);
      keyv.set(keyId, new Date(now).toISOString(), keptMs).catch(() => {});
    },
  };
}

/** null: never, or the store does not tell in time; a key's secret, which is shown once, must not wait for it. */
export async function readLastUsed(keyv: Keyv, keyId: string): Promise<string | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), readTimeoutMs);
  const found = await Promise.race([keyv.get<string>(keyId).catch(() => null), late.promise]);
  clearTimeout(timer);
  return found ?? null;
}
