/** The files of a row whose edit has `outputs`: the batch's copies of them, and where they are. */
import type { Batch } from "@packshot/domain/batches/batch.ts";
import { bucketUrlOf } from "@packshot/domain/connections/bucket-key.ts";
import { allResults } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import type { JobDeliveredEvent, JobEndedEvent } from "@packshot/domain/webhooks/event.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { RowOutcome, RowOutput } from "./row.ts";

type Ended = Pick<JobEndedEvent | JobDeliveredEvent, "results" | "failedResults" | "destination">;

/** The copy of the first file, which is the row's result; null: there is none. */
type KeptFirst = Pick<NonNullable<RowOutcome["result"]>, "key"> | null;

/**
 * Copies the files beside the first. What a customer's bucket has is not kept.
 *
 * @returns undefined for a row whose edit makes one file
 */
export async function keepOutputs(
  storage: Pick<Storage, "copy">,
  event: Ended,
  resultKey: string,
  first: KeptFirst,
): Promise<readonly RowOutput[] | undefined> {
  if (event.results === undefined) return undefined;
  const { destination } = event;
  const isStored = destination?.status === "stored";
  const outputs: RowOutput[] = [];
  for (const [position, output] of allResults(event).entries()) {
    if ("error" in output) {
      const { name, error } = output;
      outputs.push({ name, error });
      continue;
    }
    const { key, destinationKey, ...file } = output;
    const copy = storageKeys.batchFile(resultKey, position);
    const kept = async () => (position === 0 ? first !== null : await storage.copy(key, copy));
    const isKept = !isStored && (await kept());
    const { connection } = destination ?? {};
    const isPlaced = isStored && connection !== undefined && destinationKey !== undefined;
    outputs.push({
      ...file,
      key: isKept ? copy : null,
      destination: isPlaced ? bucketUrlOf({ connection, key: destinationKey }) : null,
    });
  }
  return outputs;
}

/** By position: a line from after a redelivery names no copies, and those from before it are still there. */
export function keptKeys(
  { accountId, id }: Pick<Batch, "accountId" | "id">,
  { row, jobId, isMended, outputs = [] }: Pick<RowOutcome, "row" | "jobId" | "isMended" | "outputs">,
): string[] {
  const result = storageKeys.batchResult(accountId, id, row, isMended ? (jobId ?? undefined) : undefined);
  return [...new Set([result, ...outputs.map((_, position) => storageKeys.batchFile(result, position))])];
}

/** Whether a copy may be there: a line from after a redelivery names none, and those from before it may be. */
export function hasCopies({ result, outputs = [], isRedelivery }: RowOutcome): boolean {
  return isRedelivery === true || result !== null || outputs.some((output) => "key" in output && output.key !== null);
}

/** The files of a rejected row, of which no copy is left. */
export function withoutCopies(outputs: RowOutcome["outputs"]): RowOutcome["outputs"] {
  return outputs?.map((output) => ("error" in output ? output : { ...output, key: null }));
}
