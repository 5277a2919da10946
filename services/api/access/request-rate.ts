/** Limits the requests of the one holder of a token. */
import { PackshotError } from "@packshot/domain/errors.ts";
import type { WindowCounts } from "@packshot/platform/redis/window-counts.ts";

const windowSeconds = 60;
const key = "operator-requests";

export interface RequestRateDeps {
  readonly counts: WindowCounts;
  readonly perMinuteMax: number;
}

/** Counts a request. The function throws `rate_limit_exceeded` beyond `perMinuteMax`. */
export function createRequestRate({ counts, perMinuteMax }: RequestRateDeps): () => Promise<undefined> {
  return async () => {
    const { total, endsInMs } = await counts.add(key, 1, windowSeconds);
    if (total <= perMinuteMax) return;
    const retryAfterSeconds = Math.max(1, Math.ceil(endsInMs / 1000));
    throw new PackshotError(
      "rate_limit_exceeded",
      `The operator's token may be used ${perMinuteMax} times a minute; try again in ${retryAfterSeconds} s.`,
      { retryAfterSeconds },
    );
  };
}
