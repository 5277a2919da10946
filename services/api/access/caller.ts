import type { Account } from "@packshot/domain/account.ts";
import type { ApiKey } from "@packshot/domain/api-key.ts";

/** Whoever sent a request: the API key, and its account as far as a cache may know it. */
export interface Caller {
  readonly key: ApiKey;
  readonly account: Account;
}

/** What one API key may reach: the live records of its account, or those made with test keys. */
export interface AccountScope {
  readonly accountId: string;
  readonly live: boolean;
}

export function scopeOf({ key, account }: Caller): AccountScope {
  return { accountId: account.accountId, live: key.live };
}
