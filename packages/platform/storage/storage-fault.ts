import { Readable } from "node:stream";
import type { Storage } from "./storage.ts";

/**
 * An object storage that refuses or does not answer. The text names the operation, the status and the code; what the
 * server says about its signature stays out of it, because logs must not hold that.
 */
export class StorageFault extends Error {
  /** False where one file alone may be the reason. */
  readonly isCertain: boolean;
  /** There is no room for more; what is there can be read and deleted. */
  readonly isFull: boolean;
  /** The server's, as "SlowDown", or the network's, as "ECONNREFUSED". */
  readonly code: string;

  constructor(message: string, { isCertain, isFull = false, code }: StorageFaultDetails) {
    super(message);
    this.name = "StorageFault";
    this.isCertain = isCertain;
    this.isFull = isFull;
    this.code = code;
  }
}

export interface StorageFaultDetails {
  readonly isCertain: boolean;
  readonly isFull?: boolean;
  readonly code: string;
}

/** A time limit on storage: a network file system whose server is gone answers neither with a file nor with an error. */

/** A storage operation that did not end in time. It may still end later, and its file is then removed as an orphan. */
export class StorageTimeout extends Error {
  constructor(operation: string, timeoutMs: number) {
    super(`storage: ${operation} did not end in ${timeoutMs} ms`);
    this.name = "StorageTimeout";
  }
}

/**
 * Reads, writes and deletions throw `StorageTimeout` after `timeoutMs`. The time of a streamed write begins when the
 * stream has ended, because its sender has a time limit of its own.
 */
export function withStorageTimeout(storage: Storage, timeoutMs: number): Storage {
  return {
    ...storage,
    write: (key, body, limits) =>
      withTimeout("write", timeoutMs, storage.write(key, body, limits), body instanceof Readable ? body : undefined),
    read: (key, limits) => withTimeout("read", timeoutMs, storage.read(key, limits)),
    deletePrefix: (prefix) => withTimeout("delete", timeoutMs, storage.deletePrefix(prefix)),
  };
}

async function withTimeout<T>(operation: string, timeoutMs: number, work: Promise<T>, after?: Readable): Promise<T> {
  const timedOut = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    timer = setTimeout(() => timedOut.reject(new StorageTimeout(operation, timeoutMs)), timeoutMs);
  };
  if (after === undefined || after.closed) begin();
  else after.once("close", begin);
  try {
    return await Promise.race([work, timedOut.promise]);
  } finally {
    after?.off("close", begin);
    clearTimeout(timer);
  }
}
