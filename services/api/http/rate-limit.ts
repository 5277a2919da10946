/**
 * Requests per hour and account, in windows of the clock's hour. Kept in Keyv: shared between processes with Redis
 * (then nearly exact: two processes may count at once), else exact in each process on its own.
 */
import type { Account } from "@packshot/domain/account.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { Keyv } from "keyv";

const hourMs = 3_600_000;
const readsPerCreation = 10;
const storeTimeoutMs = 500;

export type RateLimit = (
  account: Account,
  kind: "creating" | "reading",
) => Promise<{ headers: Record<string, string>; refused: PackshotError | undefined }>;

export function createRateLimit({ keyv, nowMs }: { keyv: Keyv; nowMs: () => number }): RateLimit {
  const turns = new Map<string, Promise<unknown>>();

  async function countOne(name: string, restMs: number): Promise<number> {
    const before = (turns.get(name) ?? Promise.resolve()) as Promise<unknown>;
    const turn = before.then(async () => {
      const count = ((await keyv.get<number>(name)) ?? 0) + 1;
      await keyv.set(name, count, restMs + 60_000);
      return count;
    });
    // A store that fails or hangs must not stop the service: such a request goes uncounted.
    const settled = Promise.race([turn.catch(() => 0), uncountedAfter(storeTimeoutMs)]);
    turns.set(name, settled);
    const count = await settled;
    if (turns.get(name) === settled) turns.delete(name);
    return count;
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

function uncountedAfter(timeoutMs: number): Promise<number> {
  return new Promise((resolve) => setTimeout(resolve, timeoutMs, 0).unref());
}
