/**
 * Storage is one port with two adapters, a folder (`disk-storage.ts`) and a bucket of S3 (`s3-storage.ts`), which
 * `open-storage.ts` chooses by `PACKSHOT_STORAGE`; `describe-storage.ts` is the suite of both. On disk a copy is a hard link
 * and links lead to the API. On S3 the server copies, files of more than 8 MiB go in parts, and links lead to the bucket, so
 * that bytes of clients pass no process of ours. What S3 refuses is a `StorageFault`, an infrastructure fault like a full disk.
 * The janitor removes what a killed process leaves: temporary files, and parts of uploads.
 */
import type { Readable } from "node:stream";

/** Bytes read from a file at once: 4 MB reach a client on the same machine in 5 ms; with Node's 64 KiB it takes 20. */
export const readChunkBytes = 256 * 1024;

/**
 * Files: sources, results, thumbnails. Keys are `/`-separated, made of UUIDs and fixed words (`storageKeys` of the
 * domain). A write stores the whole file or nothing; a reader never sees half a file. Storage does not know jobs.
 */
export interface Storage {
  /**
   * Throws `unavailable` when there is no room for `bytes` from outside: what remains is kept for the results of jobs.
   * Callers ask before they take a file, because `write` itself uses the last byte.
   */
  assertRoom(bytes: number): Promise<void>;
  /** Throws `file_too_large` past `bytesMax`, and leaves nothing behind. */
  write(
    key: string,
    body: Uint8Array | Readable,
    limits: { readonly bytesMax: number },
  ): Promise<{ readonly bytes: number }>;
  /** undefined: no such file. Throws `file_too_large` when it is longer than `bytesMax`. */
  read(key: string, limits: { readonly bytesMax: number }): Promise<Buffer | undefined>;
  /** `bytes` is the whole file's size; the stream gives `range` of it where there is one (`last` inclusive). */
  open(
    key: string,
    range?: { readonly first: number; readonly last: number },
  ): Promise<{ readonly stream: Readable; readonly bytes: number } | undefined>;
  stat(key: string): Promise<{ readonly bytes: number } | undefined>;
  /** Moves no bytes through this process where the storage allows that; false: no such file. */
  copy(from: string, to: string): Promise<boolean>;
  /** Removes everything below `prefix`, which ends with "/", or one file. Where there is nothing, that is no error. */
  deletePrefix(prefix: string): Promise<void>;
  /** What is removed while it is listed may be listed, and is not there to be read then; what stays is always listed. */
  list(prefix: string): AsyncIterable<{ readonly key: string; readonly modifiedAtMs: number }>;
  /**
   * Removes what is left of writes that began before `beforeMs` and never ended, where `list` does not show it. Resolves
   * with how many they were.
   */
  discardUnfinished(beforeMs: number): Promise<number>;
  /** A link that works without credentials until `expiresAtMs`; the same arguments give the same link. */
  signGet(
    key: string,
    link: { readonly expiresAtMs: number; readonly contentType: string; readonly filename?: string },
  ): Promise<string>;
  /** A link that accepts exactly `sizeBytes` bytes of `contentType`. */
  signPut(
    key: string,
    link: { readonly expiresAtMs: number; readonly contentType: string; readonly sizeBytes: number },
  ): Promise<SignedPut>;
}

export interface SignedPut {
  readonly url: string;
  readonly method: "PUT";
  readonly headers: Readonly<Record<string, string>>;
}

const keyShape = /^[a-z0-9][a-zA-Z0-9._-]*(\/[a-zA-Z0-9][a-zA-Z0-9._-]*)*\/?$/;

/** Keys come from our own records, but links bring them back from outside: no `..`, no empty segment, no odd byte. */
export function assertStorageKey(key: string): void {
  if (key.length > 500 || !keyShape.test(key) || key.includes(".."))
    throw new RangeError(`not a storage key: ${JSON.stringify(key)}`);
}
