/**
 * Which fingerprints there are below a prefix of storage. Each `add` writes a small sorted file; small files are merged into
 * larger ones, so that there are few. No process locks anything: files are never changed, a file is removed only after all
 * that it has stands in another one, and who finds a file gone looks again.
 */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { createLimiter } from "@packshot/platform/flow/limiter.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import {
  type FingerprintEntry,
  findInFile,
  findInLines,
  formatEntries,
  keyAt,
  lineBytes,
  timeAt,
} from "./fingerprint-file.ts";

export interface FingerprintIndexDeps {
  readonly storage: Pick<Storage, "open" | "read" | "write" | "list" | "stat" | "deletePrefix">;
  readonly nowMs: () => number;
  /** An entry is forgotten when it is older. */
  readonly lifetimeMs: number;
}

/** `prefix` ends with "/" and holds nothing else. */
export interface FingerprintIndex {
  /** The newest entry of each fingerprint; those without one are absent. */
  find(prefix: string, fingerprints: readonly string[]): Promise<ReadonlyMap<string, FingerprintEntry>>;
  /**
   * They are found when this resolves, by other processes two seconds later. `name`, of letters, digits and dashes, says where they come from:
   * the same name with the same entries may be written again after a kill.
   */
  add(prefix: string, name: string, entries: readonly FingerprintEntry[]): Promise<void>;
  /** Merges files where there are many of them. It may be killed at any time, and run in several processes. */
  merge(prefix: string): Promise<void>;
}

interface IndexFile {
  readonly key: string;
  readonly linesCount: number;
}

/** Files up to this length are held. */
const heldFileBytesMax = 256 * 1024;
const heldBytesMax = 32 * 1024 * 1024;
/** What other processes add is found so much later at most. */
const listedForMs = 2_000;
const listedMax = 1_000;
const readsMax = 8;
/** Each time files have been merged meanwhile. */
const attemptsMax = 10;
const mergedFilesMin = 8;
const mergedFilesMax = 64;
const fileName = /^[A-Za-z0-9-]+\.(\d+)$/;

export function createFingerprintIndex({ storage, nowMs, lifetimeMs }: FingerprintIndexDeps): FingerprintIndex {
  const held = createHeldFiles(storage);
  const listed = new Map<string, { readonly files: readonly IndexFile[]; readonly atMs: number }>();
  const limit = createLimiter(readsMax);

  async function list(prefix: string): Promise<readonly IndexFile[]> {
    const known = listed.get(prefix);
    if (known !== undefined && performance.now() - known.atMs < listedForMs) return known.files;
    const atMs = performance.now();
    const files: IndexFile[] = [];
    for await (const { key } of storage.list(prefix)) {
      const lines = fileName.exec(key.slice(prefix.length))?.[1];
      if (lines !== undefined) files.push({ key, linesCount: Number(lines) });
    }
    listed.delete(prefix);
    listed.set(prefix, { files, atMs });
    if (listed.size > listedMax) listed.delete(listed.keys().next().value!);
    return files;
  }

  async function findIn(file: IndexFile, fingerprint: string): Promise<FingerprintEntry | undefined | "gone"> {
    if (file.linesCount * lineBytes > heldFileBytesMax) return await findInFile(storage, file, fingerprint);
    const lines = await held.read(file.key);
    return lines === undefined ? "gone" : findInLines(lines, fingerprint);
  }

  async function findOnce(prefix: string, fingerprints: readonly string[]) {
    const oldest = new Date(nowMs() - lifetimeMs).toISOString();
    const found = new Map<string, FingerprintEntry>();
    const pairs = (await list(prefix)).flatMap((file) => fingerprints.map((fingerprint) => ({ file, fingerprint })));
    let isGone = false;
    const findPair = async ({ file, fingerprint }: (typeof pairs)[number]) => {
      const entry = isGone ? undefined : await findIn(file, fingerprint);
      if (entry === "gone") isGone = true;
      else if (entry !== undefined && entry.at > oldest && entry.at > (found.get(fingerprint)?.at ?? "")) {
        found.set(fingerprint, entry);
      }
    };
    await Promise.all(pairs.map((pair) => limit(() => findPair(pair))));
    return isGone ? undefined : found;
  }

  return {
    async find(prefix, fingerprints) {
      for (let attempt = 1; attempt <= attemptsMax; attempt++) {
        const found = await findOnce(prefix, fingerprints);
        if (found !== undefined) return found;
        listed.delete(prefix);
      }
      throw new Error("files of fingerprints vanish again and again while they are read");
    },

    async add(prefix, name, entries) {
      if (entries.length === 0) return;
      const text = formatEntries(entries);
      failpoint("fingerprints:before-write");
      await storage.write(`${prefix}${name}.${text.length / lineBytes}`, text, { bytesMax: text.length });
      failpoint("fingerprints:after-write");
      listed.delete(prefix);
    },

    async merge(prefix) {
      listed.delete(prefix);
      for (;;) {
        const files = chooseFiles(await list(prefix));
        if (files.length === 0) return;
        const oldest = new Date(nowMs() - lifetimeMs).toISOString();
        const merged = await mergeFiles(storage, { prefix, name: nameOf(files), files, oldest });
        listed.delete(prefix);
        // Another process has merged some of them: it has done the work.
        if (!merged) return;
        for (const { key } of files) {
          failpoint("merge-fingerprints:before-delete");
          await storage.deletePrefix(key);
        }
      }
    },
  };
}

/**
 * The smallest ones, as long as the next is no more than twice as long as all before it, so that a large file is seldom
 * written again; none when these are few.
 */
export function chooseFiles(files: readonly IndexFile[]): readonly IndexFile[] {
  const chosen: IndexFile[] = [];
  let lines = 0;
  for (const file of [...files].sort((a, b) => a.linesCount - b.linesCount)) {
    if (chosen.length === mergedFilesMax || (chosen.length > 0 && file.linesCount > 2 * lines)) break;
    chosen.push(file);
    lines += file.linesCount;
  }
  return chosen.length < mergedFilesMin ? [] : chosen;
}

/** The same files get the same name, whoever merges them. */
function nameOf(files: readonly IndexFile[]): string {
  const keys = files.map(({ key }) => key).sort();
  return `merged-${createHash("sha256").update(keys.join("\n")).digest("hex").slice(0, 32)}`;
}

/** The files that were read last; undefined: there is no such file. */
function createHeldFiles(storage: Pick<Storage, "read">) {
  const held = new Map<string, Promise<Buffer | undefined>>();
  const sizes = new Map<string, number>();
  let bytes = 0;

  function drop(key: string): void {
    held.delete(key);
    bytes -= sizes.get(key) ?? 0;
    sizes.delete(key);
  }

  return {
    async read(key: string): Promise<Buffer | undefined> {
      const known = held.get(key);
      const reading = known ?? storage.read(key, { bytesMax: heldFileBytesMax });
      held.delete(key);
      held.set(key, reading);
      if (known !== undefined) return await known;
      const lines = await reading.catch((error: unknown) => {
        drop(key);
        throw error;
      });
      if (lines === undefined) drop(key);
      else {
        sizes.set(key, lines.length);
        bytes += lines.length;
      }
      for (const oldest of held.keys()) {
        if (bytes <= heldBytesMax) break;
        drop(oldest);
      }
      return lines;
    },
  };
}

/** Merges sorted files of fingerprints into one, as streams: memory does not grow with their length. */
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
async function mergeFiles(
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
