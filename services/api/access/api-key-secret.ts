/**
 * Secrets of API keys: `ps_live_…` or `ps_test_…`, 43 random characters, the shard of the account (2 digits), and the
 * CRC-32 of all that as 8 hex digits. By the shard the key's record is found in one read; by the checksum a made-up or
 * mistyped key is refused without any. Neither protects anything. The log keeps hashes only.
 */
import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { shards } from "@packshot/domain/subjects.ts";

const pattern = /^(ps_(?:live|test)_[A-Za-z0-9_-]{43}([0-9]{2}))([0-9a-f]{8})$/;
const randomByteCount = 32;
const hintLength = 14;

export function newApiKeySecret({ live, shard }: { live: boolean; shard: string }): string {
  const unchecked = `ps_${live ? "live" : "test"}_${randomBytes(randomByteCount).toString("base64url")}${shard}`;
  return unchecked + checksumOf(unchecked);
}

/** undefined: no key has this text, so nothing needs to be read. */
export function shardOfApiKeySecret(text: string): string | undefined {
  const [, unchecked, shard, checksum] = pattern.exec(text) ?? [];
  if (unchecked === undefined || checksum !== checksumOf(unchecked)) return undefined;
  return shards.find((known) => known === shard);
}

/** The first characters: lists show them, so that people recognize a key. */
export function apiKeyHint(secret: string): string {
  return secret.slice(0, hintLength);
}

export function hashApiKeySecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

function checksumOf(unchecked: string): string {
  return crc32(unchecked).toString(16).padStart(8, "0");
}

/** The token of an `Authorization: Bearer …` header; undefined for any other value. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([^\s]+) *$/i.exec(authorization ?? "")?.[1];
}
