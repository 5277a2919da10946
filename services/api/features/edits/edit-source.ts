/** The source of an edit: a URL, an upload session or a file, stored below the job before it is accepted. */
import { createReadStream } from "node:fs";
import { type Account, assertSourceFits } from "@packshot/domain/accounts/account.ts";
import { isBucketUrl, parseBucketUrl } from "@packshot/domain/connections/bucket-key.ts";
import { backgroundOf } from "@packshot/domain/edits/background.ts";
import type { TonePictureParameters } from "@packshot/domain/edits/framing.ts";
import {
  type PictureFileField,
  type PicturePart,
  type Pictures,
  pictureFileFields,
  picturesOf,
} from "@packshot/domain/edits/pictures.ts";
import type { ToneGains } from "@packshot/domain/edits/tone.ts";
import type { EditParameters } from "@packshot/domain/edits/tools.ts";
import { type ErrorCode, PackshotError } from "@packshot/domain/errors.ts";
import { readImageUrl } from "@packshot/domain/jobs/image-url.ts";
import type { FileRef, JobSource } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { readChunkBytes, type Storage } from "@packshot/platform/storage/storage.ts";
import { type Caller, type Realm, realmOf } from "../../access/caller.ts";
import { assertConnection } from "../connections/find-connection.ts";
import { type ReadJobDeps, readJob } from "../jobs/job-actions.ts";
import { type ReadUploadDeps, readUpload } from "../uploads/upload-actions.ts";

/** The photo to edit, as the request names it. */
export type EditSource =
  | { readonly kind: "url"; readonly imageUrl: string; readonly gains?: ToneGains }
  | { readonly kind: "upload"; readonly uploadId: string }
  /** The file of a job that is run again. */
  | { readonly kind: "job"; readonly jobId: string; readonly file: FileRef; readonly gains?: ToneGains }
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

/** A picture as parameters name it. */
export type NamedPicture =
  | Extract<EditSource, { kind: "url" | "upload" }>
  /** Whatever shows the light of that job. */
  | { readonly kind: "reference"; readonly jobId: string };

