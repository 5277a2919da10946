/**
 * Requests per hour and account, in windows of the clock's hour. Kept in Keyv: shared between processes with Redis
 * (then nearly exact: each tells the others ten times a second), else exact in each process on its own.
 */
import type { Account } from "@packshot/domain/account.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { Keyv } from "keyv";

const hourMs = 3_600_000;
const readsPerCreation = 10;
const loadTimeoutMs = 500;
/** So far behind may the processes' knowledge of each other be. */
const syncEveryMs = 100;
const countsMax = 20_000;

export type RateLimit = (
  account: Account,
  kind: "creating" | "reading",
) => Promise<{ headers: Record<string, string>; refused: PackshotError | undefined }>;

interface Count {
  /** Requests of other processes, as the store told last. */
  others: number;
  /** Own requests, and how many of them the store knows of. */
  issued: number;
  synced: number;
  loaded: Promise<void>;
  isSyncDue: boolean;
}

export function createRateLimit({ keyv, nowMs }: { keyv: Keyv; nowMs: () => number }): RateLimit {
  const counts = new Map<string, Count>();

  async function sync(name: string, count: Count, restMs: number): Promise<void> {
    const { issued } = count;
    const stored = (await keyv.get<number>(name)) ?? 0;
    // A store that is away finds nothing and keeps nothing: what it does not know of is told again.
    if (!(await keyv.set(name, stored + issued - count.synced, restMs + 60_000))) return;
    count.others = Math.max(0, stored - count.synced);
    count.synced = issued;
  }

  function countOf(name: string): Count {
    const known = counts.get(name);
    if (known !== undefined) return known;
    const count: Count = { others: 0, issued: 0, synced: 0, loaded: Promise.resolve(), isSyncDue: false };
    const load = keyv.get<number>(name).then((stored) => {
      count.others = Math.max(count.others, stored ?? 0);
    });
    // A store that fails or hangs must not stop the service: it is then counted here alone.
    const late = new Promise<void>((resolve) => setTimeout(resolve, loadTimeoutMs).unref());
    count.loaded = Promise.race([load.catch(() => {}), late]);
    counts.set(name, count);
    // Those of hours past go first.
    if (counts.size > countsMax) counts.delete(counts.keys().next().value!);
    return count;
  }

  async function countOne(name: string, restMs: number): Promise<number> {
    const count = countOf(name);
    count.issued += 1;
    const own = count.issued;
    if (!count.isSyncDue) {
      count.isSyncDue = true;
      const again = () => {
        count.isSyncDue = false;
      };
      setTimeout(() => void sync(name, count, restMs).then(again, again), syncEveryMs).unref();
    }
    await count.loaded;
    return count.others + own;
  }

  return async (account, kind) => {
    const quota = account.limits.rateLimitPerHour * (kind === "creating" ? 1 : readsPerCreation);
    const now = nowMs();
    const window = Math.floor(now / hourMs);
    const restMs = (window + 1) * hourMs - now;
    const restSeconds = Math.ceil(restMs / 1000);
    const count = await countOne(`rate:${account.accountId}:${kind}:${window}`, restMs);
    const headers: Record<string, string> = {
      "RateLimit-Policy": `"${kind}";q=${quota};w=3600`,
      RateLimit: `"${kind}";r=${Math.max(0, quota - count)};t=${restSeconds}`,
    };
    if (count <= quota) return { headers, refused: undefined };
    const refused = new PackshotError(
      "rate_limit_exceeded",
      `The plan allows ${quota} ${kind} requests an hour; come back in ${restSeconds} s.`,
    );
    return { headers: { ...headers, "Retry-After": String(restSeconds) }, refused };
  };
}
