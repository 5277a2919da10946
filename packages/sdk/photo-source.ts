/** What an edit may be made of, and what of it is sent. */

/**
 * A file or bytes; a stream, which is collected, because a request that is tried again needs it again; the http(s) address
 * of a photo, or `s3://<connection>/<key>`; or an upload session.
 */
export type PhotoSource =
  | Blob
  | ArrayBuffer
  | Uint8Array
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | URL
  | string
  | { readonly uploadSessionId: string };

export type ReadSource =
  | { readonly kind: "file"; readonly file: Blob; readonly filename: string; readonly contentType: string }
  | {
      readonly kind: "reference";
      readonly fields: { readonly imageUrl: string } | { readonly uploadSessionId: string };
    };

/** Limits a stream: what is longer belongs into a file, which a Blob reads as it is sent (`fs.openAsBlob`). */
const streamBytesMax = 256 * 1024 * 1024;
/** The service goes by the bytes; a session only needs some type of image. */
const contentTypeDefault = "image/jpeg";

/** Throws a TypeError for what is no source. */
export async function readSource(source: PhotoSource, signal?: AbortSignal): Promise<ReadSource> {
  if (typeof source === "string" || source instanceof URL) {
    const address = String(source);
    if (!/^(https?|s3):\/\//i.test(address)) {
      throw new TypeError(
        `"${address.replace(/[?#].*$/s, "").slice(0, 80)}" is no address with http, https or s3. To send a file, pass its Blob.`,
      );
    }
    return { kind: "reference", fields: { imageUrl: address } };
  }
  if (typeof source !== "object" || source === null) throw noSource();
  if (source instanceof Blob) return fileOf(source);
  if (source instanceof ArrayBuffer || source instanceof Uint8Array)
    return fileOf(new Blob([source as ArrayBuffer | Uint8Array<ArrayBuffer>]));
  if (isIterable(source)) return fileOf(await collect(source, signal));
  if (typeof (source as { uploadSessionId?: unknown }).uploadSessionId === "string") {
    const { uploadSessionId } = source as { readonly uploadSessionId: string };
    return { kind: "reference", fields: { uploadSessionId } };
  }
  throw noSource();
}

function noSource(): TypeError {
  return new TypeError("A source is a Blob, bytes, a stream, an address or an upload session.");
}

function fileOf(file: Blob): ReadSource {
  const name = (file as Partial<File>).name;
  const contentType = /^image\/[\w.+-]+$/i.test(file.type) ? file.type : contentTypeDefault;
  return { kind: "file", file, filename: name === undefined || name === "" ? "photo" : name, contentType };
}

type Chunks = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

function isIterable(source: object): source is Chunks {
  return Symbol.asyncIterator in source || "getReader" in source;
}

async function collect(source: Chunks, signal?: AbortSignal): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const chunk of "getReader" in source ? chunksOf(source) : source) {
    signal?.throwIfAborted();
    bytes += chunk.byteLength;
    if (bytes > streamBytesMax) throw new TypeError(`The stream has more than ${streamBytesMax} bytes: pass a Blob.`);
    chunks.push(chunk as Uint8Array<ArrayBuffer>);
  }
  return new Blob(chunks);
}

/** Not every browser can iterate over a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
