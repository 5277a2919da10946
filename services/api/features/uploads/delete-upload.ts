import { storageKeys } from "@packshot/domain/storage-keys.ts";
import { subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import type { Upload } from "@packshot/domain/upload.ts";
import { closeUpload } from "@packshot/domain/upload-tally.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { changeUploads, type UploadTallyDeps } from "./change-uploads.ts";
import { type ReadUploadDeps, readUpload, type UploadRef } from "./read-upload.ts";

export interface DeleteUploadDeps extends ReadUploadDeps, UploadTallyDeps {
  readonly storage: Storage;
}

/** Throws `not_found`, `upload_expired`. */
export async function deleteUpload(deps: DeleteUploadDeps, ref: UploadRef): Promise<void> {
  const { log, storage, nowMs } = deps;
  const { accountId, id } = await readUpload(deps, ref);
  const subject = subjects.upload(accountId, id);
  await changeUploads<void>(deps, accountId, "delete-upload", async (tally) => {
    const { value, sequence } = await log.read<Upload>(subject);
    if (value === undefined) return { done: undefined };
    const tombstone = { subject, value: null, expected: sequence, ttlSeconds: ttlSeconds.followedTombstone };
    const closed = closeUpload(tally, value, nowMs());
    return { tally: closed, writes: [tombstone], result: undefined };
  });
  await storage.deletePrefix(`${storageKeys.uploads(accountId)}${id}/`);
}
