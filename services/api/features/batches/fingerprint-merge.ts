/** Merges sorted files of fingerprints into one, as streams: memory does not grow with their length. */
import { Readable } from "node:stream";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { keyAt, lineBytes, timeAt } from "./fingerprint-file.ts";

export interface FileMerge {
  readonly prefix: string;
  readonly name: string;
  readonly files: readonly { readonly key: string; readonly linesCount: number }[];
  /** Entries from before are left out. */
  readonly oldest: string;
}

const linesPerWrite = 1_024;

/** Where it reads a file. */
interface Head {
  readonly pieces: AsyncIterator<Buffer>;
  lines: Buffer;
  place: number;
  key: string;
}

/**
 * Writes `<prefix><name>.<lines>`, and removes nothing. False: one of the files is gone, and nothing was written.
 *
 * The files are read twice: the name says how many lines there are, and that is known only when all were compared.
 */
export async function mergeFiles(
  storage: Pick<Storage, "open" | "write">,
  { prefix, name, files, oldest }: FileMerge,
): Promise<boolean> {
  let linesCount = 0;
  for await (const lines of mergedLines(storage, files, oldest)) {
    if (lines === "gone") return false;
    linesCount += lines.length / lineBytes;
  }
  if (linesCount === 0) return true;
  let isGone = false;
  async function* body() {
    for await (const lines of mergedLines(storage, files, oldest)) {
      if (lines === "gone") {
        isGone = true;
        throw new Error("a file of fingerprints is gone");
      }
      yield lines;
    }
  }
  try {
    const options = { bytesMax: linesCount * lineBytes };
    await storage.write(`${prefix}${name}.${linesCount}`, Readable.from(body(), { objectMode: false }), options);
    return true;
  } catch (error) {
    if (isGone) return false;
    throw error;
  }
}

async function* mergedLines(
  storage: Pick<Storage, "open">,
  files: FileMerge["files"],
  oldest: string,
): AsyncGenerator<Buffer | "gone"> {
  const opened = await Promise.all(files.map(({ key }) => storage.open(key)));
  const streams = opened.flatMap((file) => (file === undefined ? [] : [file.stream]));
  try {
    if (streams.length < files.length) return yield "gone";
    const heads = streams.map(
      (stream): Head => ({ pieces: stream[Symbol.asyncIterator](), lines: Buffer.alloc(0), place: 0, key: "" }),
    );
    yield* mergeHeads(await openHeads(heads), oldest);
  } finally {
    for (const stream of streams) stream.destroy();
  }
}

async function openHeads(heads: readonly Head[]): Promise<Head[]> {
  const open: Head[] = [];
  for (const head of heads) if (await fill(head)) open.push(head);
  return open;
}

async function* mergeHeads(open: Head[], oldest: string): AsyncGenerator<Buffer> {
  let written = Buffer.allocUnsafe(linesPerWrite * lineBytes);
  let used = 0;
  while (open.length > 0) {
    let { key } = open[0]!;
    for (const head of open) if (head.key < key) key = head.key;
    let newest: Head | undefined;
    const same = open.filter((head) => head.key === key);
    for (const head of same) {
      if (newest === undefined || timeAt(head.lines, head.place) > timeAt(newest.lines, newest.place)) newest = head;
    }
    if (timeAt(newest!.lines, newest!.place) > oldest) {
      const start = newest!.place * lineBytes;
      used += newest!.lines.copy(written, used, start, start + lineBytes);
    }
    for (const head of same) {
      head.place += 1;
      if (await advance(head)) continue;
      open.splice(open.indexOf(head), 1);
    }
    if (used < written.length) continue;
    yield written;
    written = Buffer.allocUnsafe(linesPerWrite * lineBytes);
    used = 0;
  }
  if (used > 0) yield written.subarray(0, used);
}

function advance(head: Head): boolean | Promise<boolean> {
  if ((head.place + 1) * lineBytes > head.lines.length) return fill(head);
  head.key = keyAt(head.lines, head.place);
  return true;
}

/** Reads until there is a whole line; false at the file's end. */
async function fill(head: Head): Promise<boolean> {
  head.lines = head.lines.subarray(head.place * lineBytes);
  head.place = 0;
  while (head.lines.length < lineBytes) {
    const { done, value } = await head.pieces.next();
    if (done === true) return false;
    head.lines = Buffer.concat([head.lines, value]);
  }
  head.key = keyAt(head.lines, 0);
  return true;
}
