/** Prepares rows that are edited whatever was done before: the worker fetches a photo by its link. */
import type { Batch } from "@packshot/domain/batch.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { storageKeys } from "@packshot/domain/storage-keys.ts";
import { type CopyUploadDeps, copyUpload, faultsOfUpload } from "./copy-upload.ts";
import { type PreparedRow, type PrepareRows, sourceUrl, type ValidRow } from "./row.ts";

export function createPrepareRows(deps: CopyUploadDeps): PrepareRows {
  async function prepare(batch: Batch, row: ValidRow): Promise<PreparedRow> {
    const { source } = row;
    const jobId = uuidv7(deps.nowMs());
    if (source.kind !== "upload") {
      return { kind: "job", row, jobId, source: { kind: "url", imageUrl: sourceUrl(source) } };
    }
    try {
      const { uploadId } = source;
      const file = await copyUpload(deps, batch, { uploadId, key: storageKeys.source(batch.accountId, jobId) });
      return { kind: "job", row, jobId, source: { kind: "file", file } };
    } catch (error) {
      if (!(error instanceof PackshotError) || !faultsOfUpload.includes(error.code)) throw error;
      const { code, message } = error;
      return { kind: "outcome", outcome: { row: row.row, status: "failed", code, message } };
    }
  }

  return ({ batch }, rows) => Promise.all(rows.map((row) => prepare(batch, row)));
}
