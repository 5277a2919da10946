/** Copies the file of an upload session that a row names to where its job has it. */

import type { Batch } from "@packshot/domain/batches/batch.ts";
import { type ErrorCode, PackshotError } from "@packshot/domain/errors.ts";
import type { FileRef } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { type ReadUploadDeps, readUpload } from "../../uploads/upload-actions.ts";

export interface CopyUploadDeps extends ReadUploadDeps {
  readonly storage: Pick<Storage, "copy">;
}

/** What `copyUpload` throws: the row can have no job, now or later. */
export const faultsOfUpload: readonly ErrorCode[] = ["not_found", "upload_expired", "upload_incomplete"];

export async function copyUpload(
  deps: CopyUploadDeps,
  { accountId, live }: Pick<Batch, "accountId" | "live">,
  { uploadId, key }: { readonly uploadId: string; readonly key: string },
): Promise<FileRef> {
  const upload = await readUpload(deps, { realm: { accountId, live }, uploadId });
  if (!(await deps.storage.copy(storageKeys.upload(accountId, uploadId), key))) {
    throw noBytesYet();
  }
  return { key, contentType: upload.contentType, bytes: upload.sizeBytes };
}

export function noBytesYet(): PackshotError {
  const message = "The upload session has no bytes yet: PUT them to its uploadUrl first.";
  return new PackshotError("upload_incomplete", message);
}
