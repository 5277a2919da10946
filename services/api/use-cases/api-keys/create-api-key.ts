/** API keys: made by the account itself, by the operator and by the CLI, all here. */
import { randomBytes } from "node:crypto";
import type { ApiKey } from "@packshot/domain/api-key.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isoTime, isUuid, uuidv7 } from "@packshot/domain/ids.ts";
import { subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import { hashApiKeySecret } from "../../access/api-key-secret.ts";
import { type AccountDeps, commitAccount } from "../../records/commit-account.ts";
import { listRecords } from "../../records/list-records.ts";

const keysMax = 1_000;

export interface NewApiKey {
  readonly name: string;
  readonly live?: boolean;
  readonly expiresAt?: string | null;
}

/** Returns the secret: it is stored nowhere. Throws `limit_reached`, `invalid_request`. */
export async function createApiKey(
  parts: AccountDeps,
  accountId: string,
  order: NewApiKey,
): Promise<{ key: ApiKey; secret: string }> {
  const now = parts.nowMs();
  const live = order.live ?? true;
  const expiresAt = order.expiresAt == null ? null : isoTime(Date.parse(order.expiresAt));
  if (expiresAt !== null && Date.parse(expiresAt) <= now) {
    throw new PackshotError("invalid_request", '"expiresAt" must lie in the future.', {
      details: { field: "expiresAt" },
    });
  }
  const secret = `ps_${live ? "live" : "test"}_${randomBytes(32).toString("base64url")}`;
  const key: ApiKey = {
    v: 1,
    id: uuidv7(now),
    accountId,
    name: order.name,
    sha256: hashApiKeySecret(secret),
    hint: secret.slice(0, 14),
    live,
    createdAt: isoTime(now),
    expiresAt,
  };
  await commitAccount(parts, "create-key", accountId, async (account, attempt) => {
    if (attempt > 1 && (await parts.log.read(subjects.keyByHash(key.sha256))).sequence > 0) return { done: undefined };
    if (account.apiKeys >= account.limits.maxApiKeys) {
      throw new PackshotError(
        "limit_reached",
        `The plan allows ${account.limits.maxApiKeys} API keys: revoke one first.`,
      );
    }
    return {
      account: { ...account, apiKeys: account.apiKeys + 1 },
      writes: [
        { subject: subjects.keyByHash(key.sha256), value: key, expected: 0 },
        { subject: subjects.apiKey(accountId, key.id), value: key, expected: 0 },
      ],
      answer: undefined,
    };
  });
  return { key, secret };
}

/** Oldest first. */
export async function listApiKeys({ log }: AccountDeps, accountId: string): Promise<ApiKey[]> {
  const records = await listRecords<ApiKey>(log, `ps.apikey.${accountId}.*`, keysMax);
  return records.map(({ value }) => value);
}

/** Throws `not_found`, for keys that `mayRevoke` says no to as well. */
export async function revokeApiKey(
  parts: AccountDeps,
  accountId: string,
  keyId: string,
  mayRevoke: (key: ApiKey) => boolean = () => true,
): Promise<void> {
  const unknown = () => new PackshotError("not_found", "There is no such key in this account.");
  if (!isUuid(keyId)) throw unknown();
  const subject = subjects.apiKey(accountId, keyId);
  await commitAccount(parts, "revoke-key", accountId, async (account, attempt) => {
    const { value: key, sequence } = await parts.log.read<ApiKey>(subject);
    if (key === undefined) {
      if (attempt > 1 && sequence > 0) return { done: undefined };
      throw unknown();
    }
    if (!mayRevoke(key)) throw unknown();
    const tombstone = { value: null, ttlSeconds: ttlSeconds.seenTombstone };
    return {
      account: { ...account, apiKeys: Math.max(0, account.apiKeys - 1) },
      writes: [
        { subject, expected: sequence, ...tombstone },
        { subject: subjects.keyByHash(key.sha256), ...tombstone },
      ],
      answer: undefined,
    };
  });
}
