import { timingSafeEqual } from "node:crypto";
import type { Account } from "@packshot/domain/accounts/account.ts";
import { type ApiKey, hasExpired } from "@packshot/domain/accounts/api-key.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { RecordCache } from "../records/record-cache.ts";
import { bearerToken, hashApiKeySecret, shardOfApiKeySecret } from "./api-key-secret.ts";
import type { Caller, Credentials } from "./caller.ts";
import type { FailedAttempts } from "./failed-attempts.ts";

/** The caller of a request. Throws `unauthenticated`, `api_disabled`, `rate_limit_exceeded`. */
export type Authenticate = (credentials: Credentials) => Promise<Caller>;

export interface AuthenticateDeps {
  readonly records: Pick<RecordCache, "read" | "peek">;
  readonly failedAttempts: FailedAttempts;
  readonly nowMs: () => number;
  /** Told of each key that a request was admitted with. */
  readonly noteUse?: (keyId: string) => void;
}

export function createAuthenticate({ records, failedAttempts, nowMs, noteUse }: AuthenticateDeps): Authenticate {
  async function findCaller(hash: string, subject: string): Promise<Caller | undefined> {
    const key = await records.read<ApiKey>(subject);
    // The record was found by its hash; the hash is compared once more, so that an index never decides alone.
    if (key === undefined || !timingSafeEqual(Buffer.from(key.sha256), Buffer.from(hash))) return undefined;
    if (hasExpired(key, nowMs())) return undefined;
    const account = await records.read<Account>(subjects.account(key.accountId));
    return account === undefined ? undefined : { key, account };
  }

  return async ({ authorization, address }) => {
    const secret = bearerToken(authorization);
    if (secret === undefined) {
      throw new PackshotError("unauthenticated", "Send your API key as: Authorization: Bearer ps_live_…");
    }
    // Text of any length comes here: only what can be a key is worth a hash.
    const shard = shardOfApiKeySecret(secret);
    const hash = shard === undefined ? "" : hashApiKeySecret(secret);
    const subject = shard === undefined ? undefined : subjects.keyByHash(shard, hash);
    // Whoever shares an address with a guesser keeps working, as long as this process knows the key.
    const isKnown = subject !== undefined && records.peek(subject)?.value !== undefined;
    if (!isKnown) await failedAttempts.assertAllowed(address);
    const caller = subject === undefined ? undefined : await findCaller(hash, subject);
    if (caller === undefined) {
      await failedAttempts.record(address);
      throw new PackshotError("unauthenticated", "The API key is unknown, revoked or expired.");
    }
    if (!caller.account.apiEnabled) {
      throw new PackshotError("api_disabled", "API access is suspended for this account; ask the operator.");
    }
    noteUse?.(caller.key.id);
    return caller;
  };
}
