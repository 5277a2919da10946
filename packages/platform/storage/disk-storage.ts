import { createReadStream } from "node:fs";
import { copyFile, link, mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { dirname, join, relative, sep } from "node:path";
import { Readable } from "node:stream";
import { PackshotError } from "@packshot/domain/errors.ts";
import { createDiskLinks, type DiskLinkSettings } from "./disk-links.ts";
import { assertStorageKey, readChunkBytes, type Storage } from "./storage.ts";

export interface DiskStorageSettings {
  readonly dir: string;
  /** Absent for a process that signs no links (the worker): least privilege. */
  readonly links?: DiskLinkSettings;
}

/**
 * Files below one folder. A write goes to a temporary file beside its place and is renamed; a copy is a hard link, so
 * a source costs its bytes once however many jobs use it. Both are on the disk when they resolve: the log, which then
 * says that a job has them, survives a power cut too.
 */
export function createDiskStorage({ dir, links: linkSettings }: DiskStorageSettings): Storage {
  const links = linkSettings === undefined ? undefined : createDiskLinks(linkSettings);

  function signer() {
    if (links === undefined) throw new Error("this process has no link key: it signs no links");
    return links;
  }

  function pathOf(key: string): string {
    assertStorageKey(key);
    return join(dir, ...key.split("/"));
  }

  /** The janitor may remove an empty folder between our mkdir and our open: make it again. */
  async function inFolderOf<T>(path: string, act: (made: string | undefined) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const made = await mkdir(dirname(path), { recursive: true });
      try {
        return await act(made);
      } catch (error) {
        if (!isMissing(error) || attempt === 3) throw error;
      }
    }
  }

  return {
    async write(key, body, { bytesMax }) {
      const path = pathOf(key);
      const temporary = `${path}.${randomUUID()}.part`;
      // A sender may break off before we read: the loop below reports it, and no error event stays unheard till then.
      if (body instanceof Readable) body.on("error", () => {});
      const { file, made } = await inFolderOf(path, async (made) => ({ file: await open(temporary, "wx"), made }));
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
      const file = await open(pathOf(key), "r").catch(undefinedIfMissing);
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
      const file = await open(pathOf(key), "r").catch(undefinedIfMissing);
      if (file === undefined) return undefined;
      const { size } = await file.stat();
      const part = range === undefined ? {} : { start: range.first, end: range.last };
      const stream = createReadStream("", { fd: file, autoClose: true, highWaterMark: readChunkBytes, ...part });
      return { stream, bytes: size };
    },

    async stat(key) {
      const found = await stat(pathOf(key)).catch(undefinedIfMissing);
      return found?.isFile() ? { bytes: found.size } : undefined;
    },

    async copy(from, to) {
      const [source, target] = [pathOf(from), pathOf(to)];
      if ((await stat(source).catch(undefinedIfMissing)) === undefined) return false;
      const temporary = `${target}.${randomUUID()}.part`;
      try {
        const made = await inFolderOf(target, async (made) => {
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
      const path = pathOf(prefix);
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
      // Empty parents go too, as prefixes do in object storage; a folder just filled again stays.
      for (let parent = dirname(path); relative(dir, parent).length > 0; parent = dirname(parent)) {
        const removed = await rmdir(parent).then(
          () => true,
          () => false,
        );
        if (!removed) break;
      }
    },

    async *list(prefix) {
      for await (const path of filesBelow(pathOf(prefix))) {
        const found = await stat(path).catch(undefinedIfMissing);
        if (found !== undefined) yield { key: relative(dir, path).split(sep).join("/"), modifiedAtMs: found.mtimeMs };
      }
    },

    signGet: async (key, options) => signer().signGet(key, options),
    signPut: async (key, options) => signer().signPut(key, options),
  };
}

/**
 * Folder by folder: the janitor removes some all the time, and a recursive `readdir` fails as a whole when one of them
 * has gone. Those of one folder come together.
 */
async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(undefinedIfMissing);
  for (const entry of entries ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** A new file is found again after a power cut once its folder is on the disk, and those above it that were `made`. */
async function syncFolders(path: string, made: string | undefined): Promise<void> {
  const last = made === undefined ? dirname(path) : dirname(made);
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const opened = await open(folder, "r").catch(undefinedIfMissing);
    await opened?.sync().finally(() => opened.close());
    if (folder === last || folder === dirname(folder)) return;
  }
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException)?.code;
  return code === "ENOENT" || code === "ENOTDIR";
}

function undefinedIfMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}
