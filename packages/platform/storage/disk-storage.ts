import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, link, open, readdir, rename, rm, rmdir, stat, statfs, unlink } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { Readable } from "node:stream";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isFull, makeFolder } from "./disk-folder.ts";
import { createDiskLinks, type DiskLinkSettings } from "./disk-links.ts";
import { assertStorageKey, readChunkBytes, type Storage } from "./storage.ts";
import { StorageFault } from "./storage-fault.ts";

export interface DiskStorageSettings {
  readonly dir: string;
  /**
   * `assertRoom` throws when a file would leave less free space than this; with 0, the default, where nothing is free. With any it
   * throws for some seconds after a file has found no room.
   */
  readonly freeBytesMin?: number;
  /** Absent for a process that signs no links (the worker): least privilege. */
  readonly links?: DiskLinkSettings;
}

/**
 * Files below one folder. A write goes to a temporary file in the same folder, which is then renamed. A copy is a hard
 * link, so a source takes its bytes once however many jobs use it. Both are durable when they resolve, because the log,
 * which then says that a job has the file, survives a power cut too.
 */
export function createDiskStorage({ dir, freeBytesMin = 0, links: linkSettings }: DiskStorageSettings): Storage {
  const links = linkSettings === undefined ? undefined : createDiskLinks(linkSettings);
  const room = watchRoom({ dir, freeBytesMin });

  function signer() {
    if (links === undefined) throw new Error("this process has no link key: it signs no links");
    return links;
  }

  function toPath(key: string): string {
    assertStorageKey(key);
    return join(dir, ...key.split("/"));
  }

  /** Makes the folder again when the janitor removes it between `makeFolder` and `act`. */
  async function withFolder<T>(path: string, act: (made: string | undefined) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const made = await makeFolder(dirname(path));
      try {
        return await act(made);
      } catch (error) {
        if (!isMissing(error) || attempt === 3) throw error;
      }
    }
  }

  const files: Storage = {
    async assertRoom(bytes) {
      if (await room.isFor(bytes)) return;
      throw new PackshotError("unavailable", "The storage is full at present; try again later.");
    },

    async write(key, body, { bytesMax }) {
      const path = toPath(key);
      const temporary = `${path}.${randomUUID()}.part`;
      // A sender may break off before it is read. The loop below reports it; until then its error event needs a listener.
      if (body instanceof Readable) body.on("error", () => {});
      const { file, made } = await withFolder(path, async (made) => ({ file: await open(temporary, "wx"), made }));
      let bytes = 0;
      try {
        for await (const chunk of body instanceof Readable ? body : [body]) {
          bytes += chunk.length;
          if (bytes > bytesMax) throw new PackshotError("file_too_large", `The file is larger than ${bytesMax} bytes.`);
          await file.writeFile(chunk);
        }
        await file.datasync();
        await file.close();
        await rename(temporary, path);
        await syncFolders(path, made);
      } catch (error) {
        await file.close().catch(() => {});
        await rm(temporary, { force: true });
        throw error;
      }
      return { bytes };
    },

    async read(key, { bytesMax }) {
      const file = await open(toPath(key), "r").catch(undefinedIfMissing);
      if (file === undefined) return undefined;
      try {
        const { size } = await file.stat();
        if (size > bytesMax)
          throw new PackshotError("file_too_large", `The file has ${size} bytes; the limit is ${bytesMax}.`);
        return await file.readFile();
      } finally {
        await file.close();
      }
    },

    async open(key, range) {
      const file = await open(toPath(key), "r").catch(undefinedIfMissing);
      if (file === undefined) return undefined;
      const { size } = await file.stat();
      const part = range === undefined ? {} : { start: range.first, end: range.last };
      const stream = createReadStream("", { fd: file, autoClose: true, highWaterMark: readChunkBytes, ...part });
      return { stream, bytes: size };
    },

    async stat(key) {
      const found = await stat(toPath(key)).catch(undefinedIfMissing);
      return found?.isFile() ? { bytes: found.size } : undefined;
    },

    async copy(from, to) {
      const source = toPath(from);
      const target = toPath(to);
      if ((await stat(source).catch(undefinedIfMissing)) === undefined) return false;
      const temporary = `${target}.${randomUUID()}.part`;
      try {
        const made = await withFolder(target, async (made) => {
          await link(source, temporary).catch((error: NodeJS.ErrnoException) => {
            if (isMissing(error)) throw error;
            return copyFile(source, temporary); // another file system, or one without hard links
          });
          return made;
        });
        await rename(temporary, target);
        await unlink(temporary).catch(undefinedIfMissing); // rename of two links to one file keeps both
        await syncFolders(target, made);
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },

    async deletePrefix(prefix) {
      const path = toPath(prefix);
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
      // Empty parents are removed too, as prefixes vanish in object storage. A folder that was just filled again stays.
      for (let parent = dirname(path); relative(dir, parent).length > 0; parent = dirname(parent)) {
        const removed = await rmdir(parent).then(
          () => true,
          () => false,
        );
        if (!removed) break;
      }
    },

    async *list(prefix) {
      for await (const path of filesBelow(toPath(prefix))) {
        // A file that has gone since then is listed: without it, a reader whose files are replaced by one meanwhile would take what it
        // finds for all there is.
        const found = await stat(path).catch(undefinedIfMissing);
        yield { key: relative(dir, path).split(sep).join("/"), modifiedAtMs: found?.mtimeMs ?? Date.now() };
      }
    },

    // A temporary file is listed, beside what it was to become, and removed with it.
    discardUnfinished: async () => 0,

    signGet: async (key, options) => signer().signGet(key, options),
    signPut: async (key, options) => signer().signPut(key, options),
  };

  return {
    ...files,
    write: (...args) => room.notingFull(files.write(...args)),
    copy: (...args) => room.notingFull(files.copy(...args)),
  };
}

