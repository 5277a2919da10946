import { paginate } from "./paginate.ts";
import type { Account, ApiKey, CreatedApiKey, NewApiKey, Usage, UsagePeriod } from "./schemas.ts";
import type { Transport, Waiting } from "./transport.ts";

export function createAccount(transport: Transport) {
  const keys = "/v1/account/keys";
  return {
    /** Plan, limits and credits; also the way to try a key. */
    get: (waiting: Waiting = {}): Promise<Account> =>
      transport.json({ method: "GET", path: "/v1/account", ...waiting }),
    usage: (period: UsagePeriod = {}, waiting: Waiting = {}): Promise<Usage> =>
      transport.json({ method: "GET", path: "/v1/account/usage", query: period, ...waiting }),
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
          ...{ method: "DELETE", path: `${keys}/${encodeURIComponent(id)}`, query: { withDescendants } },
          ...waiting,
        }),
    },
  };
}

export type AccountCalls = ReturnType<typeof createAccount>;
