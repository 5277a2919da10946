/**
 * Preloaded into the processes of a soak: each thread collects all its garbage at regular times. V8 lets a small heap fill
 * up to several times what it holds before it does so by itself, which over half an hour looks like a leak. Where HEAPS_FOLDER is set, each
 * writes there what its heap holds then, in bytes, as a file `PID.THREAD`: without the pixels that lie outside of it, beside
 * which a leak of some KB an edit would not be seen, and without the code that V8 has compiled. That grows by some KB an edit for thousands
 * of edits, in every thread by itself, because rare functions are compiled late; its bound is the program.
 */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getHeapCodeStatistics, getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { threadId } from "node:worker_threads";

const { HEAPS_FOLDER } = process.env;
const collectEveryMs = Number(process.env.COLLECT_EVERY_MS ?? 15_000);

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function heldBytes(): number {
  const code = getHeapCodeStatistics();
  return getHeapStatistics().used_heap_size - code.code_and_metadata_size - code.bytecode_and_metadata_size;
}

function collectAndTell(): void {
  collect();
  if (HEAPS_FOLDER === undefined) return;
  const file = join(HEAPS_FOLDER, `${process.pid}.${threadId}`);
  // Whoever reads it meanwhile must not find half of it.
  writeFileSync(`${file}.next`, String(heldBytes()));
  renameSync(`${file}.next`, file);
}

setInterval(collectAndTell, collectEveryMs).unref();
