import { type ApiKey, makerOf } from "@packshot/domain/api-key.ts";
import type { Keyv } from "keyv";
import { readLastUsed } from "../../access/last-used.ts";

/** An API key as clients and operators see it. */
async function keyBody(key: ApiKey, lastUsed: Keyv) {
  const { id, name, hint, live, scopes, createdAt, expiresAt } = key;
  const [createdBy, lastUsedAt] = [makerOf(key), await readLastUsed(lastUsed, id)];
  return { id, name, hint, live, scopes, createdAt, createdBy, expiresAt, lastUsedAt };
}

/** The response to the creation of a key: the only one that shows its secret. */
export async function createdKeyBody({ key, secret }: { key: ApiKey; secret: string }, lastUsed: Keyv) {
  return { ...(await keyBody(key, lastUsed)), key: secret };
}

export async function keyListBody(keys: readonly ApiKey[], lastUsed: Keyv) {
  return { data: await Promise.all(keys.map((key) => keyBody(key, lastUsed))) };
}
