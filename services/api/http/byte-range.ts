/** One byte range of a file that never changes: downloads go on where they stopped. */
import type { IncomingMessage } from "node:http";

export interface ByteRange {
  readonly first: number;
  /** Inclusive, as in the header. */
  readonly last: number;
}

/**
 * The range that was asked for. undefined: the whole file, which is also the answer to several ranges at once, to none
 * that fits, and to `If-Range` with another tag; RFC 9110 leaves each of these to the server.
 */
export function parseByteRange(headers: IncomingMessage["headers"], bytes: number, entityTag: string): ByteRange | undefined {
  const condition = headers["if-range"];
  if (condition !== undefined && condition !== entityTag) return undefined;
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range?.trim() ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  const isSuffix = from === "";
  const first = isSuffix ? Math.max(0, bytes - Number(to)) : Number(from);
  const last = isSuffix || to === "" ? bytes - 1 : Math.min(Number(to), bytes - 1);
  return first <= last ? { first, last } : undefined;
}
