import type { Account } from "@packshot/domain/account.ts";
import { type ApiKey, hasExpired } from "@packshot/domain/api-key.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { keyScopes, type KeyScope, scopesToGrant } from "@packshot/domain/key-scope.ts";
import { shardOf } from "@packshot/domain/shard.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { apiKeyHint, hashApiKeySecret, newApiKeySecret } from "../../access/api-key-secret.ts";
import { type AccountDeps, commitAccount } from "../../records/commit-account.ts";
import { indexWrite, readIndexed } from "../../records/account-index.ts";
import { type ApiKeyRecord, keyRemovalWrites, keysPerBatchMax, newKeyWrites } from "./api-key-records.ts";

export interface NewApiKey {
  readonly name: string;
  readonly live?: boolean;
  /** The maker's when absent, and all for the operator. */
  readonly scopes?: readonly KeyScope[];
  /** Absent: the maker's; never, where that has none. */
  readonly expiresAt?: string | null;
}

export interface CreateApiKeyInput {
  readonly accountId: string;
  readonly newKey: NewApiKey;
  /** The key that asks for it; null: the operator asks. */
  readonly maker: ApiKey | null;
}

/**
 * Returns the secret, which is stored nowhere. Keys that have expired make room for it. Throws `not_found`,
 * `limit_reached`, `invalid_request`, also for a later end than the maker's, `scope_missing` for more than the maker's scopes, and `unauthenticated` when the
 * maker has been revoked.
 */
export async function createApiKey(
  deps: AccountDeps,
  { accountId, newKey, maker }: CreateApiKeyInput,
): Promise<{ key: ApiKey; secret: string }> {
  const { log } = deps;
  const now = deps.nowMs();
  const live = newKey.live ?? true;
  const secret = newApiKeySecret({ live, shard: shardOf(accountId) });
  const draft: Omit<ApiKey, "makers"> = {
    v: 1,
    id: uuidv7(now),
    accountId,
    name: newKey.name,
    sha256: hashApiKeySecret(secret),
    hint: apiKeyHint(secret),
    live,
    scopes: scopesToGrant(maker ?? { scopes: keyScopes }, newKey.scopes),
    createdAt: isoTime(now),
    expiresAt: expiryToGrant(maker, newKey.expiresAt ?? null, now),
  };
  const key = await commitAccount<ApiKey>(deps, { transition: "create-key", accountId }, async (account, attempt) => {
    if (attempt > 1) {
      const { value: stored, sequence } = await log.read<ApiKey>(subjects.apiKey(accountId, draft.id));
      if (sequence > 0) return { done: stored ?? { ...draft, makers: [] } };
    }
    const made: ApiKey = { ...draft, makers: maker === null ? [] : await readMakers(log, maker) };
    const replaced = await findExpiredToReplace(log, account, now);
    const index = await indexWrite(log, account, "keys", {
      added: [made.id],
      removed: replaced.map(({ value }) => value.id),
    });
    return {
      account: { ...account, apiKeys: account.apiKeys + 1 - replaced.length },
      writes: [...replaced.flatMap(keyRemovalWrites), ...newKeyWrites(made), index],
      result: made,
    };
  });
  return { key, secret };
}

/**
 * The maker and those of its makers that still exist. A revocation changes the account too, so that this batch either
 * precedes it, and its key is revoked as well, or meets a conflict and finds the maker gone: a cache may still know it.
 */
async function readMakers(log: Log, maker: ApiKey): Promise<string[]> {
  const ids = [...maker.makers, maker.id];
  const records = await Promise.all(ids.map((id) => log.read<ApiKey>(subjects.apiKey(maker.accountId, id))));
  if (records.at(-1)!.value === undefined) {
    throw new PackshotError("unauthenticated", "The API key has been revoked.");
  }
  return ids.filter((_, index) => records[index]!.value !== undefined);
}

/** With a full account, the keys that expired first: as many as must go for one more. Throws `limit_reached`. */
async function findExpiredToReplace(log: Log, account: Account, nowMs: number): Promise<ApiKeyRecord[]> {
  const { maxApiKeys } = account.limits;
  const tooMany = account.apiKeys + 1 - maxApiKeys;
  if (tooMany <= 0) return [];
  const keys = await readIndexed<ApiKey>(log, account, "keys");
  const expired = keys.filter(({ value }) => hasExpired(value, nowMs));
  if (expired.length < tooMany) {
    throw new PackshotError("limit_reached", `The plan allows ${maxApiKeys} API keys: revoke one first.`);
  }
  const expiryOf = ({ value }: ApiKeyRecord) => Date.parse(value.expiresAt!);
  // What one batch cannot remove makes room for the next key.
  return expired.sort((a, b) => expiryOf(a) - expiryOf(b)).slice(0, Math.min(tooMany, keysPerBatchMax));
}

/** A key that ends must not outlive itself in one that it made. */
function expiryToGrant(maker: Pick<ApiKey, "expiresAt"> | null, wanted: string | null, nowMs: number): string | null {
  const latest = maker?.expiresAt ?? null;
  if (wanted === null) return latest;
  const wantedMs = Date.parse(wanted);
  if (wantedMs <= nowMs) throw invalidExpiry('"expiresAt" must lie in the future.');
  if (latest !== null && wantedMs > Date.parse(latest)) {
    throw invalidExpiry(`"expiresAt" may be ${latest} at the latest, when the key of this request expires.`);
  }
  return isoTime(wantedMs);
}

function invalidExpiry(message: string): PackshotError {
  return new PackshotError("invalid_request", message, { details: { field: "expiresAt" } });
}
