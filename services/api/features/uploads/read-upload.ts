import { PackshotError } from "@packshot/domain/errors.ts";
import { isUuid, uuidv7TimeMs } from "@packshot/domain/ids.ts";
import { subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import type { Upload } from "@packshot/domain/upload.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Realm } from "../../access/caller.ts";

export interface ReadUploadDeps {
  readonly log: Log;
  readonly nowMs: () => number;
}

export interface UploadRef {
  readonly realm: Realm;
  readonly uploadId: string;
}

/** Throws `not_found`, `upload_expired`. */
export async function readUpload({ log, nowMs }: ReadUploadDeps, { realm, uploadId }: UploadRef): Promise<Upload> {
  const unknown = () => new PackshotError("not_found", "Upload session not found.");
  if (!isUuid(uploadId)) throw unknown();
  const now = nowMs();
  const { value: upload, sequence } = await log.read<Upload>(subjects.upload(realm.accountId, uploadId));
  if (upload === undefined) {
    // The log has removed the record: a version 7 id still tells when the session was created.
    const ageMs = now - uuidv7TimeMs(uploadId);
    if (sequence === 0 && uploadId[14] === "7" && ageMs > ttlSeconds.upload * 1000) throw expired();
    throw unknown();
  }
  if (upload.live !== realm.live) throw unknown();
  if (Date.parse(upload.expiresAt) <= now) throw expired();
  return upload;
}

function expired(): PackshotError {
  return new PackshotError("upload_expired", "The upload session has expired: create another.");
}
