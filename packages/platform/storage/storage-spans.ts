import { isTracing, traced } from "../telemetry/tracing.ts";
import type { Storage } from "./storage.ts";

/** A span for each file that is written, read, copied or deleted. The storage itself when tracing is off. */
export function withStorageSpans(storage: Storage): Storage {
  if (!isTracing()) return storage;
  return {
    ...storage,
    write: (key, body, limits) =>
      traced("storage write", {}, async (span) => {
        const written = await storage.write(key, body, limits);
        span?.setAttribute("packshot.storage.bytes", written.bytes);
        return written;
      }),
    read: (key, limits) =>
      traced("storage read", {}, async (span) => {
        const bytes = await storage.read(key, limits);
        span?.setAttribute("packshot.storage.bytes", bytes?.length ?? 0);
        return bytes;
      }),
    copy: (from, to) => traced("storage copy", {}, () => storage.copy(from, to)),
    deletePrefix: (prefix) => traced("storage delete", {}, () => storage.deletePrefix(prefix)),
  };
}