/** After a file has found no room, files from outside are refused for so long without trying. */
const fullForMs = 5_000;

/** Whether the disk has room, by what is free and by the files that found none. */
function watchRoom({ dir, freeBytesMin }: { readonly dir: string; readonly freeBytesMin: number }) {
  let fullUntilMs = 0;
  return {
    async isFor(bytes: number): Promise<boolean> {
      if (performance.now() < fullUntilMs) return false;
      await makeFolder(dir);
      const { bavail, bsize, blocks } = await statfs(dir);
      // Some file systems do not say how much they hold.
      if (freeBytesMin === 0) return bavail > 0 || blocks === 0;
      return bavail * bsize - bytes >= freeBytesMin;
    },

    async notingFull<T>(writing: Promise<T>): Promise<T> {
      return await writing.catch((error: unknown) => {
        if (isFull(error)) fullUntilMs = performance.now() + fullForMs;
        throw error;
      });
    },
  };
}

/**
 * Reads folder by folder, because a recursive `readdir` fails as a whole when the janitor removes one of the folders
 * meanwhile. The files of one folder come one after another.
 */
async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(undefinedIfMissing);
  for (const entry of entries ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/**
 * After a power cut a new file is found once its folder is synced, and each folder above it that was just `made`. All at once: a
 * journal takes them together.
 */
async function syncFolders(path: string, made: string | undefined): Promise<void> {
  const last = made === undefined ? dirname(path) : dirname(made);
  const folders = [dirname(path)];
  for (let folder = dirname(path); folder !== last && folder !== dirname(folder); folder = dirname(folder)) {
    folders.push(dirname(folder));
  }
  await Promise.all(folders.map(syncFolder));
}

async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, "r").catch(undefinedIfMissing);
  await opened?.sync().finally(() => opened.close());
}

/** A folder that cannot be made is a fault with a code of its own, and no missing file. */
function isMissing(error: unknown): boolean {
  if (error instanceof StorageFault) return false;
  const code = (error as NodeJS.ErrnoException)?.code;
  return code === "ENOENT" || code === "ENOTDIR";
}

function undefinedIfMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}
