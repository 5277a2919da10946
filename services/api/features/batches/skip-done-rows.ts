/**
 * Prepares rows of a batch that skips what was done before: the photo of each, and the picture behind the product where that
 * is at a URL, are fetched into the places where its job has them, and their bytes tell whether there need be a job.
 */

import { createHash } from "node:crypto";
import { pipeline, Transform } from "node:stream";
import type { Account } from "@packshot/domain/accounts/account.ts";
import type { Batch } from "@packshot/domain/batches/batch.ts";
import { type BucketFile, isBucketUrl, parseBucketUrl } from "@packshot/domain/connections/bucket-key.ts";
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
import type { FileRef } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { createSharedLimiter } from "@packshot/platform/flow/shared-limiter.ts";
import type { AllowList } from "@packshot/platform/outbound/address-guard.ts";
import { fetchSource, type SourceLimits } from "@packshot/platform/outbound/fetch-source.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { canonicalJson } from "../../http/idempotency.ts";
import type { BucketLinks } from "../connections/bucket-links.ts";
import { type EditSource, pictureSources } from "../edits/edit-source.ts";
import type { DoneRows } from "./done-rows.ts";
import { type AddressedSource, type PreparedRow, type PrepareRows, sourceUrl, type ValidRow } from "./row.ts";

export interface SkipDoneRowsDeps {
  readonly storage: Pick<Storage, "write" | "open" | "copy" | "deletePrefix" | "assertRoom">;
  readonly doneRows: Pick<DoneRows, "handOut">;
  /** Prepares rows that are edited whatever was done before. */
  readonly prepareRows: PrepareRows;
  /** For photos in customers' buckets. */
  readonly links: Pick<BucketLinks, "ofSource">;
  readonly allowSources: AllowList;
  readonly allowConnections: AllowList;
  readonly sourceTimeoutMs: number;
  /** Names the model that would run: another version of it makes another image. */
  readonly modelIdentity: (model: string | undefined) => string;
  readonly nowMs: () => number;
}

type PreparedJob = Extract<PreparedRow, { kind: "job" }>;

interface HashedFile {
  readonly file: FileRef;
  readonly sha256: string;
}

/** Pictures that rows of one hand-out share are fetched once. */
type FetchedPictures = Map<string, Promise<HashedFile>>;

interface Preparing {
  readonly batch: Batch;
  readonly account: Account;
  readonly pictures: FetchedPictures;
  readonly signal: AbortSignal;
}

interface HashedJob {
  readonly prepared: PreparedJob;
  readonly fingerprint: string;
}

/** Shared by accounts: a photo may take as long as `sourceTimeoutMs`. */
const fetchesMax = 32;
/** Why a row fails: each is a fault of its photo or of the shop, and a retry of the batch tries it again. */
const faultsOfSource: readonly ErrorCode[] = ["source_unreachable", "source_forbidden", "file_too_large"];

export function createSkipDoneRows(deps: SkipDoneRowsDeps): PrepareRows {
  const { storage, doneRows, prepareRows, modelIdentity, nowMs } = deps;
  const share = createSharedLimiter(fetchesMax);

  /** A link to a photo in a bucket is signed now, and stands nowhere. */
  async function openPhoto(batch: Batch, source: AddressedSource, limits: Omit<SourceLimits, "allow" | "timeoutMs">) {
    const isInBucket = source.kind === "connection";
    const url = isInBucket ? (await deps.links.ofSource(batch, sourceUrl(source))).url : source.imageUrl;
    const allow = isInBucket ? deps.allowConnections : deps.allowSources;
    return await fetchSource(url, { allow, timeoutMs: deps.sourceTimeoutMs, ...limits });
  }

  async function fetchPhoto(of: Preparing, source: AddressedSource, key: string): Promise<HashedFile> {
    const { batch, account, signal } = of;
    const bytesMax = account.limits.maxFileSizeBytes;
    await storage.assertRoom(bytesMax);
    const { stream, contentType } = await openPhoto(batch, source, { bytesMax, signal });
    const hash = createHash("sha256");
    const hashed = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    // Either end that fails ends the other, so that no response is left open.
    pipeline(stream, hashed, () => {});
    const { bytes } = await storage.write(key, hashed, { bytesMax });
    const file = { key, bytes, contentType: contentType ?? "application/octet-stream" };
    return { file, sha256: hash.digest("hex") };
  }

  /** A picture at a URL may be another one tomorrow. That of an upload session is known by the session's id. */
  async function fetchPicture(
    of: Preparing,
    picture: EditSource | undefined,
    key: string,
  ): Promise<HashedFile | undefined> {
    if (picture?.kind !== "url") return undefined;
    const { imageUrl } = picture;
    const source: AddressedSource = isBucketUrl(imageUrl)
      ? { kind: "connection", ...parseBucketUrl(imageUrl) }
      : { kind: "url", imageUrl };
    const known = of.pictures.get(imageUrl);
    if (known === undefined) {
      const fetching = fetchPhoto(of, source, key);
      of.pictures.set(imageUrl, fetching);
      return await fetching;
    }
    const { file, sha256 } = await known;
    if (await storage.copy(file.key, key)) return { file: { ...file, key }, sha256 };
    // The row that fetched it has failed since, and its files are gone.
    return await fetchPhoto(of, source, key);
  }

  async function hashFile(key: string): Promise<string> {
    const file = await storage.open(key);
    const hash = createHash("sha256");
    for await (const chunk of file?.stream ?? []) hash.update(chunk as Buffer);
    return hash.digest("hex");
  }

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
        throw isFaultOf(faultsOfSource, error) ? pictureProblem(part, error.message, error) : error;
      });
    });
    const fetched = picturesOf(pictures);
    const { tool, parameters, destination } = row;
    const fingerprint = fingerprintOf({
      live: true,
      source: sha256,
      tool,
      parameters,
      model: modelIdentity(parameters.model),
      destination,
      ...mapPictures(fetched, ({ sha256: ofPicture }) => ofPicture),
    });
    const prepared: PreparedJob = {
      kind: "job",
      row,
      jobId,
      source: { kind: "file", file },
      ...mapPictures(fetched, (picture) => ({ kind: "file", file: picture.file }) as const),
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

export function fingerprintOf(edit: FingerprintedEdit): string {
  return createHash("sha256")
    .update(canonicalJson({ v: 1, ...edit }))
    .digest("hex");
}
