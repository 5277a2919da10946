import { type Stats, watch } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { withoutQuery } from "../command-line/address.ts";
import { CommandError } from "../command-line/command.ts";
import { isPhotoName, type Photo, type PhotoFile, photoAddress, photoFile } from "./photo.ts";

export interface PhotoSearch {
  /** Against which relative names are meant. */
  readonly cwd: string;
  /** Not looked into: the folder of the results may be in that of the photos. */
  readonly except: string;
}

const isAddress = (text: string) => /^(https?|s3):\/\//i.test(text);

/** Files, the photos of folders, and addresses, each once and in a stable order. Throws a CommandError for what is none. */
export async function findPhotos(given: readonly string[], search: PhotoSearch): Promise<Photo[]> {
  const found = new Map<string, Photo>();
  for (const name of given) {
    for (const photo of await photosOf(name, search)) if (!found.has(photo.id)) found.set(photo.id, photo);
  }
  return [...found.values()];
}

async function photosOf(name: string, search: PhotoSearch): Promise<Photo[]> {
  if (isAddress(name)) {
    if (!URL.canParse(name)) throw new CommandError(`"${withoutQuery(name)}" is no valid address.`);
    return [photoAddress(name)];
  }
  const path = resolve(search.cwd, name);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") throw new CommandError(`there is no photo or folder "${name}".`);
    throw new CommandError(`"${name}" cannot be read (${error.code}).`);
  });
  if (found.isDirectory()) return await photosOfFolder(name, search);
  return [await fileOf({ name, path, relativePath: basename(path), found })];
}

/** Also those of its folders; hidden ones are left out, and results, unless they are to be the same folder. */
export async function photosOfFolder(name: string, { cwd, except }: PhotoSearch): Promise<PhotoFile[]> {
  const folder = resolve(cwd, name);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new CommandError(`the folder "${name}" cannot be read (${error.code}).`);
    },
  );
  const paths = entries
    .filter((entry) => isPhotoName(entry.name) && !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => except === folder || !isBelow(path, except))
    .filter((path) => !/(^|[/\\])\./.test(relative(folder, path)))
    .sort();
  const photos: PhotoFile[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    // Gone again, or a link to nothing.
    if (found === undefined || !found.isFile()) continue;
    const relativePath = relative(folder, path);
    photos.push(await fileOf({ name: join(name, relativePath), path, relativePath, found }));
  }
  return photos;
}

interface FoundFile {
  readonly name: string;
  readonly path: string;
  readonly relativePath: string;
  readonly found: Stats;
}

async function fileOf({ name, path, relativePath, found }: FoundFile): Promise<PhotoFile> {
  const { size: bytes, mtimeMs: modifiedMs } = found;
  return photoFile({ name, path: await realpath(path), relativePath, bytes, modifiedMs });
}

function isBelow(path: string, folder: string): boolean {
  const rest = relative(folder, path);
  return rest !== "" && !rest.startsWith("..") && resolve(folder, rest) === path;
}

/** Photos of a folder as they come, until the signal aborts. */

/** A file that has not changed for so long is taken to be whole. */
const steadyMs = 1_000;
/** Network folders tell of no changes: they are looked at. */
const lookEveryMs = 5_000;

export async function* watchFolder(
  name: string,
  search: PhotoSearch,
  signal: AbortSignal,
): AsyncGenerator<Photo, void> {
  const given = new Set<string>();
  let wake = () => {};
  const watcher = watch(name, { recursive: true }, () => wake());
  watcher.on("error", () => {}); // It is looked at all the same.
  const onAbort = () => wake();
  signal.addEventListener("abort", onAbort);
  try {
    let before = new Map<string, number>();
    while (!signal.aborted) {
      const seen = new Map<string, number>();
      let isSettling = false;
      const nowMs = performance.now();
      for (const photo of await photosOfFolder(name, search)) {
        const sinceMs = before.get(photo.fingerprint) ?? nowMs;
        seen.set(photo.fingerprint, sinceMs);
        if (given.has(photo.fingerprint)) continue;
        if (nowMs - sinceMs < steadyMs) isSettling = true;
        else {
          given.add(photo.fingerprint);
          yield photo;
        }
      }
      before = seen;
      if (signal.aborted) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, isSettling ? steadyMs : lookEveryMs);
        wake = () => {
          // What is being written wakes it often: it is looked at when that has settled.
          if (isSettling && !signal.aborted) return;
          clearTimeout(timer);
          resolve();
        };
        if (signal.aborted) wake();
      });
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    watcher.close();
  }
}
