/**
 * Prepares rows of a batch that skips what was done before: the photo of each is fetched into the place where its job has
 * it, and its bytes tell whether there need be a job.
 */
import { createHash } from "node:crypto";
import { pipeline, Transform } from "node:stream";
import type { Account } from "@packshot/domain/account.ts";
import type { Batch } from "@packshot/domain/batch.ts";
import { type ErrorCode, PackshotError } from "@packshot/domain/errors.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { FileRef } from "@packshot/domain/job.ts";
import { storageKeys } from "@packshot/domain/storage-keys.ts";
import { createSharedLimiter } from "@packshot/platform/flow/shared-limiter.ts";
import type { AllowList } from "@packshot/platform/outbound/address-guard.ts";
import { fetchSource, type SourceLimits } from "@packshot/platform/outbound/fetch-source.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { BucketLinks } from "../buckets/bucket-links.ts";
import type { DoneRows } from "./done-rows.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { type AddressedSource, type PreparedRow, type PrepareRows, sourceUrl, type ValidRow } from "./row.ts";

export interface SkipDoneRowsDeps {
  readonly storage: Pick<Storage, "write" | "open" | "deletePrefix" | "assertRoom">;
  readonly doneRows: Pick<DoneRows, "handOut">;
  /** Of rows that are edited whatever was done before. */
  readonly prepareRows: PrepareRows;
  /** For photos in customers' buckets. */
  readonly links: Pick<BucketLinks, "ofSource">;
  readonly allowSources: AllowList;
  readonly allowConnections: AllowList;
  readonly sourceTimeoutMs: number;
  /** Of the model that would run: another version of it makes another image. */
  readonly modelIdentity: (model: string | undefined) => string;
  readonly nowMs: () => number;
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

  async function fetchPhoto(
    batch: Batch,
    { limits }: Account,
    source: AddressedSource,
    signal: AbortSignal,
  ): Promise<{ readonly jobId: string; readonly file: FileRef; readonly sha256: string }> {
    const jobId = uuidv7(nowMs());
    const key = storageKeys.source(batch.accountId, jobId);
    const bytesMax = limits.maxFileSizeBytes;
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
    return { jobId, file, sha256: hash.digest("hex") };
  }

  async function hashFile(key: string): Promise<string> {
    const file = await storage.open(key);
    const hash = createHash("sha256");
    for await (const chunk of file?.stream ?? []) hash.update(chunk as Buffer);
    return hash.digest("hex");
  }

  async function prepare(
    of: { readonly batch: Batch; readonly account: Account },
    row: ValidRow,
    signal: AbortSignal,
  ): Promise<HashedJob | PreparedRow> {
    const fingerprint = (source: string) => {
      const { tool, parameters, destination } = row;
      const model = modelIdentity(parameters.model);
      return fingerprintOf({ live: true, source, tool, parameters, model, destination });
    };
    if (row.source.kind !== "upload") {
      const { jobId, file, sha256 } = await fetchPhoto(of.batch, of.account, row.source, signal);
      const prepared = { kind: "job", row, jobId, source: { kind: "file", file } } as const;
      return { prepared, fingerprint: fingerprint(sha256) };
    }
    const [prepared] = await prepareRows(of, [row], signal);
    if (prepared!.kind !== "job" || prepared!.source.kind !== "file") return prepared!;
    return { prepared: prepared!, fingerprint: fingerprint(await hashFile(prepared!.source.file.key)) };
  }

  async function prepareOrFail(...[of, row, signal]: Parameters<typeof prepare>): Promise<HashedJob | PreparedRow> {
    try {
      return await prepare(of, row, signal);
    } catch (error) {
      if (!(error instanceof PackshotError) || !faultsOfSource.includes(error.code)) throw error;
      const { code, message } = error;
      return { kind: "outcome", outcome: { row: row.row, status: "failed", code, message } };
    }
  }

  return async (of, rows, signal) => {
    const { batch } = of;
    // Jobs of test keys make no edit, so none was done before.
    if (batch.onExisting !== "skip" || !batch.live) return await prepareRows(of, rows, signal);
    const { accountId } = batch;
    const prepared = await Promise.all(rows.map((row) => share(accountId, () => prepareOrFail(of, row, signal))));
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
