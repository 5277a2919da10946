/** A time limit on storage: a network file system whose server is gone answers neither with a file nor with an error. */
import { Readable } from "node:stream";
import type { Storage } from "./storage.ts";

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
