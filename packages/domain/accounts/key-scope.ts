/** What an API key may do. Each operation of the contract names the scopes of which one is enough for it. */
import { PackshotError } from "../errors.ts";

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
