import type { ServerResponse } from "node:http";
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
