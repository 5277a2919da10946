/** Fetches photos and pictures of rows into the places where their jobs have them, and tells the hash of their bytes. */

import { createHash } from "node:crypto";
import { pipeline, Transform } from "node:stream";
import type { Account } from "@packshot/domain/accounts/account.ts";
import type { Batch } from "@packshot/domain/batches/batch.ts";
import { isBucketUrl, parseBucketUrl } from "@packshot/domain/connections/bucket-key.ts";
import type { ToneGains } from "@packshot/domain/edits/tone.ts";
import type { FileRef } from "@packshot/domain/jobs/job.ts";
import type { AllowList } from "@packshot/platform/outbound/address-guard.ts";
import { fetchSource, type SourceLimits } from "@packshot/platform/outbound/fetch-source.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { BucketLinks } from "../../connections/bucket-links.ts";
import { copyJobFile, gainsOf, type NamedPicture, referenceSource } from "../../edits/edit-source.ts";
import type { ReadJobDeps } from "../../jobs/job-actions.ts";
import { type AddressedSource, sourceUrl } from "../rows/row.ts";

export interface HashedFilesDeps extends ReadJobDeps {
  readonly storage: Pick<Storage, "write" | "open" | "copy" | "assertRoom">;
  /** For photos in customers' buckets. */
  readonly links: Pick<BucketLinks, "ofSource">;
  readonly allowSources: AllowList;
  readonly allowConnections: AllowList;
  readonly sourceTimeoutMs: number;
}

export interface HashedFile {
  readonly file: FileRef;
  readonly sha256: string;
  /** What its job made of the light in it. */
  readonly gains?: ToneGains;
}

/** Pictures that rows of one hand-out share are fetched once. */
type FetchedPictures = Map<string, Promise<HashedFile>>;

export interface Preparing {
  readonly batch: Batch;
  readonly account: Account;
  readonly pictures: FetchedPictures;
  readonly signal: AbortSignal;
}

export interface HashedFiles {
  fetchPhoto(of: Preparing, source: AddressedSource, key: string): Promise<HashedFile>;
  /** undefined: its name says all of it. Throws `not_found` and `job_expired` of a job. */
  fetchPicture(of: Preparing, picture: NamedPicture, key: string): Promise<HashedFile | undefined>;
  hashFile(key: string): Promise<string>;
}

export function createHashedFiles(deps: HashedFilesDeps): HashedFiles {
  const { storage } = deps;

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

  /**
   * A picture at a URL may be another one tomorrow, and jobs with several ids may show the same. That of an upload session is known
   * by the session's id.
   */
  async function fetchPicture(of: Preparing, picture: NamedPicture, key: string): Promise<HashedFile | undefined> {
    switch (picture.kind) {
      case "upload":
        return undefined;
      case "url":
        return await fetchOnce(of, picture.imageUrl, key, () => fetchAddressed(of, picture.imageUrl, key));
      case "reference":
        return await fetchOnce(of, `job:${picture.jobId}`, key, () => fetchReference(of, picture.jobId, key));
    }
  }

  async function fetchOnce(of: Preparing, name: string, key: string, fetchFile: () => Promise<HashedFile>) {
    const known = of.pictures.get(name);
    if (known === undefined) {
      const fetching = fetchFile();
      of.pictures.set(name, fetching);
      return await fetching;
    }
    const { file, ...rest } = await known;
    if (await storage.copy(file.key, key)) return { file: { ...file, key }, ...rest };
    // The row that fetched it has failed since, and its files are gone.
    return await fetchFile();
  }

  async function fetchAddressed(of: Preparing, imageUrl: string, key: string): Promise<HashedFile> {
    const isInBucket = isBucketUrl(imageUrl);
    return await fetchPhoto(
      of,
      isInBucket ? { kind: "connection", ...parseBucketUrl(imageUrl) } : { kind: "url", imageUrl },
      key,
    );
  }

  async function fetchReference(of: Preparing, jobId: string, key: string): Promise<HashedFile> {
    const source = await referenceSource(deps, of.batch, jobId);
    if (source.kind === "url") return { ...(await fetchAddressed(of, source.imageUrl, key)), ...gainsOf(source) };
    return { file: await copyJobFile(deps, source.file, key), sha256: await hashFile(key), ...gainsOf(source) };
  }

  async function hashFile(key: string): Promise<string> {
    const file = await storage.open(key);
    const hash = createHash("sha256");
    for await (const chunk of file?.stream ?? []) hash.update(chunk as Buffer);
    return hash.digest("hex");
  }

  return { fetchPhoto, fetchPicture, hashFile };
}
