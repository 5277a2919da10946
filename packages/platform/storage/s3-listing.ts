/** What S3 does with many files at once: list, delete, and abort uploads that never ended. */
import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  type _Object,
} from "@aws-sdk/client-s3";
import type { S3Access } from "./s3-client.ts";
import { isNoSuchUpload } from "./s3-fault.ts";
import { StorageFault } from "./storage-fault.ts";

/** S3 lists and deletes no more at once. */
const keysPerRequest = 1_000;

/** The files whose keys begin with `prefix`, by pages. */
export async function* listPages(access: S3Access, prefix: string): AsyncGenerator<readonly _Object[]> {
  const { client, bucket: Bucket, call } = access;
  let token: string | undefined;
  do {
    const command = { Bucket, Prefix: prefix, MaxKeys: keysPerRequest, ...(token && { ContinuationToken: token }) };
    const page = await call("ListObjectsV2", (options) => client.send(new ListObjectsV2Command(command), options));
    yield page.Contents ?? [];
    token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
  } while (token !== undefined);
}

/** One page at most. Keys without a file are no error. */
export async function deleteFiles(access: S3Access, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const { client, bucket: Bucket, call } = access;
  const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true } });
  const { Errors = [] } = await call("DeleteObjects", (options) => client.send(command, options));
  const first = Errors.find(({ Code }) => Code !== "NoSuchKey");
  if (first === undefined) return;
  const code = first.Code ?? "Unknown";
  throw new StorageFault(`S3 DeleteObjects: ${code}: ${first.Message}`, { isCertain: false, code });
}

/** Those that began before `beforeMs`. Resolves with how many they were. */
export async function abortStaleUploads(access: S3Access, beforeMs: number): Promise<number> {
  const { client, bucket: Bucket, call } = access;
  let aborted = 0;
  let after: { KeyMarker?: string; UploadIdMarker?: string } = {};
  for (;;) {
    const command = { Bucket, Prefix: access.toObjectKey(""), ...after };
    const page: ListMultipartUploadsCommandOutput = await call("ListMultipartUploads", (options) =>
      client.send(new ListMultipartUploadsCommand(command), options),
    );
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (Initiated === undefined || Initiated.getTime() >= beforeMs) continue;
      const abort = new AbortMultipartUploadCommand({ Bucket, Key, UploadId });
      // It may have ended meanwhile.
      await call("AbortMultipartUpload", (options) => client.send(abort, options), { passes: isNoSuchUpload }).catch(
        (error: unknown) => {
          if (!isNoSuchUpload(error)) throw error;
        },
      );
      aborted += 1;
    }
    const { IsTruncated, NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
    if (IsTruncated !== true || !KeyMarker) return aborted;
    after = { KeyMarker, ...(UploadIdMarker && { UploadIdMarker }) };
  }
}
