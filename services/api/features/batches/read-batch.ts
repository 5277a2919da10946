import type { Batch } from "@packshot/domain/batch.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isUuid } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Realm } from "../../access/caller.ts";

export interface BatchRequest {
  readonly realm: Realm;
  readonly batchId: string;
}

export function batchNotFound(): PackshotError {
  return new PackshotError("not_found", "Batch not found.");
}

/** From the leader. A test key's batch is unknown to a live key, and the other way round. Throws `not_found`. */
export async function readBatch(
  { log, nowMs }: { readonly log: Log; readonly nowMs: () => number },
  { realm, batchId }: BatchRequest,
): Promise<Batch> {
  if (!isUuid(batchId)) throw batchNotFound();
  const { value } = await log.read<Batch>(subjects.batch(realm.accountId, batchId));
  if (value === undefined || value.live !== realm.live || isBatchExpired(value, nowMs())) throw batchNotFound();
  return value;
}

/** To the client, a batch is gone at its `expiresAt`; its files are removed soon after. */
export function isBatchExpired({ expiresAt }: Batch, nowMs: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs;
}
