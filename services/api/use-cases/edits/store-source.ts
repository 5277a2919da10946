/** Puts an edit's source into the job's own prefix, so that a session, its jobs and their deletion never touch. */
import { createReadStream } from "node:fs";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isUuid, uuidv7TimeMs } from "@packshot/domain/ids.ts";
import type { JobSource } from "@packshot/domain/job.ts";
import { files, subjects, ttlSeconds } from "@packshot/domain/subjects.ts";
import type { Upload } from "@packshot/domain/upload.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { pieceBytes, type Storage } from "@packshot/platform/storage/storage.ts";

export type EditSource =
  | { readonly kind: "url"; readonly imageUrl: string }
  | { readonly kind: "upload"; readonly uploadId: string }
  /** A multipart file, checked already, in a temporary place. */
  | {
      readonly kind: "file";
      readonly path: string;
      readonly bytes: number;
      readonly sha256: string;
      readonly contentType: string;
    };

export interface StoreSourceDeps {
  readonly log: Log;
  readonly storage: Storage;
  readonly nowMs: () => number;
}

/** Throws `not_found`, `upload_expired`, `upload_incomplete`. */
export async function storeSource(
  { log, storage, nowMs }: StoreSourceDeps,
  job: { accountId: string; jobId: string; live: boolean },
  given: EditSource,
): Promise<JobSource> {
  if (given.kind === "url") return given;
  const key = files.source(job.accountId, job.jobId);
  if (given.kind === "file") {
    const { bytes } = await storage.write(key, createReadStream(given.path, { highWaterMark: pieceBytes }), {
      bytesMax: given.bytes,
    });
    return { kind: "file", file: { key, contentType: given.contentType, bytes } };
  }
  const upload = await readUpload(log, job, given.uploadId, nowMs());
  const isThere = await storage.copy(files.upload(job.accountId, upload.id), key);
  if (!isThere) {
    throw new PackshotError(
      "upload_incomplete",
      "The upload session has no bytes yet: PUT them to its uploadUrl first.",
    );
  }
  return { kind: "file", file: { key, contentType: upload.contentType, bytes: upload.sizeBytes } };
}

/** Throws `not_found`, `upload_expired`. */
export async function readUpload(
  log: Log,
  who: { accountId: string; live: boolean },
  uploadId: string,
  nowMs: number,
): Promise<Upload> {
  const unknown = () => new PackshotError("not_found", "There is no such upload session in this account.");
  if (!isUuid(uploadId)) throw unknown();
  const { value: upload, sequence } = await log.read<Upload>(subjects.upload(who.accountId, uploadId));
  if (upload === undefined) {
    // The record has gone by itself: the id still tells when the session was made.
    const age = nowMs - uuidv7TimeMs(uploadId);
    if (sequence === 0 && uploadId[14] === "7" && age > ttlSeconds.upload * 1000) throw expired();
    throw unknown();
  }
  if (upload.live !== who.live) throw unknown();
  if (Date.parse(upload.expiresAt) <= nowMs) throw expired();
  return upload;
}

function expired(): PackshotError {
  return new PackshotError("upload_expired", "The upload session has expired: create another.");
}
