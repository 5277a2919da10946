/** API keys: create, list and revoke. A key manages only keys that are no stronger than itself. */
import type { Account } from "@packshot/domain/accounts/account.ts";
import {
  type ApiKey,
  hasExpired,
  type KeyScope,
  keyScopes,
  makerOf,
  scopesToGrant,
} from "@packshot/domain/accounts/api-key.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isoTime, isUuid, uuidv7 } from "@packshot/domain/ids.ts";
import type { IdempotencyRecord } from "@packshot/domain/jobs/job.ts";
import { shardOf, subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import type { Write } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Keyv } from "keyv";
import { apiKeyHint, hashApiKeySecret, newApiKeySecret } from "../../access/api-key-secret.ts";
import { readLastUsed } from "../../access/last-used.ts";
import { findReplay, type IdempotencyKey, idempotencyWrites } from "../../http/idempotency.ts";
import { indexWrite, listIndexed, readIndexed } from "../../records/account-index.ts";
import type { StoredRecord } from "../../records/commit-account.ts";
import { type AccountDeps, commitAccount } from "../../records/commit-account.ts";

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
  readonly idempotencyKey?: IdempotencyKey | undefined;
}

/**
 * Returns the secret, which is stored nowhere. Keys that have expired make room for it. Throws `not_found`,
 * `limit_reached`, `invalid_request`, also for a later end than the maker's, `scope_missing` for more than the maker's scopes, and `unauthenticated` when the
 * maker has been revoked, and `already_created` or `idempotency_key_reused` for a used idempotency key.
 */
export async function createApiKey(
  deps: AccountDeps,
  { accountId, newKey, maker, idempotencyKey }: CreateApiKeyInput,
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
      const replay = await findReplay(log, idempotencyKey);
      if (replay !== undefined) throw await alreadyCreated(deps, accountId, replay.record);
    }
    const made: ApiKey = { ...draft, makers: maker === null ? [] : await readMakers(log, maker) };
    const replaced = await findExpiredToReplace(log, account, now);
    const index = await indexWrite(log, account, "keys", {
      added: [made.id],
      removed: replaced.map(({ value }) => value.id),
    });
    return {
      account: { ...account, apiKeys: account.apiKeys + 1 - replaced.length },
      writes: [
        ...replaced.flatMap(keyRemovalWrites),
        ...newKeyWrites(made),
        index,
        ...idempotencyWrites(idempotencyKey, () => ({ status: 201, body: null, subjectId: made.id })),
      ],
      result: made,
    };
  });
  return { key, secret };
}

/** The response had the secret in it, which nothing keeps: it cannot be given again. */
export async function alreadyCreated(
  { log }: Pick<AccountDeps, "log">,
  accountId: string,
  { subjectId }: Pick<IdempotencyRecord, "subjectId">,
): Promise<PackshotError> {
  const { value: key } = await log.read<ApiKey>(subjects.apiKey(accountId, subjectId));
  const advice =
    key === undefined
      ? "which is gone: send a new Idempotency-Key."
      : "and a secret is shown once: where nobody has it, revoke that key, and send a new Idempotency-Key.";
  return new PackshotError(
    "already_created",
    `This Idempotency-Key has created the API key ${subjectId} before, ${advice}`,
    { details: { id: subjectId } },
  );
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

/** A key has two records: one by its id, for lists, and one by its secret's hash, for authentication. */

/** Keys that one batch removes: two messages each, and a batch holds a thousand. */
const keysPerBatchMax = 200;

export type ApiKeyRecord = StoredRecord<ApiKey>;

function newKeyWrites(key: ApiKey): Write[] {
  return [
    { subject: subjects.keyByHash(shardOf(key.accountId), key.sha256), value: key, expected: 0 },
    { subject: subjects.apiKey(key.accountId, key.id), value: key, expected: 0 },
  ];
}

function keyRemovalWrites({ subject, sequence, value }: ApiKeyRecord): Write[] {
  const tombstone = { value: null, ttlSeconds: ttlSeconds.credentialTombstone };
  return [
    { subject, expected: sequence, ...tombstone },
    { subject: subjects.keyByHash(shardOf(value.accountId), value.sha256), ...tombstone },
  ];
}

/** Oldest first. Throws `not_found`. */
export async function listApiKeys(deps: AccountDeps, { accountId }: { readonly accountId: string }): Promise<ApiKey[]> {
  const records = await listIndexed<ApiKey>(deps, accountId, "keys");
  return records.map(({ value }) => value);
}

/**
 * A test key manages test keys only: test configurations that hold it are guarded less than what costs credits.
 */
export function mayManageKey(own: Pick<ApiKey, "live">, other: Pick<ApiKey, "live">): boolean {
  return own.live || !other.live;
}

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

/** An API key as clients and operators see it. */
async function keyBody(key: ApiKey, lastUsed: Keyv) {
  const { id, name, hint, live, scopes, createdAt, expiresAt } = key;
  const createdBy = makerOf(key);
  const lastUsedAt = await readLastUsed(lastUsed, id);
  return { id, name, hint, live, scopes, createdAt, createdBy, expiresAt, lastUsedAt };
}

/** The response to the creation of a key: the only one that shows its secret. */
export async function createdKeyBody({ key, secret }: { key: ApiKey; secret: string }, lastUsed: Keyv) {
  return { ...(await keyBody(key, lastUsed)), key: secret };
}

export async function keyListBody(keys: readonly ApiKey[], lastUsed: Keyv) {
  return { data: await Promise.all(keys.map((key) => keyBody(key, lastUsed))) };
}
