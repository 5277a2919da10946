import type { ApiKey } from "@packshot/domain/api-key.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isUuid } from "@packshot/domain/ids.ts";
import { subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import { type AccountDeps, commitAccount } from "../../records/commit-account.ts";

export interface KeyToRevoke {
  readonly accountId: string;
  readonly keyId: string;
  /** Keys for which this returns false are treated as unknown. */
  readonly mayRevoke?: (key: ApiKey) => boolean;
}

/** Throws `not_found`. */
export async function revokeApiKey(
  deps: AccountDeps,
  { accountId, keyId, mayRevoke = () => true }: KeyToRevoke,
): Promise<void> {
  const unknown = () => new PackshotError("not_found", "There is no such key in this account.");
  if (!isUuid(keyId)) throw unknown();
  const subject = subjects.apiKey(accountId, keyId);
  await commitAccount<void>(deps, { transition: "revoke-key", accountId }, async (account, attempt) => {
    const { value: key, sequence } = await deps.log.read<ApiKey>(subject);
    if (key === undefined) {
      if (attempt > 1 && sequence > 0) return { done: undefined };
      throw unknown();
    }
    if (!mayRevoke(key)) throw unknown();
    const tombstone = { value: null, ttlSeconds: ttlSeconds.followedTombstone };
    return {
      account: { ...account, apiKeys: Math.max(0, account.apiKeys - 1) },
      writes: [
        { subject, expected: sequence, ...tombstone },
        { subject: subjects.keyByHash(key.sha256), ...tombstone },
      ],
      result: undefined,
    };
  });
}
