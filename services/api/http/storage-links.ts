/** Serves the signed links of the disk storage: a link needs no API key. */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Account } from "@packshot/domain/accounts/account.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { type Upload, uploadTypeOf } from "@packshot/domain/uploads/upload.ts";
import type { Log } from "@packshot/log/log.ts";
import type { DiskLinks } from "@packshot/platform/storage/disk-links.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import fresh from "fresh";
import type { RecordCache } from "../records/record-cache.ts";
import type { ApiResponse } from "./call.ts";
import { anyOrigin, createCrossOrigin } from "./cross-origin.ts";
import { countRequest, type RateLimit } from "./rate-limit.ts";
import { parseByteRange } from "./send-stream.ts";
import { invalidRequest } from "./validation-messages.ts";

export interface StorageLinkDeps {
  readonly log: Log;
  readonly storage: Storage;
  readonly links: DiskLinks;
  /** For the account that an upload's link belongs to. */
  readonly records: Pick<RecordCache, "read">;
  readonly rateLimit: RateLimit;
  readonly nowMs: () => number;
  /** Origins allowed by CORS; none listed: every origin. */
  readonly allowedOrigins?: readonly string[];
  /** A download that makes no progress for so long is closed; the default is a minute. */
  readonly stallTimeoutMs?: number;
}

const stallTimeoutMsDefault = 60_000;

/** A handler outside the contract, for every method and path below the storage path. */
export type StorageMount = (
  request: IncomingMessage & { originalUrl?: string },
  response: ServerResponse,
) => Promise<ApiResponse | "sent">;

const linkAccess = {
  methods: ["GET", "HEAD", "PUT"],
  requestHeaders: ["Content-Type", "Range", "If-Range", "If-Match", "If-None-Match"],
  responseHeaders: ["ETag", "Content-Disposition", "Content-Range", "Retry-After", "Request-Id"],
};

export function createStorageMount(deps: StorageLinkDeps): StorageMount {
  const { allowedOrigins = [] } = deps;
  // A page of any origin may use a link unless the operator names some: the signature is the permission.
  const crossOrigin = createCrossOrigin(allowedOrigins.length === 0 ? [anyOrigin] : allowedOrigins, linkAccess);
  return async (request, response) => {
    const method = request.method ?? "GET";
    if (crossOrigin.allow(request, response)) return { status: 204 };
    if (!["GET", "HEAD", "PUT"].includes(method)) {
      response.setHeader("Allow", "GET, HEAD, PUT");
      throw new PackshotError("method_not_allowed", "A signed link is for GET, HEAD or PUT.");
    }
    const target = request.originalUrl ?? request.url ?? "";
    const [pathname = "", query = ""] = target.split("?", 2);
    const link = deps.links.verifyLink(method, pathname, new URLSearchParams(query), deps.nowMs());
    // A wrong signature, an unknown file and an expired link get the same response, so that it tells nothing to guessers.
    if (link.kind === "forbidden" || link.kind === "expired") throw deadLink();
    if (link.kind === "put") return await receiveUpload(deps, request, response, link);
    return await sendFile(deps, request, response, link);
  };
}

function deadLink(): PackshotError {
  return new PackshotError("not_found", "The link is not valid, or no longer.");
}

/** The link stands for a key, so a PUT counts like a request with a key. */
async function receiveUpload(
  { log, storage, records, rateLimit }: StorageLinkDeps,
  request: IncomingMessage,
  response: ServerResponse,
  link: { key: string; contentType: string; sizeBytes: number },
): Promise<ApiResponse> {
  const [, accountId = "", , uploadId = ""] = link.key.split("/");
  const account = await records.read<Account>(subjects.account(accountId));
  if (account === undefined) throw deadLink();
  const { value: upload } = await log.read<Upload>(subjects.upload(accountId, uploadId));
  await countRequest(rateLimit, { account, live: upload?.live ?? true }, response);
  // RFC 9110 §14.5: a part must not be taken for the whole file. Clients that can resume name the range of a whole file, too.
  const range = request.headers["content-range"];
  if (range !== undefined && !isWholeFile(range, link.sizeBytes)) {
    throw invalidRequest("An upload cannot be resumed or sent in parts: send the whole file, without Content-Range.");
  }
  if (uploadTypeOf(request.headers["content-type"] ?? "") !== uploadTypeOf(link.contentType)) {
    throw invalidRequest(`Content-Type must be ${link.contentType}, as declared for this upload.`);
  }
  const length = request.headers["content-length"];
  if (length === undefined) {
    throw new PackshotError("length_required", "Send Content-Length: the size that was declared for this upload.");
  }
  if (Number(length) !== link.sizeBytes) {
    throw invalidRequest(`The body has ${length} bytes; ${link.sizeBytes} were declared for this upload.`);
  }
  if (upload === undefined) throw new PackshotError("upload_expired", "The upload session is gone: create another.");
  await storage.assertRoom(link.sizeBytes);
  const { bytes } = await storage.write(link.key, request, { bytesMax: link.sizeBytes }).catch((error: unknown) => {
    if (error instanceof PackshotError || !request.destroyed) throw error;
    throw new PackshotError("request_timeout", "The connection closed before the body ended.");
  });
  if (bytes !== link.sizeBytes) {
    await storage.deletePrefix(link.key);
    throw invalidRequest(`${bytes} bytes arrived; ${link.sizeBytes} were declared for this upload.`);
  }
  return { status: 200 };
}

