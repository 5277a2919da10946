import type { Account } from "@packshot/domain/account.ts";
import {
  type BucketConnection,
  type BucketCredentials,
  connectionWrite,
  accessKeyIdEndOf,
} from "@packshot/domain/bucket-connection.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isoTime } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Seal } from "@packshot/platform/crypto/seal.ts";
import type { AllowList } from "@packshot/platform/outbound/address-guard.ts";
import type { Realm } from "../../access/caller.ts";
import { connectionIdOf } from "./find-connection.ts";
import { sealCredentials } from "./sealed-credentials.ts";
import { indexWrite } from "../../records/account-index.ts";
import { type AccountDeps, commitAccount } from "../../records/commit-account.ts";
import { checkEndpoint } from "./check-endpoint.ts";

export interface CreateConnectionDeps extends AccountDeps {
  readonly seal: Seal;
  /** Private addresses that endpoints may have. */
  readonly allow: AllowList;
}

export interface NewConnection extends BucketCredentials {
  readonly name: string;
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly prefix?: string;
  readonly forcePathStyle?: boolean;
}

export interface CreateConnectionInput {
  readonly realm: Realm;
  readonly newConnection: NewConnection;
}

/** Throws `invalid_request` (the endpoint), `limit_reached`, `name_taken`. */
export async function createConnection(
  deps: CreateConnectionDeps,
  { realm, newConnection }: CreateConnectionInput,
): Promise<BucketConnection> {
  const { name, endpoint, region, bucket, prefix = "", forcePathStyle = true, ...credentials } = newConnection;
  const address = { endpoint, region, bucket, prefix: asFolder(prefix), forcePathStyle };
  checkEndpoint(address, deps.allow);
  const createdAt = isoTime(deps.nowMs());
  const connection: BucketConnection = {
    ...({ v: 1, id: connectionIdOf(realm, name), ...realm, name } as const),
    ...address,
    sealedCredentials: sealCredentials(deps.seal, credentials),
    accessKeyIdEnd: accessKeyIdEndOf(credentials),
    createdAt,
    updatedAt: createdAt,
  };
  const { accountId } = realm;
  return await commitAccount(deps, { transition: "create-connection", accountId }, async (account) => {
    const { value, sequence } = await deps.log.read<BucketConnection>(subjects.connection(accountId, connection.id));
    if (value?.sealedCredentials === connection.sealedCredentials) return { done: connection };
    if (value !== undefined) throw new PackshotError("name_taken", `There is a connection "${name}" already.`);
    assertBelowLimit(account);
    return {
      account: { ...account, connections: (account.connections ?? 0) + 1 },
      writes: [
        connectionWrite(connection, connection, sequence),
        await indexWrite(deps.log, account, "connections", { added: [connection.id] }),
      ],
      result: connection,
    };
  });
}

/** "" or with a slash at its end. */
export function asFolder(prefix: string): string {
  return prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
}

function assertBelowLimit({ connections = 0, limits }: Account): void {
  const limit = limits.maxConnections;
  if (connections < limit) return;
  throw new PackshotError("limit_reached", `The plan allows ${limit} connections: remove one first.`);
}
