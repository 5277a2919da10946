import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import parseRange from "range-parser";

/** A client that only stops reading would hold its stream forever. */
const stallTimeoutMs = 60_000;

export interface SentStream {
  readonly contentType: string;
  /** Under which a browser saves it. */
  readonly filename: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends what is made while it is sent, as fast as the client reads. Where it cannot be made to its end, the connection is
 * closed before the body's end, by which the client knows. A client that goes ends the stream, and is no error.
 */
export async function sendStream(
  response: ServerResponse,
  stream: Readable,
  { contentType, filename, headers = {} }: SentStream,
): Promise<void> {
  response.setTimeout(stallTimeoutMs, () => response.destroy());
  response.writeHead(200, {
    "Content-Type": contentType,
    "Content-Disposition": `attachment; filename="${filename}"`,
    "Cache-Control": "no-store",
    ...headers,
  });
  try {
    await pipeline(stream, response);
  } catch (error) {
    const isClientGone = (error as NodeJS.ErrnoException).code === "ERR_STREAM_PREMATURE_CLOSE";
    response.destroy();
    if (!isClientGone) throw error;
  }
}

/** One byte range of a file that never changes: a broken download continues where it stopped. */
interface ByteRange {
  readonly first: number;
  /** Inclusive, as in the header. */
  readonly last: number;
}

/**
 * The requested range. undefined means the whole file: no range was requested, several were, none is satisfiable, or
 * `If-Range` names another tag. RFC 9110 lets the server choose in each of these cases.
 */
export function parseByteRange(
  headers: IncomingMessage["headers"],
  bytes: number,
  entityTag: string,
): ByteRange | undefined {
  const { range, "if-range": condition } = headers;
  if (range === undefined || (condition !== undefined && condition !== entityTag)) return undefined;
  const suffixBytes = Number(/^bytes=-(\d+)$/.exec(range.trim())?.[1] ?? 0);
  // RFC 9110 §14.1.2 reads a suffix longer than the file as the whole file; range-parser calls it unsatisfiable.
  const ranges = parseRange(bytes, suffixBytes > bytes ? "bytes=0-" : range.trim());
  if (ranges === -1 || ranges === -2 || ranges.type !== "bytes" || ranges.length !== 1) return undefined;
  const { start, end } = ranges[0]!;
  return { first: start, last: end };
}
