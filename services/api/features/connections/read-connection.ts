import type { BucketConnection } from "@packshot/domain/bucket-connection.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isUuid } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Versioned } from "@packshot/domain/write.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Realm } from "../../access/caller.ts";

export interface ConnectionRef {
  readonly realm: Realm;
  readonly connectionId: string;
}

export function connectionNotFound(): PackshotError {
  return new PackshotError("not_found", "Connection not found.");
}

/** From the leader. Throws `not_found`. */
export async function readConnection(
  { log }: { readonly log: Log },
  { realm, connectionId }: ConnectionRef,
): Promise<Versioned<BucketConnection>> {
  if (!isUuid(connectionId)) throw connectionNotFound();
  const { value, sequence } = await log.read<BucketConnection>(subjects.connection(realm.accountId, connectionId));
  if (value === undefined || value.live !== realm.live) throw connectionNotFound();
  return { value, sequence };
}
