/**
 * Preloaded into the processes of a soak: each thread collects all its garbage at regular times. V8 lets a small heap fill
 * up to several times what it holds before it does so by itself, which over half an hour looks like a leak. Where HEAPS_FOLDER is set, each
 * writes there what its heap holds then, in bytes, as a file `PID.THREAD`: without the pixels that lie outside of it, beside
 * which a leak of some KB an edit would not be seen, and without V8's spaces for compiled code and its tables. They grow for some thousand
 * edits, in every thread by itself, because rare functions are compiled late: of the 890 KB by which a thread that edits grew between a
 * worker's 1,500th and 6,000th edit, objects and strings were 5 KB. Their bound is the program.
 */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { threadId } from "node:worker_threads";

const { HEAPS_FOLDER } = process.env;
const collectEveryMs = Number(process.env.COLLECT_EVERY_MS ?? 15_000);

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** V8 keeps machine code in code spaces, and bytecode and the tables of both in trusted ones. */
const spacesOfCode = /code|trusted/;

function heldBytes(): number {
  const held = getHeapSpaceStatistics().filter(({ space_name }) => !spacesOfCode.test(space_name));
  return held.reduce((sum, { space_used_size }) => sum + space_used_size, 0);
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
