/**
 * Writes of any length to S3, without the whole file in memory: one PUT for what fits into a part, a multipart upload
 * for the rest. `lib-storage` of the SDK does the same, but leaves the parts where its last request fails, and reads
 * the source to its end after a part has failed.
 */
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { S3Access } from "./s3-client.ts";

/** S3 takes no smaller ones, and 10,000 of them: files of up to 80 GB. */
const partBytes = 8 * 1024 * 1024;
/** Per file: a write holds one part more in memory, the one that is being filled. */
const partsInFlightMax = 2;

/** Stores the whole file or nothing. Resolves with its length. */
export type S3Write = (key: string, body: Uint8Array | AsyncIterable<Uint8Array>, bytesMax: number) => Promise<number>;

interface MultipartUpload {
  /** Resolves when there is room for another one. */
  add(part: Uint8Array): Promise<void>;
  complete(): Promise<void>;
  abort(): Promise<void>;
}

export function createS3Write(access: S3Access): S3Write {
  const { client, bucket: Bucket, call, times } = access;
  const transfer = { timeoutMs: times.transferTimeoutMs };

  async function put(Key: string, Body: Uint8Array): Promise<void> {
    const command = { Bucket, Key, Body, ContentLength: Body.length };
    await call("PutObject", (options) => client.send(new PutObjectCommand(command), options), transfer);
  }

  async function begin(Key: string): Promise<MultipartUpload> {
    const create = new CreateMultipartUploadCommand({ Bucket, Key });
    const { UploadId } = await call("CreateMultipartUpload", (options) => client.send(create, options));
    const file = { Bucket, Key, UploadId };
    const inFlight = new Set<Promise<void>>();
    const done: CompletedPart[] = [];
    const failing = new AbortController();
    let partsCount = 0;

    async function uploadPart(PartNumber: number, Body: Uint8Array): Promise<void> {
      try {
        const command = { ...file, PartNumber, Body, ContentLength: Body.length };
        const { ETag } = await call(
          "UploadPart",
          (options) => client.send(new UploadPartCommand(command), options),
          transfer,
        );
        done.push({ PartNumber, ETag });
      } catch (error) {
        failing.abort(error);
      }
    }

    return {
      async add(part) {
        partsCount += 1;
        const uploading = uploadPart(partsCount, part).finally(() => inFlight.delete(uploading));
        inFlight.add(uploading);
        if (inFlight.size >= partsInFlightMax) await Promise.race(inFlight);
        failing.signal.throwIfAborted();
      },
      async complete() {
        await Promise.all(inFlight);
        failing.signal.throwIfAborted();
        const Parts = done.sort((a, b) => a.PartNumber! - b.PartNumber!);
        const command = new CompleteMultipartUploadCommand({ ...file, MultipartUpload: { Parts } });
        // A server may take long to join the parts.
        await call("CompleteMultipartUpload", (options) => client.send(command, options), transfer);
      },
      async abort() {
        // A part that arrives after the abort would stay.
        await Promise.all(inFlight);
        await call("AbortMultipartUpload", (options) => client.send(new AbortMultipartUploadCommand(file), options));
      },
    };
  }

  return async (key, body, bytesMax) => {
    let upload: MultipartUpload | undefined;
    let bytes = 0;
    let last: Uint8Array = new Uint8Array(0);
    try {
      for await (const part of cutIntoParts(body, bytesMax)) {
        if (bytes > 0) {
          upload ??= await begin(key);
          await upload.add(last);
        }
        bytes += part.length;
        last = part;
      }
      if (upload === undefined) await put(key, last);
      else {
        await upload.add(last);
        await upload.complete();
      }
      return bytes;
    } catch (error) {
      // What cannot be aborted now is found by the janitor's sweep, or by the bucket's lifecycle rule.
      await upload?.abort().catch(() => {});
      throw error;
    }
  };
}

/** None for an empty file; all but the last one have `partBytes`. Throws `file_too_large`. */
async function* cutIntoParts(
  body: Uint8Array | AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const chunk of body instanceof Uint8Array ? [body] : body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new PackshotError("file_too_large", `The file is larger than ${bytesMax} bytes.`);
    let rest = chunk;
    while (heldBytes + rest.length >= partBytes) {
      const missing = partBytes - heldBytes;
      yield held.length === 0 ? rest.subarray(0, missing) : Buffer.concat([...held, rest.subarray(0, missing)]);
      rest = rest.subarray(missing);
      held = [];
      heldBytes = 0;
    }
    if (rest.length > 0) {
      held.push(rest);
      heldBytes += rest.length;
    }
  }
  if (heldBytes > 0) yield held.length === 1 ? held[0]! : Buffer.concat(held);
}
