/**
 * The last of three steps from a row to its job: rows are prepared, skipped where they were done before (both in
 * `skip-done-rows.ts`), and given what their jobs have besides the photo: where the result goes, and pictures.
 */
import type { Batch } from "@packshot/domain/batches/batch.ts";
import { baseNameOf, hasPlaceholder } from "@packshot/domain/connections/bucket-key.ts";
import { assertEngine, rendererOnly } from "@packshot/domain/edits/engine.ts";
import { mapPicturesAsync, type PicturePart, pictureProblem, picturesOf } from "@packshot/domain/edits/pictures.ts";
import { assertPipeline } from "@packshot/domain/edits/pipeline.ts";
import { type ErrorCode, PackshotError } from "@packshot/domain/errors.ts";
import type { JobSource } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import {
  copyJobFile,
  faultsOfReference,
  gainsOf,
  type NamedPicture,
  pictureSources,
  referenceSource,
} from "../../edits/edit-source.ts";
import { readUpload } from "../../uploads/upload-actions.ts";
import { placeResult } from "../read/row-fields.ts";
import { type CopyUploadDeps, copyUpload, faultsOfUpload } from "../rows/copy-upload.ts";
import type { PreparedRow, PrepareRows } from "../rows/row.ts";

export interface CompleteJobsDeps extends CopyUploadDeps {
  readonly storage: Pick<Storage, "copy" | "deletePrefix">;
  /** Prepares rows, but for those that were done. */
  readonly skipDoneRows: PrepareRows;
  /** Versions of the pipeline that running workers have. */
  readonly pipelines: () => readonly string[];
  readonly isPipelineGone: (version: string) => boolean;
  readonly isImageModelGone: () => boolean;
}

type PreparedJob = Extract<PreparedRow, { kind: "job" }>;

interface PicturePlace {
  readonly part: PicturePart;
  readonly key: string;
}

/** Why a row can have no job, now or later: a name of an upload's file, for one, is known only now. */
const faultsOfRow: readonly ErrorCode[] = [
  ...faultsOfUpload,
  "invalid_request",
  "pipeline_not_available",
  "engine_not_available",
  "tone_unusable",
];

export function createCompleteJobs(deps: CompleteJobsDeps): PrepareRows {
  const { storage, skipDoneRows } = deps;

  async function destinationOf(batch: Batch, { row, jobId }: PreparedJob) {
    const { source, destination } = row;
    if (destination === undefined) return undefined;
    const ids = { jobId, batchId: batch.id };
    if (source.kind !== "upload" || !hasPlaceholder(destination.key, "name")) return placeResult(row, ids);
    const { filename } = await readUpload(deps, { realm: batch, uploadId: source.uploadId });
    return placeResult(row, { ...ids, name: baseNameOf(filename) });
  }

  /** They ran when the row was read. The job would be queued until its deadline. Test keys have an image model of their own. */
  function withWorkers({ live }: Batch, prepared: PreparedJob): PreparedJob {
    const { parameters } = prepared.row;
    const { pipeline } = parameters;
    if (pipeline !== undefined && deps.isPipelineGone(pipeline)) assertPipeline(deps.pipelines(), pipeline);
    if (!live || parameters.engine !== "generative" || !deps.isImageModelGone()) return prepared;
    if (!prepared.mayRender) assertEngine(parameters, rendererOnly);
    return renderedInstead(prepared);
  }

  async function pictureOf(batch: Batch, picture: NamedPicture, { part, key }: PicturePlace): Promise<JobSource> {
    switch (picture.kind) {
      case "url":
        return picture;
      case "upload":
        return { kind: "file", file: await copyUpload(deps, batch, { uploadId: picture.uploadId, key }) };
      case "reference":
        return await pictureOfJob(batch, picture.jobId, key).catch(asProblemOfReference(part));
    }
  }

  async function pictureOfJob(batch: Batch, jobId: string, key: string): Promise<JobSource> {
    const source = await referenceSource(deps, batch, jobId);
    if (source.kind === "url") return source;
    return { kind: "file", file: await copyJobFile(deps, source.file, key), ...gainsOf(source) };
  }

  async function complete(batch: Batch, prepared: PreparedRow): Promise<PreparedRow> {
    if (prepared.kind !== "job") return prepared;
    try {
      const staying = withWorkers(batch, prepared);
      const destination = await destinationOf(batch, staying);
      const { row, jobId } = staying;
      const pictures = await mapPicturesAsync(pictureSources(row), async (source, part) => {
        const key = storageKeys.picture(batch.accountId, jobId, part);
        return prepared[part] ?? (await pictureOf(batch, source, { part, key }));
      });
      return { ...staying, ...(destination && { destination }), ...picturesOf(pictures) };
    } catch (error) {
      if (!(error instanceof PackshotError) || !faultsOfRow.includes(error.code)) throw error;
      await storage.deletePrefix(storageKeys.job(batch.accountId, prepared.jobId));
      const { code, message } = error;
      return { kind: "outcome", outcome: { row: prepared.row.row, status: "failed", code, message } };
    }
  }

  return async (of, rows, signal) => {
    const prepared = await skipDoneRows(of, rows, signal);
    return await Promise.all(prepared.map((row) => complete(of.batch, row)));
  };
}

/** The row left its engine open, and the image model was lost since that was decided. Its fingerprint is that of another picture. */
function renderedInstead({ fingerprint: _, mayRender: _decided, row, ...prepared }: PreparedJob): PreparedJob {
  return { ...prepared, row: { ...row, parameters: { ...row.parameters, engine: "renderer" } } };
}

function asProblemOfReference(part: PicturePart): (error: unknown) => never {
  return (error) => {
    const isFault = error instanceof PackshotError && faultsOfReference.includes(error.code);
    throw isFault ? pictureProblem(part, error.message, error) : error;
  };
}
