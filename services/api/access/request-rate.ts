/** Limits the requests of one holder of a token. Each process counts alone, in memory. */
import { PackshotError } from "@packshot/domain/errors.ts";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

const windowSeconds = 60;
const key = "requests";

/** Counts a request. The function throws `rate_limit_exceeded` beyond `perMinuteMax`. */
export function createRequestRate({ perMinuteMax }: { perMinuteMax: number }): () => Promise<undefined> {
  const requests = new RateLimiterMemory({ points: perMinuteMax, duration: windowSeconds });
  return async () => {
    try {
      await requests.consume(key);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const retryAfterSeconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      throw new PackshotError(
        "rate_limit_exceeded",
        `The operator's token may be used ${perMinuteMax} times a minute; try again in ${retryAfterSeconds} s.`,
        { retryAfterSeconds },
      );
    }
  };
}
