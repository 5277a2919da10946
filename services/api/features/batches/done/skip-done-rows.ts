/**
 * Prepares rows of a batch that skips what was done before: the photo of each, and the picture behind the product where that
 * is at a URL, are fetched into the places where its job has them, and their bytes tell whether there need be a job. Rows of all
 * other batches are prepared by `createPrepareRows`.
 */

import { createHash } from "node:crypto";
import type { Batch } from "@packshot/domain/batches/batch.ts";
import type { BucketFile } from "@packshot/domain/connections/bucket-key.ts";
import { type EngineRules, engineOf, jobEngine } from "@packshot/domain/edits/engine.ts";
import {
  mapPictures,
  mapPicturesAsync,
  type Pictures,
  pictureCodes,
  pictureProblem,
  picturesOf,
} from "@packshot/domain/edits/pictures.ts";
import type { EditParameters, ToolId } from "@packshot/domain/edits/tools.ts";
import { type ErrorCode, PackshotError } from "@packshot/domain/errors.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { createSharedLimiter } from "@packshot/platform/flow/shared-limiter.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { canonicalJson } from "../../../http/idempotency.ts";
import { faultsOfReference, gainsOf, pictureSources } from "../../edits/edit-source.ts";
import { type CopyUploadDeps, copyUpload, faultsOfUpload } from "../rows/copy-upload.ts";
import { type PreparedRow, type PrepareRows, sourceUrl, type ValidRow } from "../rows/row.ts";
import type { DoneRows } from "./done-rows.ts";
import { createHashedFiles, type HashedFile, type HashedFilesDeps, type Preparing } from "./hashed-files.ts";

export interface SkipDoneRowsDeps extends HashedFilesDeps {
  readonly storage: HashedFilesDeps["storage"] & Pick<Storage, "deletePrefix">;
  readonly doneRows: Pick<DoneRows, "handOut">;
  /** Prepares rows that are edited whatever was done before. */
  readonly prepareRows: PrepareRows;
  /** Names the model that would run: another version of it makes another image. */
  readonly modelIdentity: (model: string | undefined) => string;
  readonly engines: (live: boolean) => EngineRules;
}

type PreparedJob = Extract<PreparedRow, { kind: "job" }>;

interface HashedJob {
  readonly prepared: PreparedJob;
  readonly fingerprint: string;
}

/** Shared by accounts: a photo may take as long as `sourceTimeoutMs`. */
const fetchesMax = 32;
/** Why a row fails: each is a fault of its photo or of the shop, and a retry of the batch tries it again. */
const faultsOfSource: readonly ErrorCode[] = ["source_unreachable", "source_forbidden", "file_too_large"];
const faultsOfPicture: readonly ErrorCode[] = [...faultsOfSource, ...faultsOfReference];

