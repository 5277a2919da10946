import type { Account } from "@packshot/domain/accounts/account.ts";
import type { ApiKey } from "@packshot/domain/accounts/api-key.ts";

/** Whoever sent a request: the API key, and its account as far as a cache may know it. */
export interface Caller {
  readonly key: ApiKey;
  readonly account: Account;
}

/** The records that one API key may reach: the live ones of its account, or those made with test keys. */
export interface Realm {
  readonly accountId: string;
  readonly live: boolean;
}

export function realmOf({ key, account }: Caller): Realm {
  return { accountId: account.accountId, live: key.live };
}

/** What a request shows of who sends it. */
export interface Credentials {
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** The client's, as far as proxies are trusted to tell it. */
  readonly address: string;
}
