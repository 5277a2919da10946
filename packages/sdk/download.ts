import { PackshotError } from "./packshot-error.ts";
import type { Transport, Waiting } from "./transport.ts";

/** A file of storage, as it arrives. */
export interface Download {
  readonly contentType: string;
  /** undefined where the server does not say. */
  readonly bytes: number | undefined;
  readonly stream: ReadableStream<Uint8Array>;
  /** Reads the stream to its end. */
  blob(): Promise<Blob>;
}

/** Links are signed: they need no key, and expire with their job. */
export async function download(transport: Transport, url: string, waiting: Waiting = {}): Promise<Download> {
  const response = await transport.stream({ method: "GET", path: url, ...waiting });
  if (response.body === null) throw new PackshotError("invalid_response", "The link leads to nothing.");
  const contentType = response.headers.get("Content-Type") ?? "application/octet-stream";
  const length = response.headers.get("Content-Length");
  return {
    contentType,
    bytes: length === null ? undefined : Number(length),
    stream: response.body as ReadableStream<Uint8Array>,
    blob: () => response.blob(),
  };
}
