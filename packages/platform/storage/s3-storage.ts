import type { Readable } from "node:stream";
import { CopyObjectCommand, DeleteObjectCommand, GetObjectCommand, HeadObjectCommand } from "@aws-sdk/client-s3";
import { PackshotError } from "@packshot/domain/errors.ts";
import { createLimiter } from "../flow/limiter.ts";
import type { S3Access, S3Settings } from "./s3-client.ts";
import { isNoSuchKey } from "./s3-fault.ts";
import { createS3Links } from "./s3-links.ts";
import { abortStaleUploads, deleteFiles, listPages } from "./s3-listing.ts";
import { createS3Write } from "./s3-upload.ts";
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
