import { timingSafeEqual } from "node:crypto";
import type { Account } from "@packshot/domain/account.ts";
import { type ApiKey, hasExpired } from "@packshot/domain/api-key.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { RecordCache } from "../records/record-cache.ts";
import { hashApiKeySecret, isApiKeySecret } from "./api-key-secret.ts";
import { bearerToken } from "./bearer-token.ts";
import type { Caller } from "./caller.ts";

/** The caller of an `Authorization` header. Throws `unauthenticated`, `api_disabled`. */
export type Authenticate = (authorization: string | undefined) => Promise<Caller>;

export function createAuthenticate({ records, nowMs }: { records: RecordCache; nowMs: () => number }): Authenticate {
  return async (authorization) => {
    const secret = bearerToken(authorization);
    if (secret === undefined) {
      throw new PackshotError("unauthenticated", "Send your API key as: Authorization: Bearer ps_live_…");
    }
    const refused = () => new PackshotError("unauthenticated", "The API key is unknown, revoked or expired.");
    if (!isApiKeySecret(secret)) throw refused();
    const hash = hashApiKeySecret(secret);
    const key = await records.read<ApiKey>(subjects.keyByHash(hash));
    // The record was found by its hash; the hash is compared once more, so that an index never decides alone.
    if (key === undefined || !timingSafeEqual(Buffer.from(key.sha256), Buffer.from(hash))) throw refused();
    if (hasExpired(key, nowMs())) throw refused();
    const account = await records.read<Account>(subjects.account(key.accountId));
    if (account === undefined) throw refused();
    if (!account.apiEnabled) {
      throw new PackshotError("api_disabled", "API access is suspended for this account; ask the operator.");
    }
    return { key, account };
  };
}
