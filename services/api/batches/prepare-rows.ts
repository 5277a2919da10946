/** Prepares rows that are edited whatever was done before: the worker fetches a photo by its link. */
import { type ErrorCode, PackshotError } from "@packshot/domain/errors.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { storageKeys } from "@packshot/domain/storage-keys.ts";
import type { Batch } from "@packshot/domain/batch.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { readUpload } from "../use-cases/uploads/read-upload.ts";
import type { PreparedRow, PrepareRows, ValidRow } from "./row.ts";

export interface PrepareRowsDeps {
  readonly log: Log;
  readonly storage: Pick<Storage, "copy">;
  readonly nowMs: () => number;
}

/** Why a row can have no job, now or later. */
const faultsOfRow: readonly ErrorCode[] = ["not_found", "upload_expired", "upload_incomplete"];

export function createPrepareRows(deps: PrepareRowsDeps): PrepareRows {
  const { log, storage, nowMs } = deps;

  async function copyUpload({ accountId, live }: Batch, row: ValidRow, uploadId: string): Promise<PreparedRow> {
    const jobId = uuidv7(nowMs());
    const upload = await readUpload({ log, nowMs }, { scope: { accountId, live }, uploadId });
    const key = storageKeys.source(accountId, jobId);
    if (!(await storage.copy(storageKeys.upload(accountId, uploadId), key))) {
      throw new PackshotError("upload_incomplete", "The upload session has no bytes yet.");
    }
    const file = { key, contentType: upload.contentType, bytes: upload.sizeBytes };
    return { kind: "job", row, jobId, source: { kind: "file", file } };
  }

  async function prepare(batch: Batch, row: ValidRow): Promise<PreparedRow> {
    const { source } = row;
    if (source.kind === "url") return { kind: "job", row, jobId: uuidv7(nowMs()), source };
    if (source.kind === "connection") {
      const imageUrl = `s3://${source.connection}/${source.key}`;
      return { kind: "job", row, jobId: uuidv7(nowMs()), source: { kind: "url", imageUrl } };
    }
    try {
      return await copyUpload(batch, row, source.uploadId);
    } catch (error) {
      if (!(error instanceof PackshotError) || !faultsOfRow.includes(error.code)) throw error;
      const { code, message } = error;
      return { kind: "outcome", outcome: { row: row.row, status: "failed", code, message } };
    }
  }

  return ({ batch }, rows) => Promise.all(rows.map((row) => prepare(batch, row)));
}
