import type { BucketConnection } from "@packshot/domain/bucket-connection.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isUuid } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Versioned } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { AccountScope } from "../../access/caller.ts";

export interface ConnectionRef {
  readonly scope: AccountScope;
  readonly connectionId: string;
}

export function noSuchConnection(): PackshotError {
  return new PackshotError("not_found", "Connection not found.");
}

/** From the leader. Throws `not_found`. */
export async function readConnection(
  { log }: { readonly log: Log },
  { scope, connectionId }: ConnectionRef,
): Promise<Versioned<BucketConnection>> {
  if (!isUuid(connectionId)) throw noSuchConnection();
  const { value, sequence } = await log.read<BucketConnection>(subjects.connection(scope.accountId, connectionId));
  if (value === undefined || value.live !== scope.live) throw noSuchConnection();
  return { value, sequence };
}
