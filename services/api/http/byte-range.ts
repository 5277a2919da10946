/** One byte range of a file that never changes: a broken download continues where it stopped. */
import type { IncomingMessage } from "node:http";
import parseRange from "range-parser";

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
