/** The source of an edit: a URL, an upload session or a file, stored below the job before it is accepted. */
import { createReadStream } from "node:fs";
import { isBucketUrl, parseBucketUrl } from "@packshot/domain/connections/bucket-key.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { FileRef, JobSource } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { readChunkBytes, type Storage } from "@packshot/platform/storage/storage.ts";
import { type Caller, realmOf } from "../../access/caller.ts";
import { assertConnection } from "../connections/find-connection.ts";
import { type ReadUploadDeps, readUpload } from "../uploads/upload-actions.ts";
import { type Account, assertSourceFits } from "@packshot/domain/accounts/account.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { readImageUrl } from "@packshot/domain/jobs/image-url.ts";
import { backgroundOf } from "@packshot/domain/edits/background.ts";
import type { PictureParameters } from "@packshot/domain/edits/framing.ts";
import type { EditParameters } from "@packshot/domain/edits/tools.ts";

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

/**
 * Before a file is received or stored for a job that its account has no room for; the accept decides again. Throws
 * `queue_full`.
 */
export async function assertSourceRoom(
  { log }: { readonly log: Log },
  { account, key }: Caller,
  fileBytes: number,
): Promise<void> {
  try {
    assertSourceFits(account, key.live, fileBytes);
  } catch {
    // The caller's account comes from a cache, which may not know yet that jobs have ended.
    const { value } = await log.read<Account>(subjects.account(account.accountId));
    if (value !== undefined) assertSourceFits(value, key.live, fileBytes);
  }
}

interface PicturedEdit {
  readonly background?: EditSource;
  readonly mask?: EditSource;
  readonly logo?: EditSource;
  readonly parameters: EditParameters;
}

/** The picture behind the product, given beside the parameters or named in them. Throws `invalid_request`. */
export function backgroundSource({ background, parameters }: PicturedEdit): EditSource | undefined {
  if (background !== undefined) return background;
  const behind = backgroundOf(parameters);
  if (behind.kind !== "image") return undefined;
  return pictureSource(parameters.background === undefined ? "backgroundImage" : "background", behind);
}

/** The picture over a corner of the result, given beside the parameters or named in them. Throws `invalid_request`. */
export function logoSource({ logo, parameters }: PicturedEdit): EditSource | undefined {
  return logo ?? pictureSource("logo", parameters.logo);
}

/** The caller's own matte, given beside the parameters or named in them. Throws `invalid_request`. */
export function maskSource({ mask, parameters }: PicturedEdit): EditSource | undefined {
  if (mask !== undefined && parameters.maskImage !== undefined) {
    throw invalid("maskImage", "Give one mask: the file maskImage, or one of its imageUrl and uploadSessionId.");
  }
  return mask ?? pictureSource("maskImage", parameters.maskImage);
}

function pictureSource(
  name: "background" | "backgroundImage" | "maskImage" | "logo",
  picture: PictureParameters | undefined,
): EditSource | undefined {
  if (picture === undefined) return undefined;
  const field = `parameters.${name}`;
  const { imageUrl, uploadSessionId } = picture;
  if ((imageUrl === undefined) === (uploadSessionId === undefined)) {
    throw invalid(field, `"${field}" needs one of imageUrl and uploadSessionId.`);
  }
  if (imageUrl === undefined) return { kind: "upload", uploadId: uploadSessionId! };
  return { kind: "url", imageUrl: readImageUrl(imageUrl, `${field}.imageUrl`) };
}

function invalid(name: string, message: string): PackshotError {
  return new PackshotError("invalid_request", message, { details: { field: name } });
}
