/** multer's storage engine: it hashes, counts and inspects an image while it writes it to a temporary file. */
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ofField, PackshotError } from "@packshot/domain/errors.ts";
import { assertContainerBounded } from "@packshot/platform/images/container-walk.ts";
import type { InspectImage } from "@packshot/platform/images/image-header.ts";
import type { StorageEngine } from "multer";
import { decodeBase64 } from "./feed-body.ts";

/** Enough for the header of almost every photo; otherwise the whole file is inspected once it is written. */
const inspectedBytes = 64 * 1024;

/** Between parser and disk. With Node's 64 KiB they wait for each other, and 10 MB take 1.3 times as long. */
export const bufferBytes = 256 * 1024;

export interface FormFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly contentType: string;
  /** As the client calls it. */
  readonly filename: string;
}

export interface FormFileLimits {
  readonly fileBytesMax: number;
  readonly maxPixels: number;
  readonly inspectImage: InspectImage;
}

/**
 * For one request and at most one file of each field. The engine fails as soon as an error is certain, with `file_too_large`,
 * `unsupported_media_type`, `image_too_large` or `image_unreadable`, naming the field, and does not wait for the rest of the body.
 */
export interface FormFileStorage extends StorageEngine {
  /** By their fields. */
  files(): Promise<Readonly<Record<string, FormFile>>>;
  /** Stops writes that are under way and removes what was written. */
  discard(): Promise<void>;
}

export function createFormFileStorage(path: string, limits: FormFileLimits): FormFileStorage {
  const stop = new AbortController();
  // A parser calls from where the bytes arrived, which need not be in the request's trace.
  const inRequest = AsyncLocalStorage.snapshot();
  const stored = new Map<string, { readonly path: string; readonly written: Promise<FormFile> }>();
  return {
    _handleFile(_request, { stream: sent, fieldname, originalname: filename, encoding }, done) {
      const stream = encoding === "base64" ? Readable.from(decodeBase64(textOf(sent), fieldname)) : sent;
      const filePath = stored.size === 0 ? path : `${path}-${stored.size}`;
      const stopped = stop.signal;
      const written = inRequest(async () => {
        const file = await storeImage(stream, filePath, limits, stopped).catch((error: unknown) => {
          throw ofField(error, fieldname);
        });
        return { ...file, filename };
      });
      stored.set(fieldname, { path: filePath, written });
      written.then((file) => done(null, file), done);
    },
    _removeFile(_request, { path: filePath }, done) {
      rm(filePath, { force: true }).then(() => done(null), done);
    },
    async files() {
      const files = [...stored].map(async ([field, { written }]) => [field, await written] as const);
      return Object.fromEntries(await Promise.all(files));
    },
    async discard() {
      stop.abort();
      for (const file of stored.values()) {
        // A write that is being stopped may still create the file, so the file is removed after the write has ended.
        await file.written.catch(() => {});
        await rm(file.path, { force: true });
      }
    },
  };
}

async function* textOf(stream: Readable): AsyncGenerator<string> {
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) yield (chunk as Buffer).toString("latin1");
}

export function fileTooLarge(fileBytesMax: number): PackshotError {
  return new PackshotError("file_too_large", `The plan allows files of up to ${fileBytesMax} bytes.`);
}

/** Throws the errors of the engine. */
export async function storeImage(
  stream: Readable,
  path: string,
  { fileBytesMax, maxPixels, inspectImage }: FormFileLimits,
  signal: AbortSignal,
): Promise<Omit<FormFile, "filename">> {
  const hash = createHash("sha256");
  const firstChunks: Buffer[] = [];
  let isInspected = false;
  let contentType: string | undefined;
  let bytes = 0;
  /** undefined: the header does not end within these bytes. */
  async function contentTypeOfFirstBytes(firstBytes: Buffer): Promise<string | undefined> {
    try {
      return (await inspectImage(firstBytes, { maxPixels })).contentType;
    } catch (error) {
      if (error instanceof PackshotError && error.code === "image_unreadable") return undefined;
      throw error;
    }
  }
  async function* measured() {
    // The pipeline destroys the stream with the error that is thrown here; the iterator would destroy it as aborted.
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > fileBytesMax) throw fileTooLarge(fileBytesMax);
      hash.update(chunk);
      if (!isInspected) firstChunks.push(chunk);
      if (!isInspected && bytes >= inspectedBytes) {
        isInspected = true;
        contentType = await contentTypeOfFirstBytes(Buffer.concat(firstChunks.splice(0)));
      }
      yield chunk;
    }
  }
  await pipeline(stream, measured, createWriteStream(path, { flags: "wx", mode: 0o600, highWaterMark: bufferBytes }), {
    signal,
  });
  // The first bytes have the header; what else it makes a decoder do may stand anywhere.
  if (contentType !== undefined) await assertContainerBounded(path);
  contentType ??= (await inspectImage(path, { maxPixels })).contentType;
  return { path, bytes, sha256: hash.digest("hex"), contentType };
}
