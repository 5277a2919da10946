import { createReadStream } from "node:fs";
import { isBucketUrl, parseBucketUrl } from "@packshot/domain/bucket-key.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { FileRef, JobSource } from "@packshot/domain/job.ts";
import { storageKeys } from "@packshot/domain/storage-keys.ts";
import { readChunkBytes, type Storage } from "@packshot/platform/storage/storage.ts";
import { type Caller, realmOf } from "../../access/caller.ts";
import { assertConnection } from "../connections/find-connection.ts";
import { type ReadUploadDeps, readUpload } from "../uploads/read-upload.ts";
import { assertSourceRoom } from "./assert-source-room.ts";

/** The photo to edit, as the request names it. */
export type EditSource =
  | { readonly kind: "url"; readonly imageUrl: string }
  | { readonly kind: "upload"; readonly uploadId: string }
  /** The file of a job that is run again. */
  | { readonly kind: "job"; readonly jobId: string; readonly file: FileRef }
  /** A file of a multipart form, checked already, in a temporary folder. */
  | {
      readonly kind: "file";
      readonly path: string;
      readonly bytes: number;
      readonly sha256: string;
      readonly contentType: string;
      /** As the client calls it. */
      readonly filename?: string;
    };

export interface StoreSourceDeps extends ReadUploadDeps {
  readonly storage: Storage;
}

/**
 * Stores a file below the job's own prefix, so that deleting an upload session and deleting a job never touch each
 * other's files. Throws `not_found`, `upload_expired`, `upload_incomplete`, `job_expired`, `queue_full`; `invalid_request` for
 * a connection that there is not.
 */
export async function storeSource(
  deps: StoreSourceDeps,
  { caller, key, source }: { readonly caller: Caller; readonly key: string; readonly source: EditSource },
): Promise<JobSource> {
  const { storage } = deps;
  const realm = realmOf(caller);
  if (source.kind === "url") {
    if (isBucketUrl(source.imageUrl)) {
      const { connection: name } = parseBucketUrl(source.imageUrl);
      await assertConnection(deps, realm, { name, field: "imageUrl" });
    }
    return source;
  }
  if (source.kind === "file") {
    await assertSourceRoom(deps, caller, source.bytes);
    const stream = createReadStream(source.path, { highWaterMark: readChunkBytes });
    const { bytes } = await storage.write(key, stream, { bytesMax: source.bytes });
    return { kind: "file", file: { key, contentType: source.contentType, bytes } };
  }
  if (source.kind === "job") {
    await assertSourceRoom(deps, caller, source.file.bytes);
    if (await storage.copy(source.file.key, key)) return { kind: "file", file: { ...source.file, key } };
    throw new PackshotError("job_expired", "The job's photo has been cleaned up: send it again.");
  }
  const upload = await readUpload(deps, { realm, uploadId: source.uploadId });
  await assertSourceRoom(deps, caller, upload.sizeBytes);
  const isUploaded = await storage.copy(storageKeys.upload(realm.accountId, upload.id), key);
  if (!isUploaded) {
    throw new PackshotError(
      "upload_incomplete",
      "The upload session has no bytes yet: PUT them to its uploadUrl first.",
    );
  }
  return { kind: "file", file: { key, contentType: upload.contentType, bytes: upload.sizeBytes } };
}
