import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

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
 * The requested range of a GET. undefined means the whole file: no range was requested, several were, its syntax is not
 * that of byte ranges, or `If-Range` names another tag. RFC 9110 lets the server choose in each of these cases. A client
 * that continues a file must learn that there is no more of it, and not get it all again: that is "unsatisfiable".
 */
export function parseByteRange(
  headers: IncomingMessage["headers"],
  bytes: number,
  entityTag: string,
): ByteRange | "unsatisfiable" | undefined {
  const { range, "if-range": condition } = headers;
  if (range === undefined || (condition !== undefined && condition !== entityTag)) return undefined;
  const set = /^\s*bytes=(.*)$/i.exec(range)?.[1];
  // A list may have empty elements.
  const parts = (set ?? "").split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
  const ranges = parts.map((part) => readPart(part, bytes));
  if (ranges.length === 0 || ranges.includes(undefined)) return undefined;
  const [first, ...others] = ranges.filter((part) => part !== "unsatisfiable");
  if (first === undefined) return "unsatisfiable";
  return others.length === 0 ? first : undefined;
}

/** undefined: it is no byte range. */
function readPart(part: string, bytes: number): ByteRange | "unsatisfiable" | undefined {
  const [, from, to, suffix] = /^(\d+)-(\d*)$|^-(\d+)$/.exec(part) ?? [];
  if (suffix !== undefined) {
    const first = Math.max(0, bytes - Number(suffix));
    return first < bytes ? { first, last: bytes - 1 } : "unsatisfiable";
  }
  if (from === undefined) return undefined;
  const first = Number(from);
  const last = to === "" ? Number.POSITIVE_INFINITY : Number(to);
  if (last < first) return undefined;
  return first < bytes ? { first, last: Math.min(last, bytes - 1) } : "unsatisfiable";
}
