/** The files that an edit reads: the photo, and the pictures that came with it. */

import {
  mapPicturesAsync,
  type PicturePart,
  type Pictures,
  pictureProblem,
  picturesOf,
} from "@packshot/domain/edits/pictures.ts";
import { isJobErrorCode, PackshotError } from "@packshot/domain/errors.ts";
import type { JobSource, ProcessingJob } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { fetchJobSource, isSandboxSource, type JobSourceDeps, sandboxPhoto } from "./fetch-job-source.ts";
import type { ReleaseWhile } from "./worker-slots.ts";

export interface EditFiles extends Pictures<Uint8Array> {
  readonly source: Uint8Array;
}

export interface EditFilesDeps extends JobSourceDeps {
  readonly storage: Storage;
}

export interface FilesRun {
  readonly signal: AbortSignal;
  readonly releaseWhile: ReleaseWhile;
}

/** Resolves with what reads the files, once they are in storage. */
export async function findEditFiles(
  deps: EditFilesDeps,
  job: ProcessingJob,
  run: FilesRun,
): Promise<() => Promise<EditFiles>> {
  const { accountId, id, source } = job;
  const sourceKey = await findFile(
    deps,
    { job, source, part: "source", fetchedKey: storageKeys.source(accountId, id) },
    run,
  );
  const found = await mapPicturesAsync(picturesOf<JobSource>(job), async (picture, part) => {
    const wanted = { job, source: picture, part, fetchedKey: storageKeys.picture(accountId, id, part) };
    return { key: await findFile(deps, wanted, run).catch(asProblemOf(part)) };
  });
  return async () => ({
    source: await readFile(deps, job, sourceKey),
    ...(await mapPicturesAsync(found, async ({ key }, part) => {
      return await readFile(deps, job, key).catch(asProblemOf(part));
    })),
  });
}

interface WantedFile {
  readonly job: ProcessingJob;
  readonly source: JobSource;
  readonly part: "source" | PicturePart;
  /** Where it is if it was prefetched. */
  readonly fetchedKey: string;
}

/**
 * Resolves with the file's key; undefined: it is the sandbox's photo. One that is fetched is written to storage, not to memory, because many are fetched at once
 * by jobs that have released their slots.
 */
async function findFile(
  deps: EditFilesDeps,
  { job, source, part, fetchedKey }: WantedFile,
  { signal, releaseWhile }: FilesRun,
): Promise<string | undefined> {
  const { storage } = deps;
  if (source.kind === "file") return source.file.key;
  if (isSandboxSource({ ...job, source })) return undefined;
  if ((await storage.stat(fetchedKey)) !== undefined) return fetchedKey;
  const key = storageKeys.attempt(job.accountId, job.id, job.attemptId) + fetchedKey.split("/").at(-1)!;
  const limits = { bytesMax: job.maxFileSizeBytes };
  const request = { job, part, imageUrl: source.imageUrl, ...limits, signal };
  await releaseWhile(() => fetchJobSource(deps, request, (stream) => storage.write(key, stream, limits)));
  return key;
}

async function readFile({ storage }: EditFilesDeps, job: ProcessingJob, key: string | undefined): Promise<Uint8Array> {
  if (key === undefined) return await sandboxPhoto();
  const bytes = await storage.read(key, { bytesMax: job.maxFileSizeBytes });
  if (bytes !== undefined) return bytes;
  throw new PackshotError("source_unreachable", "The source image is no longer in storage.");
}

function asProblemOf(part: PicturePart): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof PackshotError) || !isJobErrorCode(error.code)) throw error;
    throw pictureProblem(part, error.message, error);
  };
}
