/** Downloads a large file. An interrupted download is resumed, and a file with a wrong hash is never used. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";

export interface DownloadOptions {
  readonly url: string;
  /** The target. It is kept when the download is interrupted, and the next download resumes it. */
  readonly file: string;
  /** Lower-case hex; a file with another hash is deleted. */
  readonly sha256: string;
  /** Called after each chunk. `total` is null when the server does not report it. */
  readonly onProgress?: (bytes: number, total: number | null) => void;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<DownloadLimits>;
}

export interface DownloadLimits {
  readonly bytesMax: number;
  /** Time without a single byte. */
  readonly stallTimeoutMs: number;
  /** Failed attempts in a row without a single new byte. */
  readonly failuresMax: number;
  readonly retryDelayMs: number;
}

const defaultLimits: DownloadLimits = {
  bytesMax: 4 * 2 ** 30,
  stallTimeoutMs: 30_000,
  failuresMax: 5,
  retryDelayMs: 1_000,
};

/** Resolves with the size of the complete, verified `file` in bytes. Throws an error that names the remedy. */
export async function downloadWeights(options: DownloadOptions): Promise<number> {
  const limits = { ...defaultLimits, ...options.limits };
  const { url, file, sha256 } = options;
  await mkdir(dirname(file), { recursive: true });
  for (let failures = 0; ; ) {
    const bytesBefore = await sizeOf(file);
    try {
      await fetchRemainder(options, bytesBefore, limits);
      break;
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error instanceof PermanentError) throw error;
      failures = (await sizeOf(file)) > bytesBefore ? 1 : failures + 1;
      if (failures >= limits.failuresMax) {
        const reason = (error as Error).message;
        throw new Error(
          `${url}: ${reason}; ${await sizeOf(file)} bytes are kept, run the same command again to continue`,
          { cause: error },
        );
      }
      await new Promise((resolve) => setTimeout(resolve, limits.retryDelayMs * 2 ** (failures - 1)));
    }
  }
  const actual = await sha256OfFile(file);
  if (actual !== sha256) {
    await rm(file);
    throw new Error(
      `${url}: the file's SHA-256 is ${actual}, not ${sha256}; it was deleted. Do not use this source until you know why`,
    );
  }
  return await sizeOf(file);
}

/** A retry would not help. */
class PermanentError extends Error {}

async function fetchRemainder(
  { url, file, onProgress, signal }: DownloadOptions,
  bytesBefore: number,
  limits: DownloadLimits,
): Promise<void> {
  const stalled = new AbortController();
  const watchdog = setTimeout(
    () => stalled.abort(new Error(`no byte came for ${limits.stallTimeoutMs} ms`)),
    limits.stallTimeoutMs,
  );
  try {
    const response = await fetch(url, {
      headers: bytesBefore > 0 ? { Range: `bytes=${bytesBefore}-` } : {},
      signal: signal ? AbortSignal.any([signal, stalled.signal]) : stalled.signal,
    });
    // 416: the file has no more bytes than these. The hash tells whether it is complete.
    if (response.status === 416 && bytesBefore > 0) return;
    const resumes = response.status === 206;
    if (response.status !== 200 && !resumes) {
      const message = `${url} answered ${response.status}`;
      throw response.status >= 500 || response.status === 429
        ? new Error(message)
        : new PermanentError(`${message}; check the address`);
    }
    let bytes = resumes ? bytesBefore : 0;
    const remaining = response.headers.get("content-length");
    const total = remaining === null ? null : bytes + Number(remaining);
    if (total !== null && total > limits.bytesMax)
      throw new PermanentError(`${url} holds ${total} bytes; the limit is ${limits.bytesMax}`);
    const handle = await open(file, resumes ? "a" : "w");
    try {
      for await (const chunk of response.body ?? []) {
        watchdog.refresh();
        bytes += chunk.byteLength;
        if (bytes > limits.bytesMax) throw new PermanentError(`${url} holds more than ${limits.bytesMax} bytes`);
        await handle.write(chunk);
        onProgress?.(bytes, total);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (total !== null && bytes < total) throw new Error(`the connection ended after ${bytes} of ${total} bytes`);
  } finally {
    clearTimeout(watchdog);
  }
}

async function sizeOf(file: string): Promise<number> {
  return await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
