import { storageKeys } from "@packshot/domain/storage-keys.ts";
import { subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import type { Upload } from "@packshot/domain/upload.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { type ReadUploadDeps, readUpload, type UploadRef } from "./read-upload.ts";

export interface DeleteUploadDeps extends ReadUploadDeps {
  readonly storage: Storage;
}

/** Throws `not_found`, `upload_expired`. */
export async function deleteUpload(deps: DeleteUploadDeps, ref: UploadRef): Promise<void> {
  const { log, storage } = deps;
  const { accountId, id } = await readUpload(deps, ref);
  const subject = subjects.upload(accountId, id);
  await log.transact<void>("delete-upload", async () => {
    const { value, sequence } = await log.read<Upload>(subject);
    if (value === undefined) return { done: undefined };
    const tombstone = { subject, value: null, expected: sequence, ttlSeconds: ttlSeconds.followedTombstone };
    return { writes: [tombstone], result: undefined };
  });
  await storage.deletePrefix(`${storageKeys.uploads(accountId)}${id}/`);
}
