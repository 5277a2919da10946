/**
 * Preloaded into the processes of a soak: each thread collects all its garbage at regular times. V8 lets a small heap fill
 * up to several times what it holds before it does so by itself, which over half an hour looks like a leak. Where HEAPS_FOLDER is set, each
 * writes there what its heap holds then, in bytes, as a file `PID.THREAD`: without the pixels that lie outside of it, beside
 * which a leak of some KB an edit would not be seen.
 */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { threadId } from "node:worker_threads";

const { HEAPS_FOLDER } = process.env;
const collectEveryMs = Number(process.env.COLLECT_EVERY_MS ?? 15_000);

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function collectAndTell(): void {
  collect();
  if (HEAPS_FOLDER === undefined) return;
  const file = join(HEAPS_FOLDER, `${process.pid}.${threadId}`);
  // Whoever reads it meanwhile must not find half of it.
  writeFileSync(`${file}.next`, String(getHeapStatistics().used_heap_size));
  renameSync(`${file}.next`, file);
}

setInterval(collectAndTell, collectEveryMs).unref();
