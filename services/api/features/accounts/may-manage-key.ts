import type { ApiKey } from "@packshot/domain/api-key.ts";

/**
 * A test key manages test keys only: test configurations that hold it are guarded less than what costs credits.
 */
export function mayManageKey(own: Pick<ApiKey, "live">, other: Pick<ApiKey, "live">): boolean {
  return own.live || !other.live;
}
