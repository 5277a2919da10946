import type { Batch } from "@packshot/domain/batch.ts";
import type { BatchIndex } from "@packshot/domain/record-index.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Realm } from "../../access/caller.ts";
import { readRecords } from "../../records/read-records.ts";
import { isBatchExpired } from "./read-batch.ts";

export interface BatchPage {
  readonly batches: readonly Batch[];
  /** The next page begins before this batch; undefined on the last page. */
  readonly nextId: string | undefined;
}

/** Newest first. A page may be shorter than `limit` and have a next one: batches of the other kind of key are left out. */
export async function listBatches(
  { log, nowMs }: { readonly log: Log; readonly nowMs: () => number },
  { realm, beforeId, limit }: { readonly realm: Realm; readonly beforeId?: string; readonly limit: number },
): Promise<BatchPage> {
  const { value: index } = await log.read<BatchIndex>(subjects.index(realm.accountId, "batches"));
  const ids = (index?.ids ?? [])
    .filter((id) => beforeId === undefined || id < beforeId)
    .toSorted()
    .toReversed();
  const page = ids.slice(0, limit);
  const records = await readRecords<Batch>(
    log,
    page.map((id) => subjects.batch(realm.accountId, id)),
  );
  const batches = records
    .map(({ value }) => value)
    .filter((batch) => batch.live === realm.live && !isBatchExpired(batch, nowMs()));
  return { batches, nextId: ids.length > limit ? page.at(-1) : undefined };
}
