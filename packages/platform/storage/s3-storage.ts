import type { Readable } from "node:stream";
import {
  type _Object,
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { PackshotError } from "@packshot/domain/errors.ts";
import { createLimiter } from "../flow/limiter.ts";
import { isNoSuchKey, isNoSuchUpload, type S3Access, type S3Settings } from "./s3-client.ts";
import { createS3Links } from "./s3-links.ts";
import { assertStorageKey, type Storage } from "./storage.ts";
import { StorageFault } from "./storage-fault.ts";

const readTriesMax = 3;
/** A file that arrives slowly holds up to two parts in memory meanwhile. */
const streamedWritesMax = 64;
/** After S3 has said that it is full, files from outside are refused for so long without asking again. */
const fullForMs = 5_000;
/** Code of the fault of a body that ended too early. */
const incompleteBody = "IncompleteBody";

/** Files in a bucket of S3, or of a server that speaks its protocol. Listings there are consistent with writes. */
export function createS3Storage(settings: S3Settings, access: S3Access): Storage {
  const { client, bucket: Bucket, call, times } = access;
  const transfer = { timeoutMs: times.transferTimeoutMs };
  const links = createS3Links(settings, access);
  const writeFile = createS3Write(access);
  const limitStreams = createLimiter(streamedWritesMax);
  let fullUntilMs = 0;

  function toKey(key: string): string {
    assertStorageKey(key);
    return access.toObjectKey(key);
  }

  async function undefinedIfMissing<T>(found: Promise<T>): Promise<T | undefined> {
    return await found.catch((error: unknown) => {
      if (isNoSuchKey(error)) return undefined;
      throw error;
    });
  }

  async function noteFull<T>(writing: Promise<T>): Promise<T> {
    return await writing.catch((error: unknown) => {
      if (error instanceof StorageFault && error.isFull) fullUntilMs = performance.now() + fullForMs;
      throw error;
    });
  }

  async function readOnce(Key: string, bytesMax: number): Promise<Buffer | undefined> {
    const reading = call(
      "GetObject",
      async (options) => {
        const { Body, ContentLength: bytes = 0 } = await client.send(new GetObjectCommand({ Bucket, Key }), options);
        const body = Body as Readable;
        if (bytes > bytesMax) {
          body.destroy();
          throw new PackshotError("file_too_large", `The file has ${bytes} bytes; the limit is ${bytesMax}.`);
        }
        return await collect(body, bytes);
      },
      { ...transfer, passes: (error) => isNoSuchKey(error) || error instanceof PackshotError },
    );
    return await undefinedIfMissing(reading);
  }

  return {
    async assertRoom() {
      if (performance.now() >= fullUntilMs) return;
      throw new PackshotError("unavailable", "The storage is full at present; try again later.");
    },

    async write(key, body, { bytesMax }) {
      const objectKey = toKey(key);
      if (body instanceof Uint8Array) return { bytes: await noteFull(writeFile(objectKey, body, bytesMax)) };
      // A sender may break off before it is read. Reading reports it; until then its error event needs a listener.
      body.on("error", () => {});
      return { bytes: await noteFull(limitStreams(() => writeFile(objectKey, body, bytesMax))) };
    },

    async read(key, { bytesMax }) {
      const objectKey = toKey(key);
      for (let tries = 1; ; tries++) {
        try {
          return await readOnce(objectKey, bytesMax);
        } catch (error) {
          // The SDK repeats what fails before the first byte of a file, and this what breaks off after it.
          if (!(error instanceof StorageFault) || error.code !== incompleteBody || tries === readTriesMax) throw error;
        }
      }
    },

    async open(key, range) {
      const Range = range === undefined ? undefined : `bytes=${range.first}-${range.last}`;
      const command = new GetObjectCommand({ Bucket, Key: toKey(key), ...(Range !== undefined && { Range }) });
      const options = { timeoutMs: 0, passes: isNoSuchKey };
      const found = await undefinedIfMissing(call("GetObject", () => client.send(command), options));
      if (found === undefined) return undefined;
      const wholeBytes = found.ContentRange?.split("/").at(-1) ?? found.ContentLength ?? 0;
      return { stream: found.Body as Readable, bytes: Number(wholeBytes) };
    },

    async stat(key) {
      const command = new HeadObjectCommand({ Bucket, Key: toKey(key) });
      const found = await undefinedIfMissing(
        call("HeadObject", (options) => client.send(command, options), { passes: isNoSuchKey }),
      );
      return found === undefined ? undefined : { bytes: found.ContentLength ?? 0 };
    },

    async copy(from, to) {
      const CopySource = encodeURI(`${Bucket}/${toKey(from)}`);
      const command = new CopyObjectCommand({ Bucket, CopySource, Key: toKey(to) });
      const copying = call("CopyObject", (options) => client.send(command, options), {
        ...transfer,
        passes: isNoSuchKey,
      });
      return (await undefinedIfMissing(noteFull(copying))) !== undefined;
    },

    async deletePrefix(prefix) {
      const objectPrefix = toKey(prefix);
      if (!objectPrefix.endsWith("/")) {
        const command = new DeleteObjectCommand({ Bucket, Key: objectPrefix });
        await undefinedIfMissing(
          call("DeleteObject", (options) => client.send(command, options), { passes: isNoSuchKey }),
        );
        return;
      }
      for await (const files of listPages(access, objectPrefix)) {
        await deleteFiles(
          access,
          files.map(({ Key }) => Key!),
        );
      }
    },

    async *list(prefix) {
      for await (const files of listPages(access, toKey(prefix))) {
        for (const { Key, LastModified } of files) {
          yield { key: Key!.slice(settings.prefix.length), modifiedAtMs: LastModified?.getTime() ?? 0 };
        }
      }
    },

    discardUnfinished: (beforeMs) => abortStaleUploads(access, beforeMs),

    signGet: async (key, link) => {
      assertStorageKey(key);
      return await links.signGet(key, link);
    },
    signPut: async (key, link) => {
      assertStorageKey(key);
      return await links.signPut(key, link);
    },
  };
}

/** Into one buffer of its length, so that a large photo is in memory once. */
async function collect(body: Readable, bytes: number): Promise<Buffer> {
  const content = Buffer.allocUnsafeSlow(bytes);
  let arrived = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunk.copy(content, arrived);
      arrived += chunk.length;
    }
  } catch (error) {
    throw Object.assign(new Error((error as Error).message), { code: incompleteBody });
  }
  if (arrived === bytes) return content;
  throw Object.assign(new Error(`${arrived} of ${bytes} bytes arrived`), { code: incompleteBody });
}

/** What S3 does with many files at once: list, delete, and abort uploads that never ended. */

/** S3 lists and deletes no more at once. */
const keysPerRequest = 1_000;

/** The files whose keys begin with `prefix`, by pages. */
async function* listPages(access: S3Access, prefix: string): AsyncGenerator<readonly _Object[]> {
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
async function deleteFiles(access: S3Access, keys: readonly string[]): Promise<void> {
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
async function abortStaleUploads(access: S3Access, beforeMs: number): Promise<number> {
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

/**
 * Writes of any length to S3, without the whole file in memory: one PUT for what fits into a part, a multipart upload
 * for the rest. `lib-storage` of the SDK does the same, but leaves the parts where its last request fails, and reads
 * the source to its end after a part has failed.
 */

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

function createS3Write(access: S3Access): S3Write {
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
