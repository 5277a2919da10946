import { type Download, download } from "./download.ts";
import { paginate, type Transport, type Waiting } from "./transport.ts";
import type {
  Account,
  AccountDeletion,
  ApiKey,
  CreatedApiKey,
  NewApiKey,
  Usage,
  UsagePeriod,
  AuditEntry,
  PageSize,
} from "./schemas.ts";

export function createAccount(transport: Transport) {
  const keys = "/v1/account/keys";
  return {
    /** Plan, limits and credits; also the way to try a key. */
    get: (waiting: Waiting = {}): Promise<Account> =>
      transport.json({ method: "GET", path: "/v1/account", ...waiting }),
    usage: (period: UsagePeriod = {}, waiting: Waiting = {}): Promise<Usage> =>
      transport.json({ method: "GET", path: "/v1/account/usage", query: period, ...waiting }),
    /** Everything the account has, a line of JSON for each record; the last line says that nothing is missing. */
    export: (waiting: Waiting = {}): Promise<Download> => download(transport, "/v1/account/export", waiting),
    /** With everything it has. `accountId` is the account's own, so that a wrong call deletes nothing. */
    delete: (accountId: string, waiting: Waiting = {}): Promise<AccountDeletion> =>
      transport.json({ method: "DELETE", path: "/v1/account", query: { confirm: accountId }, ...waiting }),
    keys: {
      list: (waiting: Waiting = {}): AsyncIterable<ApiKey> =>
        paginate(() => transport.json<{ data: readonly ApiKey[] }>({ method: "GET", path: keys, ...waiting })),
      /** The secret is shown only here. A lost response is not asked for again: it would make a second key. */
      create: (key: NewApiKey, waiting: Waiting = {}): Promise<CreatedApiKey> =>
        transport.json({ method: "POST", path: keys, json: key, ...waiting }),
      revoke: (
        id: string,
        { withDescendants, ...waiting }: Waiting & { readonly withDescendants?: boolean } = {},
      ): Promise<void> =>
        transport.send({
          method: "DELETE",
          path: `${keys}/${encodeURIComponent(id)}`,
          query: { withDescendants },
          ...waiting,
        }),
    },
  };
}

export type AccountCalls = ReturnType<typeof createAccount>;

interface AuditPage {
  readonly data: readonly AuditEntry[];
  readonly nextCursor?: string;
}

export function createAudit(transport: Transport) {
  return {
    /** What keys and the operator changed in 90 days, newest first. */
    list: (page: PageSize = {}, waiting: Waiting = {}): AsyncIterable<AuditEntry> =>
      paginate((cursor) =>
        transport.json<AuditPage>({ method: "GET", path: "/v1/audit", query: { ...page, cursor }, ...waiting }),
      ),
  };
}

export type Audit = ReturnType<typeof createAudit>;
