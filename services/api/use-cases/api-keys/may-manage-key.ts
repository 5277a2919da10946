import type { ApiKey } from "@packshot/domain/api-key.ts";

/**
 * A test key manages test keys only: it stands in test configurations, which nobody guards as they guard what costs
 * credits.
 */
export function mayManageKey(own: Pick<ApiKey, "live">, other: Pick<ApiKey, "live">): boolean {
  return own.live || !other.live;
}
