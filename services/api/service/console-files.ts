/**
 * The built console as browsers get it. Its page may run and load only what this server sends, and is asked for anew at
 * each visit; its other files have a hash of their content in their names, and are kept for good.
 */

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import accepts from "accepts";
import fresh from "fresh";
import type { Mount } from "../http/http-server.ts";

export interface ConsoleDeps {
  /** The built console: pages, and a folder `console` with what they load. */
  readonly folder: string;
  /** `index.html`, or another page of the build. */
  readonly page: string;
  /** Where links to files lead when it is not to this server: a bucket's. */
  readonly linkOrigin: () => Promise<string | undefined>;
}

interface ConsoleFile {
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly entityTag: string;
  /** By encoding, compressed when it is first asked for. */
  readonly encoded: Map<string, Promise<Buffer>>;
}

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};
const assetsFolder = "console";
/** A page that loads one file of a build and another of the next would break: files of the same name never change. */
const immutable = "public, max-age=31536000, immutable";
/** The smallest first. */
const compress: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  br: promisify<Buffer, Buffer>(brotliCompress),
  gzip: promisify<Buffer, Buffer>(gzip),
};

/** By path: `/` and `/console`. None where the console has not been built. */
function createConsoleMounts({ folder, page, linkOrigin }: ConsoleDeps): Readonly<Record<string, Mount>> {
  if (!existsSync(join(folder, page))) return {};
  const pageFile = readConsoleFile(join(folder, page));
  const names = readdirSync(join(folder, assetsFolder));
  const assets = new Map(names.map((name) => [`/${name}`, readConsoleFile(join(folder, assetsFolder, name))]));
  return {
    "/": async (request, response) => {
      response.setHeader("Content-Security-Policy", contentSecurityPolicy(await linkOrigin().catch(() => undefined)));
      response.setHeader("Referrer-Policy", "no-referrer");
      response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
      return await sendConsoleFile(request, response, pageFile, "no-cache");
    },
    [`/${assetsFolder}`]: async (request, response) => {
      const file = assets.get(new URL(request.url ?? "/", "http://console").pathname);
      if (file === undefined) throw new PackshotError("not_found", "File not found.");
      return await sendConsoleFile(request, response, file, immutable);
    },
  };
}

/** Nothing inline and nothing from outside, but pictures and files of the bucket that links lead to. */
function contentSecurityPolicy(linkOrigin: string | undefined): string {
  const own = linkOrigin === undefined ? "'self'" : `'self' ${linkOrigin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Photos that were chosen are shown before they are sent.
    `img-src ${own} blob:`,
    `connect-src ${own}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function readConsoleFile(path: string): ConsoleFile {
  const contentType = contentTypes[extname(path)];
  if (contentType === undefined) throw new Error(`${path}: the console's files have no media type for this extension`);
  const bytes = readFileSync(path);
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  // Weak: the same file has other bytes in each encoding.
  return { contentType, bytes, entityTag: `W/"${hash}"`, encoded: new Map() };
}

async function sendConsoleFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: ConsoleFile,
  cacheControl: string,
): Promise<"sent"> {
  const { method = "GET", headers } = request;
  if (method !== "GET" && method !== "HEAD") {
    response.setHeader("Allow", "GET, HEAD");
    throw new PackshotError("method_not_allowed", `${method} is not allowed on this path; allowed are GET, HEAD.`);
  }
  response.setHeader("Cache-Control", cacheControl);
  response.setHeader("ETag", file.entityTag);
  response.setHeader("Vary", "Accept-Encoding");
  if (fresh({ "if-none-match": headers["if-none-match"] }, { etag: file.entityTag })) {
    response.writeHead(304).end();
    return "sent";
  }
  const allowed = accepts(request).encodings();
  const encoding = Object.keys(compress).find((name) => allowed.includes(name)) ?? "identity";
  const bytes = await encodedBytes(file, encoding);
  response.setHeader("Content-Type", file.contentType);
  if (encoding !== "identity") response.setHeader("Content-Encoding", encoding);
  response.setHeader("Content-Length", String(bytes.length));
  response.statusCode = 200;
  response.end(method === "HEAD" ? undefined : bytes);
  return "sent";
}

function encodedBytes({ bytes, encoded }: ConsoleFile, encoding: string): Promise<Buffer> {
  const encode = compress[encoding];
  if (encode === undefined) return Promise.resolve(bytes);
  const known = encoded.get(encoding) ?? encode(bytes);
  encoded.set(encoding, known);
  return known;
}

/** The console beside the API and the operator's API, as its settings want it. */
interface ConsoleMountDeps {
  /** undefined: it is switched off. */
  readonly consoleFolder: string | undefined;
  readonly storage: Pick<Storage, "signGet">;
  /** The disk storage's links, which lead to this server. */
  readonly links: object | undefined;
  readonly nowMs: () => number;
  readonly logger: Logger;
}

/** How long the link is valid from which the bucket's origin is read; nobody gets it. */
const sampleLinkMs = 60_000;

export function consoleMounts(deps: ConsoleMountDeps): Readonly<Record<string, Mount>> {
  const { consoleFolder, storage, links, nowMs, logger } = deps;
  if (consoleFolder === undefined) return {};
  async function linkOrigin(): Promise<string | undefined> {
    if (links !== undefined) return undefined;
    const sample = { expiresAtMs: nowMs() + sampleLinkMs, contentType: "image/png" };
    return new URL(await storage.signGet("console", sample)).origin;
  }
  const mounts = createConsoleMounts({ folder: consoleFolder, page: "index.html", linkOrigin });
  if (Object.keys(mounts).length === 0)
    logger.info({ consoleFolder }, "the console is not built: make setup builds it");
  return mounts;
}

/** The operator's page, which shows no files of customers. */
export function operatorPageMounts(consoleFolder: string | undefined): Readonly<Record<string, Mount>> {
  if (consoleFolder === undefined) return {};
  return createConsoleMounts({ folder: consoleFolder, page: "operator.html", linkOrigin: async () => undefined });
}