export function createSkipDoneRows(deps: SkipDoneRowsDeps): PrepareRows {
  const { storage, doneRows, prepareRows, modelIdentity, engines, nowMs } = deps;
  const { fetchPhoto, fetchPicture, hashFile } = createHashedFiles(deps);
  const share = createSharedLimiter(fetchesMax);

  async function prepareSource(of: Preparing, row: ValidRow): Promise<(HashedFile & { jobId: string }) | PreparedRow> {
    if (row.source.kind !== "upload") {
      const jobId = uuidv7(nowMs());
      return { jobId, ...(await fetchPhoto(of, row.source, storageKeys.source(of.batch.accountId, jobId))) };
    }
    const [prepared] = await prepareRows(of, [row], of.signal);
    if (prepared!.kind !== "job" || prepared!.source.kind !== "file") return prepared!;
    const { file } = prepared!.source;
    return { jobId: prepared!.jobId, file, sha256: await hashFile(file.key) };
  }

  async function prepare(of: Preparing, row: ValidRow): Promise<HashedJob | PreparedRow> {
    const photo = await prepareSource(of, row);
    if ("kind" in photo) return photo;
    const { jobId, file, sha256 } = photo;
    const { accountId } = of.batch;
    const pictures = await mapPicturesAsync(pictureSources(row), async (picture, part) => {
      const key = storageKeys.picture(accountId, jobId, part);
      return await fetchPicture(of, picture, key).catch(async (error: unknown) => {
        await storage.deletePrefix(storageKeys.job(accountId, jobId));
        throw isFaultOf(faultsOfPicture, error) ? pictureProblem(part, error.message, error) : error;
      });
    });
    const fetched = picturesOf(pictures);
    const { tool, destination } = row;
    const rules = engines(true);
    const parameters = asPainted(row, rules);
    const fingerprint = fingerprintOf({
      live: true,
      source: sha256,
      tool,
      parameters: withoutJobId(parameters),
      model: modelIdentity(parameters.model),
      ...(parameters.engine === "generative" && { imageModels: rules.imageModels ?? [] }),
      destination,
      ...mapPictures(fetched, ({ sha256: ofPicture, gains }) =>
        gains === undefined ? ofPicture : `${ofPicture} ${canonicalJson(gains)}`,
      ),
    });
    const engine = jobEngine(tool, row.parameters, rules);
    const prepared: PreparedJob = {
      kind: "job",
      // The engine that the fingerprint tells is the one that paints.
      row: { ...row, parameters: engine.parameters },
      ...(engine.mayRender && { mayRender: true }),
      jobId,
      source: { kind: "file", file },
      ...mapPictures(fetched, (picture) => ({ kind: "file", file: picture.file, ...gainsOf(picture) }) as const),
    };
    return { prepared, fingerprint };
  }

  async function prepareOrFail(of: Preparing, row: ValidRow): Promise<HashedJob | PreparedRow> {
    try {
      return await prepare(of, row);
    } catch (error) {
      if (!isFaultOf([...faultsOfSource, ...Object.values(pictureCodes)], error)) throw error;
      const { code, message } = error;
      return { kind: "outcome", outcome: { row: row.row, status: "failed", code, message } };
    }
  }

  return async (of, rows, signal) => {
    const { batch } = of;
    // Jobs of test keys make no edit, so none was done before.
    if (batch.onExisting !== "skip" || !batch.live) return await prepareRows(of, rows, signal);
    const { accountId } = batch;
    const preparing: Preparing = { ...of, pictures: new Map(), signal };
    const prepared = await Promise.all(rows.map((row) => share(accountId, () => prepareOrFail(preparing, row))));
    const hashed = prepared.flatMap((row) => ("fingerprint" in row && "prepared" in row ? [row] : []));
    const same = await doneRows.handOut(
      batch,
      hashed.map(({ prepared: { row, jobId }, fingerprint }) => ({ fingerprint, row: row.row, jobId })),
    );
    const skipped = hashed.filter(({ prepared: { row } }) => same.has(row.row));
    await Promise.all(
      skipped.map(({ prepared: { jobId } }) =>
        share(accountId, () => storage.deletePrefix(storageKeys.job(accountId, jobId))),
      ),
    );
    return prepared.map((row): PreparedRow => {
      if (!("prepared" in row)) return row;
      const sameAs = same.get(row.prepared.row.row);
      if (sameAs === undefined) return { ...row.prepared, fingerprint: row.fingerprint };
      return { kind: "outcome", outcome: { row: row.prepared.row.row, status: "skipped", sameAs } };
    });
  };
}

function isFaultOf(codes: readonly ErrorCode[], error: unknown): error is PackshotError {
  return error instanceof PackshotError && codes.includes(error.code);
}

/** The picture's bytes count, not the job that has them. */
function withoutJobId({ toneImage, ...parameters }: EditParameters): EditParameters {
  if (toneImage === undefined) return parameters;
  const { jobId: _, ...rest } = toneImage;
  return { ...parameters, toneImage: rest };
}

/**
 * What makes two rows the same edit: equal fingerprints give the same image, up to the seed. Of pictures that are at a URL, the
 * SHA-256 of their bytes.
 */
export interface FingerprintedEdit extends Pictures<string> {
  /** false: of a sandbox job, whose image is no edit. */
  readonly live: boolean;
  /** SHA-256 of the source's bytes, in hex. */
  readonly source: string;
  readonly tool: ToolId;
  /** As the row has them: without a seed that was drawn. */
  readonly parameters: EditParameters;
  /** `name@version` of the model that would run. */
  readonly model: string;
  /** As the row has it: what went elsewhere is not where this row's result is to be. Absent: it stays with the batch. */
  readonly destination?: BucketFile | undefined;
}

/** An image model's scene is another image than the renderer's, whoever chose it; the renderer's is the one that it was before. */
function asPainted({ tool, parameters }: ValidRow, rules: EngineRules): ValidRow["parameters"] {
  const engine = engineOf(tool, parameters, rules);
  return engine === "generative" ? { ...parameters, engine } : parameters;
}

export function fingerprintOf(edit: FingerprintedEdit): string {
  return createHash("sha256")
    .update(canonicalJson({ v: 1, ...edit }))
    .digest("hex");
}

/** Prepares rows that are edited whatever was done before: the worker fetches a photo by its link. */
export function createPrepareRows(deps: CopyUploadDeps): PrepareRows {
  async function prepare(batch: Batch, row: ValidRow): Promise<PreparedRow> {
    const { source } = row;
    const jobId = uuidv7(deps.nowMs());
    if (source.kind !== "upload") {
      return { kind: "job", row, jobId, source: { kind: "url", imageUrl: sourceUrl(source) } };
    }
    try {
      const { uploadId } = source;
      const file = await copyUpload(deps, batch, { uploadId, key: storageKeys.source(batch.accountId, jobId) });
      return { kind: "job", row, jobId, source: { kind: "file", file } };
    } catch (error) {
      if (!(error instanceof PackshotError) || !faultsOfUpload.includes(error.code)) throw error;
      const { code, message } = error;
      return { kind: "outcome", outcome: { row: row.row, status: "failed", code, message } };
    }
  }

  return ({ batch }, rows) => Promise.all(rows.map((row) => prepare(batch, row)));
}
