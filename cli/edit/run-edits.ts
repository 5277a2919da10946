/** Edits photos, some at a time, until there are no more, one cannot go on for all, or the run is stopped. */
import type { PhotoOutcome } from "./edit-photo.ts";
import type { Photo } from "./photo.ts";
import type { FailedFile } from "./result-folder.ts";

export interface EditTally {
  edited: number;
  /** Done in an earlier run, or there already. */
  skipped: number;
  failed: number;
  /** Files of `outputs`, of photos that are edited, also in an earlier run. */
  filesFailed: number;
  credits: number;
  readonly failures: { readonly photo: string; readonly code: string; readonly message: string }[];
  /** Results that a person should look at, also those of earlier runs. */
  readonly reviews: { readonly photo: string; readonly file: string; readonly reasons: readonly string[] }[];
  readonly occupied: { readonly photo: string; readonly file: string }[];
}

export interface EditRun {
  readonly photos: AsyncIterable<Photo>;
  readonly parallel: number;
  readonly editPhoto: (photo: Photo) => Promise<PhotoOutcome>;
  onOutcome(photo: Photo, outcome: PhotoOutcome, tally: EditTally): void;
}

export interface EndedRun {
  readonly tally: EditTally;
  /** What ended it before its time: the signal's reason, or an error that concerns all photos. */
  readonly stoppedBy: unknown;
}

export async function runEdits({ photos, parallel, editPhoto, onOutcome }: EditRun): Promise<EndedRun> {
  const counts = { edited: 0, skipped: 0, failed: 0, filesFailed: 0, credits: 0 };
  const tally: EditTally = { ...counts, failures: [], reviews: [], occupied: [] };
  const iterator = photos[Symbol.asyncIterator]();
  let stoppedBy: unknown;

  async function work(): Promise<void> {
    try {
      while (stoppedBy === undefined) {
        const { done, value: photo } = await iterator.next();
        if (done || stoppedBy !== undefined) return;
        const outcome = await editPhoto(photo);
        count(tally, photo, outcome);
        onOutcome(photo, outcome, tally);
      }
    } catch (error) {
      // The others end what they have begun.
      stoppedBy ??= error;
    }
  }

  await Promise.all(Array.from({ length: parallel }, work));
  await iterator.return?.();
  return { tally, stoppedBy };
}

function count(tally: EditTally, { name: photo }: Photo, outcome: PhotoOutcome): void {
  switch (outcome.kind) {
    case "edited":
      tally.edited += 1;
      tally.credits += outcome.job.creditsCharged;
      review(tally, photo, outcome.file, outcome.job.report ?? {});
      countFailedFiles(tally, photo, outcome.failedFiles);
      break;
    case "done":
      tally.skipped += 1;
      review(tally, photo, outcome.file, outcome);
      countFailedFiles(tally, photo, outcome.failedFiles);
      break;
    case "occupied":
      tally.skipped += 1;
      tally.occupied.push({ photo, file: outcome.file });
      break;
    case "failed":
      tally.failed += 1;
      tally.failures.push({ photo, code: outcome.code, message: outcome.message });
  }
}

function countFailedFiles(tally: EditTally, photo: string, files: readonly FailedFile[] = []): void {
  for (const { name, ...failure } of files) {
    tally.filesFailed += 1;
    tally.failures.push({ photo: `${photo} (${name})`, ...failure });
  }
}

function review(
  tally: EditTally,
  photo: string,
  file: string,
  {
    quality,
    reasons = [],
  }: { readonly quality?: string | undefined; readonly reasons?: readonly string[] | undefined },
): void {
  if (quality === "review") tally.reviews.push({ photo, file, reasons });
}
