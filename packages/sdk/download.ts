import { PackshotError } from "./packshot-error.ts";
import type { Query, Transport, Waiting } from "./transport.ts";

/** A file of storage, as it arrives. */
export interface Download {
  readonly contentType: string;
  /** The response's headers. */
  readonly headers: Headers;
  /** undefined where the server does not say. */
  readonly bytes: number | undefined;
  readonly stream: ReadableStream<Uint8Array>;
  /** Reads the stream to its end. */
  blob(): Promise<Blob>;
}

interface DownloadOptions extends Waiting {
  readonly query?: Query;
}

/** A file of the API, or by its link. Links are signed: they need no key, and expire with their job. */
export async function download(transport: Transport, path: string, options: DownloadOptions = {}): Promise<Download> {
  const response = await transport.stream({ method: "GET", path, ...options });
  if (response.body === null) throw new PackshotError("invalid_response", "The link leads to nothing.");
  const contentType = response.headers.get("Content-Type") ?? "application/octet-stream";
  const length = response.headers.get("Content-Length");
  return {
    contentType,
    headers: response.headers,
    bytes: length === null ? undefined : Number(length),
    stream: response.body as ReadableStream<Uint8Array>,
    blob: () => response.blob(),
  };
}
