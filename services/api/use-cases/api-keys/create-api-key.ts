import type { ApiKey } from "@packshot/domain/api-key.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { apiKeyHint, hashApiKeySecret, newApiKeySecret } from "../../access/api-key-secret.ts";
import { type AccountDeps, commitAccount } from "../../records/commit-account.ts";

export interface NewApiKey {
  readonly name: string;
  readonly live?: boolean;
  readonly expiresAt?: string | null;
}

/** Returns the secret, which is stored nowhere. Throws `not_found`, `limit_reached`, `invalid_request`. */
export async function createApiKey(
  deps: AccountDeps,
  { accountId, newKey }: { readonly accountId: string; readonly newKey: NewApiKey },
): Promise<{ key: ApiKey; secret: string }> {
  const now = deps.nowMs();
  const live = newKey.live ?? true;
  const secret = newApiKeySecret({ live });
  const key: ApiKey = {
    v: 1,
    id: uuidv7(now),
    accountId,
    name: newKey.name,
    sha256: hashApiKeySecret(secret),
    hint: apiKeyHint(secret),
    live,
    createdAt: isoTime(now),
    expiresAt: futureTime(newKey.expiresAt ?? null, now),
  };
  const keyByHash = subjects.keyByHash(key.sha256);
  await commitAccount<void>(deps, { transition: "create-key", accountId }, async (account, attempt) => {
    if (attempt > 1 && (await deps.log.read(keyByHash)).sequence > 0) return { done: undefined };
    const { maxApiKeys } = account.limits;
    if (account.apiKeys >= maxApiKeys) {
      throw new PackshotError("limit_reached", `The plan allows ${maxApiKeys} API keys: revoke one first.`);
    }
    return {
      account: { ...account, apiKeys: account.apiKeys + 1 },
      writes: [
        { subject: keyByHash, value: key, expected: 0 },
        { subject: subjects.apiKey(accountId, key.id), value: key, expected: 0 },
      ],
      result: undefined,
    };
  });
  return { key, secret };
}

function futureTime(expiresAt: string | null, nowMs: number): string | null {
  if (expiresAt === null) return null;
  if (Date.parse(expiresAt) > nowMs) return isoTime(Date.parse(expiresAt));
  throw new PackshotError("invalid_request", '"expiresAt" must lie in the future.', {
    details: { field: "expiresAt" },
  });
}
