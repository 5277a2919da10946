/** Reads a request's body within a limit, and drains what an early refusal leaves of it. */
import type { IncomingMessage } from "node:http";
import { PackshotError } from "@packshot/domain/errors.ts";

/** For an operation that names no other limit. */
export const jsonBytesMaxDefault = 64 * 1024;
const bodyTimeoutMs = 30_000;
/** So much of a refused request is read, so that the client can finish sending and read the response. */
const drainBytesMax = 8 * 1024 * 1024;
const drainTimeoutMs = 10_000;

export function mediaTypeOf(request: IncomingMessage): string {
  return (request.headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
}

export function hasBody(request: IncomingMessage): boolean {
  return request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0;
}

/** It may have more than most: memory that an account may take only a few times at once. */
export function isLargeBody({ headers }: IncomingMessage, bytesMax: number): boolean {
  if (bytesMax <= jsonBytesMaxDefault) return false;
  const length = headers["content-length"];
  return length === undefined ? headers["transfer-encoding"] !== undefined : Number(length) > jsonBytesMaxDefault;
}

/** Only these names say that the bytes are packed; a charset or `IDENTITY`, which clients send too, does not. */
const compression = /\b(gzip|deflate|br|zstd|compress)\b/i;

/** Throws `unsupported_media_type`. */
export function assertNotPacked({ headers }: IncomingMessage): void {
  const [encoding] = compression.exec(headers["content-encoding"] ?? "") ?? [];
  if (encoding === undefined) return;
  throw new PackshotError(
    "unsupported_media_type",
    `Content-Encoding ${encoding} is not supported: send the body without compression.`,
  );
}

/** A body of no bytes is read as `{}`. Throws `unsupported_media_type`, `file_too_large`, `request_timeout`, `invalid_request`. */
export async function readJson(request: IncomingMessage, bytesMax = jsonBytesMaxDefault): Promise<unknown> {
  assertNotPacked(request);
  const text = await readText(request, bytesMax);
  if (text === undefined) throw new PackshotError("invalid_request", "The body is not valid UTF-8.");
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PackshotError("invalid_request", `The body is not valid JSON: ${(error as Error).message}.`);
  }
}

async function readText(request: IncomingMessage, bytesMax: number): Promise<string | undefined> {
  const tooLarge = () =>
    new PackshotError(
      "file_too_large",
      `A JSON body may have ${bytesMax} bytes; a photo goes in a multipart form or an upload session.`,
    );
  if (Number(request.headers["content-length"] ?? 0) > bytesMax) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => finish(new PackshotError("request_timeout", "The body did not arrive in time.")),
      bodyTimeoutMs,
    );
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) finish(tooLarge());
      else chunks.push(chunk);
    };
    const onEnd = () => finish();
    const onClose = () => finish(new PackshotError("request_timeout", "The connection closed before the body ended."));
    function finish(error?: Error) {
      clearTimeout(timer);
      request.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose);
      if (error === undefined) resolve();
      else reject(error);
    }
    request.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose);
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return undefined;
  }
}

/**
 * Call it after a response that was sent before the whole body had arrived. Closing the connection at once would reset
 * it, and the client, still sending, would never see the response. After 8 MiB or 10 s the connection is closed.
 */
export function drainBody(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed || !hasBody(request)) return;
  let bytes = 0;
  const timer = setTimeout(() => request.socket.destroy(), drainTimeoutMs);
  timer.unref();
  request.unpipe();
  request
    .on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > drainBytesMax) request.socket.destroy();
    })
    .on("end", () => clearTimeout(timer))
    .on("close", () => clearTimeout(timer))
    .on("error", () => clearTimeout(timer));
  // Marks the body as read by us: Node discards a body that nobody has begun to read, without a limit.
  request.read(0);
  request.resume();
}
