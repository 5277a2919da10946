/** The files that an edit reads: the photo, and the picture behind it, its mask and its logo where there are any. */
import { isJobErrorCode, PackshotError } from "@packshot/domain/errors.ts";
import type { JobSource, ProcessingJob } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { fetchJobSource, type JobSourceDeps } from "./fetch-job-source.ts";
import { isSandboxSource, sandboxPhoto } from "./fetch-job-source.ts";
import type { ReleaseWhile } from "./worker-slots.ts";

export interface EditFiles {
  readonly source: Uint8Array;
  readonly background?: Uint8Array;
  readonly mask?: Uint8Array;
  readonly logo?: Uint8Array;
}

const pictureParts = ["background", "mask", "logo"] as const;
type PicturePart = (typeof pictureParts)[number];

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
  if (isSandboxSource(job)) return async () => ({ source: await sandboxPhoto() });
  const { accountId, id, source } = job;
  const sourceKey = await findFile(
    deps,
    { job, source, part: "source", fetchedKey: storageKeys.source(accountId, id) },
    run,
  );
  const keys = new Map<PicturePart, string>();
  for (const part of pictureParts) {
    const picture = job[part];
    if (picture === undefined) continue;
    const wanted = { job, source: picture, part, fetchedKey: storageKeys[part](accountId, id) };
    keys.set(part, await findFile(deps, wanted, run).catch(asProblemOf(part)));
  }
  return async () => {
    const files = { source: await readFile(deps, job, sourceKey) };
    const pictures: Pick<EditFiles, PicturePart> = Object.fromEntries(
      await Promise.all(
        [...keys].map(async ([part, key]) => [part, await readFile(deps, job, key).catch(asProblemOf(part))] as const),
      ),
    );
    return { ...files, ...pictures };
  };
}

interface WantedFile {
  readonly job: ProcessingJob;
  readonly source: JobSource;
  readonly part: "source" | PicturePart;
  /** Where it is if it was prefetched. */
  readonly fetchedKey: string;
}

/**
 * Resolves with the file's key. One that is fetched is written to storage, not to memory, because many are fetched at once
 * by jobs that have released their slots.
 */
async function findFile(
  deps: EditFilesDeps,
  { job, source, part, fetchedKey }: WantedFile,
  { signal, releaseWhile }: FilesRun,
): Promise<string> {
  const { storage } = deps;
  if (source.kind === "file") return source.file.key;
  if ((await storage.stat(fetchedKey)) !== undefined) return fetchedKey;
  const key = storageKeys.attempt(job.accountId, job.id, job.attemptId) + fetchedKey.split("/").at(-1)!;
  const limits = { bytesMax: job.maxFileSizeBytes };
  const request = { job, part, imageUrl: source.imageUrl, ...limits, signal };
  await releaseWhile(() => fetchJobSource(deps, request, (stream) => storage.write(key, stream, limits)));
  return key;
}

async function readFile({ storage }: EditFilesDeps, job: ProcessingJob, key: string): Promise<Uint8Array> {
  const bytes = await storage.read(key, { bytesMax: job.maxFileSizeBytes });
  if (bytes !== undefined) return bytes;
  throw new PackshotError("source_unreachable", "The source image is no longer in storage.");
}

/** What is wrong with a picture beside the photo, so that the client looks for it there and not in the photo. */
function asProblemOf(part: PicturePart): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof PackshotError) || !isJobErrorCode(error.code)) throw error;
    const what = part === "background" ? "background picture" : part;
    throw new PackshotError(`${part}_unusable`, `The ${what} cannot be used: ${error.message}`, { cause: error });
  };
}
