import { PackshotError } from "../errors.ts";

/** An API key as stored. Only the SHA-256 of its secret is kept; the secret is shown once, when the key is created. */
export interface ApiKey {
  readonly v: 1;
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** Hex SHA-256 of the whole secret, prefix included. */
  readonly sha256: string;
  /** The secret's first characters, by which people tell keys apart: `ps_live_a1b2c3`. */
  readonly hint: string;
  /** false: `ps_test_…`. */
  readonly live: boolean;
  readonly scopes: readonly KeyScope[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  /**
   * The chain of keys through which this one was made, its own maker last: by it a revocation finds all descendants.
   * Makers that no longer existed are left out, so the list is no longer than the account has keys. Empty: the operator
   * made it.
   */
  readonly makers: readonly string[];
}

/** The id of the key that made this one; null when the operator made it. */
export function makerOf({ makers }: Pick<ApiKey, "makers">): string | null {
  return makers.at(-1) ?? null;
}

export function hasExpired({ expiresAt }: Pick<ApiKey, "expiresAt">, nowMs: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs;
}

/** What an API key may do. Each operation of the contract names the scopes of which one is enough for it. */
export const keyScopes = ["edits", "read", "webhooks", "keys"] as const;
export type KeyScope = (typeof keyScopes)[number];

/** `anyOf`: empty for an operation that names none, which needs all. Throws `scope_missing`. */
export function assertScope(
  { scopes: own }: { readonly scopes: readonly KeyScope[] },
  anyOf: readonly KeyScope[],
): void {
  const isAllowed =
    anyOf.length === 0 ? keyScopes.every((scope) => own.includes(scope)) : anyOf.some((scope) => own.includes(scope));
  if (!isAllowed)
    throw scopeMissing(anyOf.length === 0 ? keyScopes.filter((scope) => !own.includes(scope)) : anyOf, own);
}

/** Scopes of a key that `maker` makes: its own when none are asked for. Throws `scope_missing` for more than its own. */
export function scopesToGrant(
  { scopes: own }: { readonly scopes: readonly KeyScope[] },
  wanted: readonly KeyScope[] | undefined,
): readonly KeyScope[] {
  const granted = wanted ?? own;
  const missing = granted.filter((scope) => !own.includes(scope));
  if (missing.length > 0) throw scopeMissing(missing, own);
  return keyScopes.filter((scope) => granted.includes(scope));
}

function scopeMissing(missing: readonly KeyScope[], own: readonly KeyScope[]): PackshotError {
  const wanted = missing.map((scope) => `"${scope}"`).join(" or ");
  return new PackshotError(
    "scope_missing",
    `The API key lacks the scope ${wanted}; it has ${own.join(", ") || "none"}.`,
    {
      details: { missing, scopes: own },
    },
  );
}
