/**
 * Secrets of API keys: `ps_live_…` or `ps_test_…`, 43 random characters, and the CRC-32 of all that as 8 hex digits. The
 * checksum is no protection; by it a made-up or mistyped key is refused without a read of the log. Keys from before the
 * checksum end with the random characters. The log keeps hashes only.
 */
import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const pattern = /^(ps_(?:live|test)_[A-Za-z0-9_-]{43})([0-9a-f]{8})?$/;
const randomByteCount = 32;
const hintLength = 14;

export function newApiKeySecret({ live }: { live: boolean }): string {
  const unchecked = `ps_${live ? "live" : "test"}_${randomBytes(randomByteCount).toString("base64url")}`;
  return unchecked + checksumOf(unchecked);
}

/** false: no key has this text, so nothing needs to be read. */
export function isApiKeySecret(text: string): boolean {
  const [, unchecked, checksum] = pattern.exec(text) ?? [];
  return unchecked !== undefined && (checksum === undefined || checksum === checksumOf(unchecked));
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
