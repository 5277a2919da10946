import { type Download, download } from "./download.ts";
import type {
  Account,
  AccountDeletion,
  ApiKey,
  AuditEntry,
  Connection,
  ConnectionChange,
  ConnectionTest,
  CreatedApiKey,
  NewApiKey,
  NewConnection,
  NewPreset,
  PageSize,
  Preset,
  Usage,
  UsagePeriod,
} from "./schemas.ts";
import { paginate, type Transport, type Waiting } from "./transport.ts";

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
      /**
       * The secret is shown only here. A lost response is not asked for again: it would make a second key. With an
       * `idempotencyKey` it is, and rejects with `already_created`: its `details.id` is the key whose secret is lost.
       */
      create: (key: NewApiKey, options: Waiting & { readonly idempotencyKey?: string } = {}): Promise<CreatedApiKey> =>
        transport.json({ method: "POST", path: keys, json: key, ...options }),
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

export function createConnections(transport: Transport) {
  const all = "/v1/connections";
  const path = (id: string, rest = "") => `${all}/${encodeURIComponent(id)}${rest}`;
  return {
    list: (waiting: Waiting = {}): AsyncIterable<Connection> =>
      paginate(() => transport.json<{ data: readonly Connection[] }>({ method: "GET", path: all, ...waiting })),
    /** Edits then take `s3://<name>/<key>`, and put results there by their `destination`. */
    create: (connection: NewConnection, waiting: Waiting = {}): Promise<Connection> =>
      transport.json({ method: "POST", path: all, json: connection, ...waiting }),
    get: (id: string, waiting: Waiting = {}): Promise<Connection> =>
      transport.json({ method: "GET", path: path(id), ...waiting }),
    update: (id: string, change: ConnectionChange, waiting: Waiting = {}): Promise<Connection> =>
      transport.json({ method: "PATCH", path: path(id), json: change, ...waiting }),
    delete: (id: string, waiting: Waiting = {}): Promise<void> =>
      transport.send({ method: "DELETE", path: path(id), ...waiting }),
    /** Puts, gets and deletes a small file there; resolves with what the bucket did, faults too. */
    test: (id: string, waiting: Waiting = {}): Promise<ConnectionTest> =>
      transport.json({ method: "POST", path: path(id, "/test"), ...waiting }),
  };
}

export type Connections = ReturnType<typeof createConnections>;

export function createPresets(transport: Transport) {
  const all = "/v1/presets";
  const path = (name: string) => `${all}/${encodeURIComponent(name)}`;
  return {
    list: (waiting: Waiting = {}): AsyncIterable<Preset> =>
      paginate(() => transport.json<{ data: readonly Preset[] }>({ method: "GET", path: all, ...waiting })),
    get: (name: string, waiting: Waiting = {}): Promise<Preset> =>
      transport.json({ method: "GET", path: path(name), ...waiting }),
    /** Creates it, or replaces one of the same name. */
    put: (name: string, preset: NewPreset, waiting: Waiting = {}): Promise<Preset> =>
      transport.json({ method: "PUT", path: path(name), json: preset, ...waiting }),
    delete: (name: string, waiting: Waiting = {}): Promise<void> =>
      transport.send({ method: "DELETE", path: path(name), ...waiting }),
  };
}

export type Presets = ReturnType<typeof createPresets>;
