/**
 * Unpacks a response by its Content-Encoding. Hosts send what was not asked for, and buckets repeat whatever name the
 * uploader gave: an empty one, a charset, `aws-chunked` of bytes that are no longer chunked.
 */
import { Duplex, pipeline, Readable, type Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import { PackshotError } from "@packshot/domain/errors.ts";

const encodingsMax = 2;
/** RFC 9659: 8 MiB, the most that a response may ask of its reader. */
const zstdWindowLogMax = 23;
/** The longest beginning by which an encoding is recognized. */
const magicBytes = 4;

interface Encoding {
  readonly names: readonly string[];
  /** undefined: the bytes are not packed, whatever the header says. */
  readonly decompressor: (firstBytes: Buffer) => Transform | undefined;
}

const encodings: readonly Encoding[] = [
  {
    names: ["gzip", "x-gzip"],
    decompressor: (first) => (first.readUInt16BE(0) === 0x1f8b ? createGunzip() : undefined),
  },
  {
    names: ["deflate"],
    // RFC 9110 means zlib by it, and some hosts send it without zlib's header.
    decompressor: (first) =>
      (first[0]! & 0x0f) === 8 && first.readUInt16BE(0) % 31 === 0 ? createInflate() : createInflateRaw(),
  },
  { names: ["br"], decompressor: () => createBrotliDecompress() },
  {
    names: ["zstd"],
    decompressor: (first) =>
      first.readUInt32LE(0) === 0xfd2fb528
        ? createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: zstdWindowLogMax } })
        : undefined,
  },
];
const notSupported = ["compress", "x-compress"];

/**
 * The steps that unpack the response, in their order: none for plain bytes. A name that is no encoding says nothing about
 * the bytes, as browsers see it. Throws `source_unreachable`, and so do the steps for bytes that are damaged.
 */
export function unpackSteps(header: string | readonly string[] | undefined): Duplex[] {
  const names = [header ?? []]
    .flat()
    .flatMap((value) => value.toLowerCase().split(","))
    .map((name) => name.trim());
  const unsupported = names.find((name) => notSupported.includes(name));
  if (unsupported !== undefined) throw unreachable(`responded with Content-Encoding ${unsupported}, which is not read`);
  const known = names.flatMap((name) => encodings.find((encoding) => encoding.names.includes(name)) ?? []);
  if (known.length > encodingsMax) {
    throw unreachable(`responded with ${known.length} content encodings; the limit is ${encodingsMax}`);
  }
  // The header names them in the order in which they were applied.
  return known.reverse().map((encoding) => Duplex.from((packed: AsyncIterable<Buffer>) => unpack(encoding, packed)));
}

async function* unpack({ names, decompressor }: Encoding, packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = packed[Symbol.asyncIterator]();
  let first: Buffer = Buffer.alloc(0);
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    first = first.length === 0 ? next.value : Buffer.concat([first, next.value]);
    if (first.length >= magicBytes) break;
  }
  const all = continued(first, chunks);
  const unpacked = first.length < magicBytes ? undefined : decompressor(first);
  if (unpacked === undefined) return yield* all;
  pipeline(Readable.from(all, { objectMode: false }), unpacked, () => {});
  try {
    for await (const chunk of unpacked) yield chunk as Buffer;
  } catch (error) {
    // zlib's own codes: what broke off the response has another.
    const isDamaged = /^(Z_|ERR__|ERR_BROTLI|ZSTD_)/.test(String((error as { code?: unknown }).code));
    throw isDamaged ? unreachable(`responded with ${names[0]} that cannot be unpacked`, error) : error;
  }
}

async function* continued(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

function unreachable(problem: string, cause?: unknown): PackshotError {
  return new PackshotError("source_unreachable", `imageUrl ${problem}.`, cause === undefined ? {} : { cause });
}
