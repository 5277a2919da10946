import type { Batch } from "@packshot/domain/batches/batch.ts";
import { type OpenBatch, openBatch, startBatch } from "@packshot/domain/batches/batch-changes.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { IdempotencyRecord } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { rowFileFormats, type Upload } from "@packshot/domain/uploads/upload.ts";
import type { Write } from "@packshot/domain/write.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { type Caller, realmOf } from "../../access/caller.ts";
import { findReplay, type IdempotencyKey, idempotencyWrites } from "../../http/idempotency.ts";
import { assertAccountStays } from "../../records/commit-account.ts";
import { readUpload } from "../uploads/upload-actions.ts";
import { unfinishedWrite } from "./batch-actions.ts";
import { type BatchDefaults, batchRules } from "./batch-defaults.ts";
import type { RowRules, RowRulesDeps } from "./read/check-row.ts";
import { checkItems } from "./read/read-rows.ts";
import { noBytesYet } from "./rows/copy-upload.ts";
import { createSegmentCut, type RowSegments } from "./rows/row-segments.ts";

export interface CreateBatchDeps extends RowRulesDeps {
  readonly storage: Pick<Storage, "copy" | "assertRoom" | "deletePrefix">;
  readonly logger: Logger;
  readonly segments: Pick<RowSegments, "write">;
  /** Throws `unavailable` while the log should take no further jobs. */
  readonly assertAccepting: () => void;
}

export interface NewBatch extends BatchDefaults {
  readonly items?: readonly object[];
  readonly uploadId?: string;
  readonly onExisting?: "skip" | "redo";
}

export interface CreateBatchInput {
  readonly caller: Caller;
  readonly newBatch: NewBatch;
  readonly idempotencyKey: IdempotencyKey | undefined;
  /** The body of the response, which the idempotency record keeps. */
  readonly responseBody: (batch: Batch) => unknown;
}

export type CreatedBatch =
  | { readonly kind: "created"; readonly batch: Batch }
  | { readonly kind: "replayed"; readonly record: IdempotencyRecord };

/**
 * Stores the rows of a request, or the file that has them, and then the batch. Throws `invalid_request`, `not_found`,
 * `upload_expired`, `upload_incomplete`, `limit_reached`, `idempotency_key_reused`, `unavailable`.
 */
export async function createBatch(deps: CreateBatchDeps, input: CreateBatchInput): Promise<CreatedBatch> {
  deps.assertAccepting();
  const { accountId } = input.caller.account;
  const now = deps.nowMs();
  const id = uuidv7(now);
  assertOneSource(input.newBatch);
  const rules = await batchRules(deps, input.caller, input.newBatch);
  const { onExisting = "skip" } = input.newBatch;
  const given = {
    id,
    accountId,
    live: input.caller.key.live,
    tool: rules.tool,
    parameters: rules.parameters,
    onExisting,
    destination: rules.destination ?? null,
  };
  // Asked again in the commit: here it keeps requests over the limit from copying files of hundreds of megabytes.
  await unfinishedWrite(deps.log, { accountId, id, limits: input.caller.account.limits });
  try {
    const batch = await storeRows(deps, input, { given, rules, now });
    failpoint("create-batch:before-record");
    const created = await commitNewBatch(deps, input, batch);
    if (created.kind === "replayed") await removeRows(deps, { accountId, id });
    failpoint("create-batch:before-ack");
    return created;
  } catch (error) {
    // After `unavailable` the batch may be there and need its rows; if it is not, the sweep removes them.
    const isRefused = error instanceof PackshotError && error.code !== "unavailable";
    if (isRefused) await removeRows(deps, { accountId, id });
    throw error;
  }
}

async function storeRows(
  deps: CreateBatchDeps,
  { caller, newBatch: { items, uploadId } }: CreateBatchInput,
  { given, rules, now }: { readonly given: Omit<OpenBatch, "input">; readonly rules: RowRules; readonly now: number },
): Promise<Batch> {
  if (items === undefined) {
    const format = await copyFile(deps, caller, uploadId!, given.id);
    return openBatch({ ...given, input: { kind: "file", format } }, now);
  }
  const { rows } = checkItems(items, rules);
  const cut = createSegmentCut();
  for (const row of rows) cut.add(row);
  const segments = cut.take(true);
  const batch = startBatch(openBatch({ ...given, input: { kind: "inline" } }, now), rows.length, now);
  await deps.storage.assertRoom(segments.reduce((sum, { text }) => sum + text.length, 0));
  for (const segment of segments) await deps.segments.write(batch, segment);
  return batch;
}

async function removeRows(
  { storage, logger }: CreateBatchDeps,
  { accountId, id }: Pick<Batch, "accountId" | "id">,
): Promise<void> {
  await storage
    .deletePrefix(storageKeys.batch(accountId, id))
    .catch((error: unknown) => logger.warn({ err: error, batchId: id }, "a refused batch's rows stay until the sweep"));
}

/** Throws `invalid_request` unless the rows stand in one place. */
export function assertOneSource({ items, uploadId }: NewBatch): void {
  if ((items === undefined) !== (uploadId === undefined)) return;
  throw new PackshotError("invalid_request", "Give one of items and uploadSessionId.");
}

/** Throws `invalid_request` for a photo. */
export function rowFormatOf({ contentType }: Pick<Upload, "contentType">): "csv" | "ndjson" {
  const format = rowFileFormats[contentType];
  if (format !== undefined) return format;
  const message = `The upload session holds ${contentType}; rows are text/csv or application/x-ndjson.`;
  throw new PackshotError("invalid_request", message);
}

async function copyFile(
  deps: CreateBatchDeps,
  caller: Caller,
  uploadId: string,
  batchId: string,
): Promise<"csv" | "ndjson"> {
  const { accountId } = caller.account;
  const upload = await readUpload(deps, { realm: realmOf(caller), uploadId });
  const format = rowFormatOf(upload);
  await deps.storage.assertRoom(upload.sizeBytes);
  const isUploaded = await deps.storage.copy(
    storageKeys.upload(accountId, uploadId),
    storageKeys.batchInput(accountId, batchId),
  );
  if (isUploaded) return format;
  throw noBytesYet();
}

async function commitNewBatch(
  { log }: CreateBatchDeps,
  { caller, idempotencyKey, responseBody }: CreateBatchInput,
  batch: Batch,
): Promise<CreatedBatch> {
  const { accountId } = batch;
  const subject = subjects.batch(accountId, batch.id);
  const created: CreatedBatch = { kind: "created", batch };
  return await log.transact<CreatedBatch>("create-batch", async (attempt) => {
    if (attempt > 1 && (await log.read(subject)).sequence > 0) return { done: created };
    const replay = await findReplay(log, idempotencyKey);
    if (replay !== undefined) return { done: replay };
    await assertAccountStays(log, accountId);
    const writes: Write[] = [
      await unfinishedWrite(log, { accountId, id: batch.id, limits: caller.account.limits }),
      { subject, value: batch, expected: 0 },
      ...idempotencyWrites(idempotencyKey, () => ({ status: 202, body: responseBody(batch), subjectId: batch.id })),
    ];
    return { writes, result: created };
  });
}
