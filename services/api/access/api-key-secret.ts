/** Secrets of API keys: `ps_live_…` or `ps_test_…`. The log keeps their hashes only. */
import { createHash, randomBytes } from "node:crypto";

const pattern = /^ps_(live|test)_[A-Za-z0-9_-]{20,200}$/;
const randomByteCount = 32;
const hintLength = 14;

export function newApiKeySecret({ live }: { live: boolean }): string {
  return `ps_${live ? "live" : "test"}_${randomBytes(randomByteCount).toString("base64url")}`;
}

export function isApiKeySecret(text: string): boolean {
  return pattern.test(text);
}

/** The first characters: lists show them, so that people recognize a key. */
export function apiKeyHint(secret: string): string {
  return secret.slice(0, hintLength);
}

export function hashApiKeySecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
