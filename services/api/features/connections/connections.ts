import type { BucketConnection } from "@packshot/domain/connections/bucket-connection.ts";
import { realmOf } from "../../access/caller.ts";
import type { Core, Feature } from "../../core/core.ts";
import { type Call, type Handlers, resourceUrl } from "../../http/call.ts";
import { type BucketLinks, createBucketLinks, createLinkAnswers } from "./bucket-links.ts";
import {
  type ConnectionRef,
  type ConnectionUpdate,
  type CreateConnectionDeps,
  createConnection,
  deleteConnection,
  listConnections,
  type NewConnection,
  readConnection,
  testConnection,
  updateConnection,
} from "./connection-actions.ts";

export interface ConnectionHandlerDeps extends CreateConnectionDeps {
  readonly publicUrl: string;
}

function connectionHandlers(deps: ConnectionHandlerDeps): Handlers {
  return {
    async listConnections({ caller }) {
      const connections = await listConnections(deps, { realm: realmOf(caller) });
      return { status: 200, body: { data: connections.map(connectionBody) } };
    },

    async createConnection({ caller, body }) {
      const newConnection = body as NewConnection;
      const connection = await createConnection(deps, { realm: realmOf(caller), newConnection });
      const headers = { Location: resourceUrl(deps.publicUrl, "connections", connection.id) };
      return { status: 201, body: connectionBody(connection), headers };
    },

    async getConnection(call) {
      const { value } = await readConnection(deps, connectionRef(call));
      return { status: 200, body: connectionBody(value) };
    },

    async updateConnection(call) {
      const update = call.body as ConnectionUpdate;
      const connection = await updateConnection(deps, { ...connectionRef(call), update });
      return { status: 200, body: connectionBody(connection) };
    },

    async deleteConnection(call) {
      await deleteConnection(deps, connectionRef(call));
      return { status: 204 };
    },

    async testConnection(call) {
      const tested = await testConnection(deps, connectionRef(call));
      return { status: 200, body: { ok: tested.write.ok && tested.read.ok, ...tested } };
    },
  };
}

function connectionRef({ caller, path }: Call): ConnectionRef {
  return { realm: realmOf(caller), connectionId: path.connection_id! };
}

/** Without the credentials, which no response has. */
function connectionBody(connection: BucketConnection) {
  const { id, name, endpoint, region, bucket, prefix, forcePathStyle, live } = connection;
  const { accessKeyIdEnd, createdAt, updatedAt } = connection;
  return { id, name, endpoint, region, bucket, prefix, forcePathStyle, live, accessKeyIdEnd, createdAt, updatedAt };
}

export function createConnections(core: Core): { links: BucketLinks } & Feature {
  const links = createBucketLinks(core);
  return {
    links,
    handlers: connectionHandlers({ ...core, allow: core.allowConnections }),
    components: [createLinkAnswers({ ...core, links })],
  };
}
