import { paginate } from "./transport.ts";
import type { Connection, ConnectionChange, ConnectionTest, NewConnection } from "./schemas.ts";
import type { Transport, Waiting } from "./transport.ts";

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
