/** Fetches the image at an `imageUrl`: from allowed addresses only, bounded in bytes, time and redirects. */
import { Duplex, pipeline, Readable, Transform } from "node:stream";
import { pipeline as pipelineDone } from "node:stream/promises";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import { PackshotError } from "@packshot/domain/errors.ts";
import { type Agent, type Dispatcher, request } from "undici";
import { type AllowList, checkTarget } from "./address-guard.ts";
import { createGuardedAgent } from "./guarded-agent.ts";
import type { HostResolver } from "./host-resolver.ts";

const redirectsMax = 3;
const redirectStatuses = [301, 302, 303, 307, 308];
const connectTimeoutMs = 10_000;
/** The server was asked and has no photo for us: it answers the next request alike, unless it says when to come again. */
const finalStatuses = [401, 403, 404, 410];

export interface SourceLimits {
  readonly allow: AllowList;
  readonly bytesMax: number;
  /** For the whole fetch, from name resolution over redirects to the last byte. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** For tests: replaces the system's resolver. */
  readonly resolver?: HostResolver;
}

export interface FetchedSource {
  /**
   * Fails with the same errors as `fetchSource`: `file_too_large` past `bytesMax`, `source_unreachable` when the time is
   * up. It holds a connection, so read it or destroy it.
   */
  readonly stream: Readable;
  /** As the server declares it; nothing depends on it. */
  readonly contentType: string | undefined;
}

/**
 * Fetches over http or https from public or listed addresses, through at most 3 redirects, each of which is checked.
 * Throws PackshotError `source_forbidden`, `source_unreachable`, `file_too_large`, or the reason of `signal`.
 */
export async function fetchSource(url: string, limits: SourceLimits): Promise<FetchedSource> {
  const deadline = AbortSignal.timeout(limits.timeoutMs);
  const signal = limits.signal === undefined ? deadline : AbortSignal.any([deadline, limits.signal]);
  const { allow, resolver } = limits;
  const agent = createGuardedAgent({
    allow,
    connectTimeoutMs: Math.min(connectTimeoutMs, limits.timeoutMs),
    connectionsMax: 1,
    resolver,
  });
  const close = () => void agent.destroy().catch(() => {});
  const toError = (error: unknown) => toSourceError(error, limits, deadline);
  try {
    const response = await followRedirects(url, { agent, signal, allow });
    const unpack = acceptableSteps(response, limits.bytesMax);
    const stream = limitBytes(limits.bytesMax);
    // A step may make a thousand bytes of one, or nothing of a million, so what goes in is limited as well.
    const steps = unpack.flatMap((step) => [limitBytes(limits.bytesMax), step]);
    pipelineDone([response.body, ...steps, stream], { signal }).then(close, close);
    const contentType = response.headers["content-type"];
    return {
      stream: Readable.from(translateErrors(stream, toError), { objectMode: false }),
      contentType: Array.isArray(contentType) ? contentType[0] : contentType,
    };
  } catch (error) {
    close();
    throw toError(error);
  }
}

async function followRedirects(
  url: string,
  { agent, signal, allow }: { agent: Agent; signal: AbortSignal; allow: AllowList },
): Promise<Dispatcher.ResponseData> {
  let target = url;
  for (let redirects = 0; ; redirects++) {
    checkTarget(target, { allow, purpose: "source" });
    const response = await request(target, {
      dispatcher: agent,
      signal,
      headers: { accept: "image/*,*/*;q=0.5", "accept-encoding": "identity", "user-agent": "Packshot" },
    });
    const location = response.headers.location;
    if (!redirectStatuses.includes(response.statusCode) || typeof location !== "string") return response;
    if (redirects === redirectsMax) throw unreachable(`redirects more than ${redirectsMax} times`);
    response.body.on("error", () => {}).destroy();
    const next = URL.parse(percentEncoded(location), target);
    if (next === null) throw unreachable("redirects to something that is not a URL");
    target = next.href;
  }
}