function isWholeFile(contentRange: string, sizeBytes: number): boolean {
  const [, last, bytes] = /^bytes 0-(\d+)\/(\d+|\*)$/i.exec(contentRange) ?? [];
  return Number(last) + 1 === sizeBytes && (bytes === "*" || Number(bytes) === sizeBytes);
}

function isWanted(ifMatch: string | undefined, entityTag: string): boolean {
  if (ifMatch === undefined) return true;
  // A tag may have commas and stars in its quotes.
  const tags: readonly string[] = ifMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return ifMatch.trim() === "*" || tags.includes(entityTag);
}

async function sendFile(
  { storage, nowMs, stallTimeoutMs = stallTimeoutMsDefault }: StorageLinkDeps,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  link: { key: string; contentType: string; filename: string | undefined; expiresAtMs: number },
): Promise<"sent"> {
  const stats = await storage.stat(link.key);
  if (stats === undefined) throw deadLink();
  // Each key is written once, so the key alone identifies the content.
  const entityTag = `"${createHash("sha256").update(link.key).digest("base64url").slice(0, 22)}"`;
  response.setHeader("ETag", entityTag);
  response.setHeader(
    "Cache-Control",
    `private, max-age=${Math.max(0, Math.floor((link.expiresAtMs - nowMs()) / 1000))}`,
  );
  // RFC 9110 §13.1.4: without a Last-Modified, If-Unmodified-Since says nothing.
  if (!isWanted(headers["if-match"], entityTag)) {
    throw new PackshotError("precondition_failed", `The file has another ETag than If-Match names: ${entityTag}.`);
  }
  // Only If-None-Match counts: with `Cache-Control: no-cache`, which fetch() adds to it, `fresh` would always say no.
  if (fresh({ "if-none-match": headers["if-none-match"] }, { etag: entityTag })) {
    response.writeHead(304).end();
    return "sent";
  }
  response.setHeader("Accept-Ranges", "bytes");
  // RFC 9110 §14.2: only a GET has ranges.
  const range = method === "GET" ? parseByteRange(headers, stats.bytes, entityTag) : undefined;
  if (range === "unsatisfiable") {
    response.setHeader("Content-Range", `bytes */${stats.bytes}`);
    const message = `The file has ${stats.bytes} bytes: the range begins behind its end.`;
    throw new PackshotError("range_not_satisfiable", message);
  }
  const file = await storage.open(link.key, range);
  if (file === undefined) throw deadLink();
  response.statusCode = range === undefined ? 200 : 206;
  response.setHeader("Content-Type", link.contentType);
  response.setHeader("Content-Length", String(range === undefined ? file.bytes : range.last - range.first + 1));
  if (range !== undefined) response.setHeader("Content-Range", `bytes ${range.first}-${range.last}/${file.bytes}`);
  if (link.filename !== undefined) {
    response.setHeader("Content-Disposition", `inline; filename="${link.filename.replaceAll(/[^\w.-]/g, "_")}"`);
  }
  if (method === "HEAD") {
    file.stream.destroy();
    response.end();
    return "sent";
  }
  // A client that disconnects early is not an error; one that only stops reading would hold the file and the socket forever.
  response.setTimeout(stallTimeoutMs, () => response.destroy());
  await pipeline(file.stream, response).catch(() => response.destroy());
  return "sent";
}