type PictureSource = EditSource | NamedPicture;

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
  { caller, key, source: named }: { readonly caller: Caller; readonly key: string; readonly source: PictureSource },
): Promise<JobSource> {
  const { storage } = deps;
  const realm = realmOf(caller);
  const source = named.kind === "reference" ? await referenceSource(deps, realm, named.jobId) : named;
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
    return { kind: "file", file: await copyJobFile(deps, source.file, key), ...gainsOf(source) };
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

export type JobFileSource = Extract<EditSource, { kind: "url" | "job" }>;

/** What a job was made of, for another one. */
export function sourceOfJob(jobId: string, source: JobSource): JobFileSource {
  return source.kind === "url" ? source : { kind: "job", jobId, file: source.file, ...gainsOf(source) };
}

/** Whoever copies a picture's file copies them, too. */
export function gainsOf({ gains }: { readonly gains?: ToneGains }): { readonly gains?: ToneGains } {
  return gains === undefined ? {} : { gains };
}

/** Throws `job_expired`. */
export async function copyJobFile(
  { storage }: { readonly storage: Pick<Storage, "copy"> },
  file: FileRef,
  key: string,
): Promise<FileRef> {
  if (await storage.copy(file.key, key)) return { ...file, key };
  throw new PackshotError("job_expired", "The job's photo has been cleaned up: send it again.");
}

/** Why a job shows no light, now or later. */
export const faultsOfReference: readonly ErrorCode[] = ["not_found", "job_expired", "invalid_request"];

/**
 * What shows the light of a job: the picture that it matched itself, so that a set has one light, or else its photo. Its status
 * is all the same: a photo is there from the beginning, also that of a job that failed. Only where it takes its light out, that
 * is known when it has completed. Throws `not_found` and `invalid_request`.
 */
export async function referenceSource(deps: ReadJobDeps, realm: Realm, jobId: string): Promise<JobFileSource> {
  const field = "parameters.toneImage.jobId";
  const { value: job } = await readJob(deps, { realm, jobId }).catch((error: unknown) => {
    if (!(error instanceof PackshotError) || error.code !== "not_found") throw error;
    const message = "The job whose light was to be matched was not found: its id is unknown, or it has expired.";
    throw new PackshotError("not_found", message, { details: { field } });
  });
  if (job.parameters.tone !== "neutral" || job.parameters.alphaOnly === true)
    return sourceOfJob(job.id, job.tone ?? job.source);
  if (job.status !== "completed") {
    throw invalid(field, "The job whose light was to be matched makes its own neutral, and has not completed.");
  }
  const { gains } = (job.report.tone ?? {}) as { readonly gains?: ToneGains };
  return { ...sourceOfJob(job.id, job.source), ...(gains !== undefined && { gains }) };
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

type PicturedEdit<T> = Pictures<T> & { readonly parameters: EditParameters };

/**
 * The pictures of an edit. One that is given beside the parameters goes before the one that they name, which a preset may have.
 * Throws `invalid_request`.
 */
export function pictureSources<T extends EditSource = never>({
  parameters,
  ...given
}: PicturedEdit<T>): Pictures<T | NamedPicture> {
  const { maskImage, logo, paletteImage, toneImage } = parameters;
  return picturesOf<T | NamedPicture>({
    background: given.background ?? backgroundSource(parameters),
    mask: given.mask ?? pictureSource("maskImage", maskImage),
    logo: given.logo ?? pictureSource("logo", logo),
    palette: given.palette ?? pictureSource("paletteImage", paletteImage),
    tone: toneSource(parameters, given.tone ?? pictureSource("toneImage", toneImage)),
  });
}

/** A picture that a preset may have is not fetched where another tone goes before the preset's. */
function toneSource<T>({ tone, toneImage }: EditParameters, picture: T | undefined): T | undefined {
  if (tone === "match" && picture === undefined) {
    throw invalid("parameters.tone", '"parameters.tone" is "match": give the picture to match as "toneImage".');
  }
  if (tone !== "match" && picture !== undefined && toneImage === undefined) {
    throw invalid("toneImage", 'The file "toneImage" is for "parameters.tone": "match".');
  }
  return tone === "match" ? picture : undefined;
}

function backgroundSource(parameters: EditParameters): NamedPicture | undefined {
  const behind = backgroundOf(parameters);
  if (behind.kind !== "image") return undefined;
  return pictureSource(nameOfBackground(parameters), behind);
}

function nameOfBackground(parameters: EditParameters): "background" | "backgroundImage" {
  return parameters.background === undefined ? "backgroundImage" : "background";
}

type PictureName = ReturnType<typeof nameOfBackground> | PictureFileField | "logo";

function pathOf(name: PictureName): string {
  return `parameters.${name}`;
}

/** The field of a request that names this picture. */
export function fieldOfPicture(part: PicturePart, parameters: EditParameters): string {
  if (part === "background") return pathOf(nameOfBackground(parameters));
  return pathOf(part === "logo" ? part : pictureFileFields[part]);
}

function pictureSource(name: PictureName, picture: TonePictureParameters | undefined): NamedPicture | undefined {
  if (picture === undefined) return undefined;
  const field = pathOf(name);
  const { imageUrl, uploadSessionId, jobId } = picture;
  if ([imageUrl, uploadSessionId, jobId].filter((place) => place !== undefined).length !== 1) {
    const places = name === "toneImage" ? "imageUrl, uploadSessionId and jobId" : "imageUrl and uploadSessionId";
    throw invalid(field, `"${field}" needs one of ${places}.`);
  }
  if (jobId !== undefined) return { kind: "reference", jobId };
  if (imageUrl === undefined) return { kind: "upload", uploadId: uploadSessionId! };
  return { kind: "url", imageUrl: readImageUrl(imageUrl, `${field}.imageUrl`) };
}

function invalid(name: string, message: string): PackshotError {
  return new PackshotError("invalid_request", message, { details: { field: name } });
}
