/** Downloads a large file. An interrupted download is resumed, and a file with a wrong checksum is never used. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { jitteredBackoffMs, pause } from "@packshot/platform/flow/pause.ts";

export interface DownloadOptions {
  readonly url: string;
  /** The target. It is kept when the download is interrupted, and the next download resumes it. */
  readonly file: string;
  /** A file with another checksum is deleted. */
  readonly checksum: Checksum;
  /** The whole file's, where its publisher tells it. */
  readonly sizeBytes?: number | null;
  /** Called after each chunk. `total` is null when the server does not report it. */
  readonly onProgress?: (bytes: number, total: number | null) => void;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<DownloadLimits>;
}

/**
 * `sha256` where this project or an operator has hashed the file; else `md5`, where the publisher lists no better one. MD5 lets
 * whoever makes a file make two that are alike, but nobody can make another one of a file that is there.
 */
export interface Checksum {
  readonly algorithm: "sha256" | "md5";
  /** Lower-case hex. */
  readonly hex: string;
}

export interface DownloadedWeights {
  readonly bytes: number;
  /** The file's, whatever it was checked by. */
  readonly sha256: string;
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

const retryDelayMsMax = 30_000;

/** Resolves when `file` is complete and verified. Throws an error that names the remedy. */
export async function downloadWeights(options: DownloadOptions): Promise<DownloadedWeights> {
  const limits = { ...defaultLimits, ...options.limits };
  const { url, file, checksum, signal = new AbortController().signal } = options;
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
      await pause(jitteredBackoffMs(failures, { firstMs: limits.retryDelayMs, maxMs: retryDelayMsMax }), signal);
    }
  }
  const hashes = await hashesOfFile(file, new Set([checksum.algorithm, "sha256"]));
  const actual = hashes.get(checksum.algorithm);
  const bytes = await sizeOf(file);
  const sizeWanted = options.sizeBytes ?? bytes;
  if (actual !== checksum.hex || bytes !== sizeWanted) {
    await rm(file);
    const found =
      actual === checksum.hex
        ? `the file has ${bytes} bytes, not ${sizeWanted}`
        : `the file's ${checksumNames[checksum.algorithm]} is ${actual}, not ${checksum.hex}`;
    throw new Error(`${url}: ${found}; it was deleted. Do not use this source until you know why`);
  }
  return { bytes, sha256: hashes.get("sha256")! };
}

const checksumNames = { sha256: "SHA-256", md5: "MD5" } as const;

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
  return (await hashesOfFile(file, new Set(["sha256"]))).get("sha256")!;
}

/** Hex, by algorithm; the file is read once. */
async function hashesOfFile(
  file: string,
  algorithms: ReadonlySet<Checksum["algorithm"]>,
): Promise<ReadonlyMap<string, string>> {
  const hashes = [...algorithms].map((algorithm) => ({ algorithm, hash: createHash(algorithm) }));
  for await (const chunk of createReadStream(file)) for (const { hash } of hashes) hash.update(chunk as Buffer);
  return new Map(hashes.map(({ algorithm, hash }) => [algorithm, hash.digest("hex")]));
}