/** As browsers do: Node gives each byte of a header as one character, and the bytes are mostly UTF-8, not Latin-1. */
function percentEncoded(location: string): string {
  return location.replaceAll(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** How the body is unpacked. Throws for a response without the file, and closes it. */
function acceptableSteps({ statusCode, headers, body }: Dispatcher.ResponseData, bytesMax: number): Duplex[] {
  try {
    if (!isWholeFile(statusCode, headers["content-range"])) {
      // Some hosts limit rates by a 403 with Retry-After.
      const isFinal = finalStatuses.includes(statusCode) && headers["retry-after"] === undefined;
      throw unreachable(`responded with status ${statusCode}`, { isFinal });
    }
    const steps = unpackSteps(headers["content-encoding"]);
    if (Number(headers["content-length"] ?? 0) > bytesMax) throw tooLarge(bytesMax);
    return steps;
  } catch (error) {
    body.on("error", () => {}).destroy();
    throw error;
  }
}

/** 203: a proxy changed the response. 206 without a request for a part: some hosts send the whole file as one. */
function isWholeFile(status: number, contentRange: unknown): boolean {
  if (status === 200 || status === 203) return true;
  const [, last, bytes] = (status === 206 && /^bytes 0-(\d+)\/(\d+)$/.exec(String(contentRange))) || [];
  return bytes !== undefined && Number(last) + 1 === Number(bytes);
}

function limitBytes(bytesMax: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > bytesMax) done(tooLarge(bytesMax));
      else done(null, chunk);
    },
  });
}

async function* translateErrors(stream: Readable, toError: (error: unknown) => unknown): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    throw toError(error);
  }
}

function toSourceError(error: unknown, { timeoutMs, signal }: SourceLimits, deadline: AbortSignal): unknown {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) {
    if (cause instanceof PackshotError) return cause;
  }
  if (deadline.aborted) return unreachable(`did not send the whole image within ${timeoutMs} ms`, { cause: error });
  if (signal?.aborted) return signal.reason;
  const code = (error as { code?: unknown } | undefined)?.code;
  return unreachable(`could not be fetched${typeof code === "string" ? reasonOf(code) : ""}`, { cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "its host's name is unknown",
  EAI_AGAIN: "no name server answered",
  ECONNREFUSED: "nobody listens there",
  ECONNRESET: "its server ended the connection",
  UND_ERR_SOCKET: "its server ended the connection",
  EHOSTUNREACH: "no network leads there",
  ENETUNREACH: "no network leads there",
  ETIMEDOUT: "its server did not answer",
  UND_ERR_CONNECT_TIMEOUT: "its server did not answer",
  UND_ERR_HEADERS_TIMEOUT: "its server did not answer",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "nobody vouches for its certificate",
  SELF_SIGNED_CERT_IN_CHAIN: "nobody vouches for its certificate",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate comes without the ones between",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is another host's",
};

/** @param code Node's or undici's, which stays in the message for those who look it up */
const reasonOf = (code: string) => (Object.hasOwn(reasons, code) ? `: ${reasons[code]} (${code})` : ` (${code})`);

function unreachable(problem: string, options: { readonly cause?: unknown; readonly isFinal?: boolean } = {}) {
  return new PackshotError("source_unreachable", `imageUrl ${problem}.`, options);
}

function tooLarge(bytesMax: number): PackshotError {
  return new PackshotError("file_too_large", `The file behind imageUrl is larger than ${bytesMax} bytes.`);
}

/**
 * Unpacks a response by its Content-Encoding. Hosts send what was not asked for, and buckets repeat whatever name the
 * uploader gave: an empty one, a charset, `aws-chunked` of bytes that are no longer chunked.
 */

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
function unpackSteps(header: string | readonly string[] | undefined): Duplex[] {
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
    throw isDamaged ? unreachable(`responded with ${names[0]} that cannot be unpacked`, { cause: error }) : error;
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
