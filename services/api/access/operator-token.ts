import { createHash, timingSafeEqual } from "node:crypto";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { WindowCounts } from "@packshot/platform/redis/window-counts.ts";
import { bearerToken } from "./api-key-secret.ts";
import type { Credentials } from "./caller.ts";
import { createFailedAttempts } from "./failed-attempts.ts";

const failuresPerMinuteMax = 20;

export interface OperatorCheckDeps {
  readonly counts: WindowCounts;
  /** For requests with the right token. */
  readonly requestsPerMinuteMax: number;
}

/**
 * Checks the `Authorization` header of the operator's API. Hashes are compared: they have equal lengths, and a
 * comparison in constant time tells nobody how much of a guess was right. An address that has guessed too often gets
 * nothing for the rest of the minute, because a limit that lets the right guess pass stops no guesser. The right token
 * has a rate, too: a script that runs wild with it slows down no customer. Throws `unauthenticated`,
 * `rate_limit_exceeded`.
 */
export function createOperatorCheck(
  token: string,
  { counts, requestsPerMinuteMax }: OperatorCheckDeps,
): (credentials: Credentials) => Promise<undefined> {
  const failedAttempts = createFailedAttempts({
    counts,
    name: "operator-failures",
    perMinuteMax: failuresPerMinuteMax,
  });
  const countRequest = createRequestRate({ counts, perMinuteMax: requestsPerMinuteMax });
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(token);
  const refused = () => new PackshotError("unauthenticated", "Send the operator's token as: Authorization: Bearer …");
  return async ({ authorization, address }) => {
    const given = bearerToken(authorization);
    if (given === undefined) throw refused();
    await failedAttempts.assertAllowed(address);
    if (timingSafeEqual(digest(given), expected)) return await countRequest();
    await failedAttempts.record(address);
    throw refused();
  };
}

const windowSeconds = 60;
const key = "operator-requests";

export interface RequestRateDeps {
  readonly counts: WindowCounts;
  readonly perMinuteMax: number;
}

/** Counts a request. The function throws `rate_limit_exceeded` beyond `perMinuteMax`. */
function createRequestRate({ counts, perMinuteMax }: RequestRateDeps): () => Promise<undefined> {
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
