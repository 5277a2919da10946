import type { ApiKey } from "@packshot/domain/api-key.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isUuid } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { type AccountDeps, commitAccount } from "../../records/commit-account.ts";
import { indexWrite, readIndexed } from "../../records/account-index.ts";
import { keyRemovalWrites, keysPerBatchMax } from "./api-key-records.ts";

export interface KeyToRevoke {
  readonly accountId: string;
  readonly keyId: string;
  /** Revokes also the keys that it made, those that they made, and so on. */
  readonly withDescendants?: boolean;
  /** Keys for which this returns false are treated as unknown. */
  readonly mayRevoke?: (key: ApiKey) => boolean;
}

/** Throws `not_found`. */
export async function revokeApiKey(deps: AccountDeps, toRevoke: KeyToRevoke): Promise<void> {
  if (!isUuid(toRevoke.keyId)) throw unknownKey();
  let isRevoked = false;
  while (!isRevoked) isRevoked = await revokeBatch(deps, toRevoke);
}

/**
 * Revokes as many keys as one batch holds; false: some are left. The key itself goes with the last of them, because what
 * they make in the meantime names it only while it exists.
 */
async function revokeBatch(
  deps: AccountDeps,
  { accountId, keyId, withDescendants = false, mayRevoke = () => true }: KeyToRevoke,
): Promise<boolean> {
  const subject = subjects.apiKey(accountId, keyId);
  return await commitAccount<boolean>(deps, { transition: "revoke-key", accountId }, async (account, attempt) => {
    const { value: key, sequence } = await deps.log.read<ApiKey>(subject);
    if (key === undefined) {
      if (attempt > 1 && sequence > 0) return { done: true };
      throw unknownKey();
    }
    if (!mayRevoke(key)) throw unknownKey();
    const keys = withDescendants ? await readIndexed<ApiKey>(deps.log, account, "keys") : [];
    const descendants = keys.filter(({ value }) => value.makers.includes(keyId));
    const isLast = descendants.length < keysPerBatchMax;
    const revoked = isLast
      ? [...descendants, { subject, sequence, value: key }]
      : descendants.slice(0, keysPerBatchMax);
    const index = await indexWrite(deps.log, account, "keys", { removed: revoked.map(({ value }) => value.id) });
    return {
      account: { ...account, apiKeys: Math.max(0, account.apiKeys - revoked.length) },
      writes: [...revoked.flatMap(keyRemovalWrites), index],
      result: isLast,
    };
  });
}

function unknownKey(): PackshotError {
  return new PackshotError("not_found", "API key not found.");
}
