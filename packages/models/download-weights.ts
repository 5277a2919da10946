/** Fetches a large file so that an interrupted fetch is continued and a wrong one is never used. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";

export interface DownloadOptions {
  readonly url: string;
  /** Where the bytes gather; it stays when the fetch breaks off, and is continued by the next. */
  readonly file: string;
  /** Lower-case hex; a file with another is deleted. */
  readonly sha256: string;
  /** Told after each piece. `total` is null when the server does not say. */
  readonly onProgress?: (bytes: number, total: number | null) => void;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<DownloadLimits>;
}

export interface DownloadLimits {
  readonly bytesMax: number;
  /** Without a single byte. */
  readonly silenceTimeoutMs: number;
  /** In a row, without a single new byte. */
  readonly failuresMax: number;
  readonly retryDelayMs: number;
}

const defaultLimits: DownloadLimits = {
  bytesMax: 4 * 2 ** 30,
  silenceTimeoutMs: 30_000,
  failuresMax: 5,
  retryDelayMs: 1_000,
};

/** Resolves with the size in bytes of the complete, verified `file`. Throws with what to do. */
export async function downloadWeights(options: DownloadOptions): Promise<number> {
  const limits = { ...defaultLimits, ...options.limits };
  const { url, file, sha256 } = options;
  await mkdir(dirname(file), { recursive: true });
  for (let failures = 0; ; ) {
    const had = await sizeOf(file);
    try {
      await fetchRest(options, had, limits);
      break;
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error instanceof FinalError) throw error;
      failures = (await sizeOf(file)) > had ? 1 : failures + 1;
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
  const found = await sha256OfFile(file);
  if (found !== sha256) {
    await rm(file);
    throw new Error(
      `${url}: the file's SHA-256 is ${found}, not ${sha256}; it was deleted. Do not use this source until you know why`,
    );
  }
  return await sizeOf(file);
}

/** Trying again would not help. */
class FinalError extends Error {}

async function fetchRest(
  { url, file, onProgress, signal }: DownloadOptions,
  had: number,
  limits: DownloadLimits,
): Promise<void> {
  const silence = new AbortController();
  const watchdog = setTimeout(
    () => silence.abort(new Error(`no byte came for ${limits.silenceTimeoutMs} ms`)),
    limits.silenceTimeoutMs,
  );
  try {
    const response = await fetch(url, {
      headers: had > 0 ? { Range: `bytes=${had}-` } : {},
      signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
    });
    // 416: there is nothing behind what we have; the hash will tell whether that is all.
    if (response.status === 416 && had > 0) return;
    const continues = response.status === 206;
    if (response.status !== 200 && !continues) {
      const message = `${url} answered ${response.status}`;
      throw response.status >= 500 || response.status === 429
        ? new Error(message)
        : new FinalError(`${message}; check the address`);
    }
    let bytes = continues ? had : 0;
    const rest = response.headers.get("content-length");
    const total = rest === null ? null : bytes + Number(rest);
    if (total !== null && total > limits.bytesMax)
      throw new FinalError(`${url} holds ${total} bytes; the limit is ${limits.bytesMax}`);
    const handle = await open(file, continues ? "a" : "w");
    try {
      for await (const piece of response.body ?? []) {
        watchdog.refresh();
        bytes += piece.byteLength;
        if (bytes > limits.bytesMax) throw new FinalError(`${url} holds more than ${limits.bytesMax} bytes`);
        await handle.write(piece);
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
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest("hex");
}
