import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * The paths of all files below a folder, also while a running stack removes others. `readdir` with `recursive` rejects when a
 * folder vanishes between its listing and its reading; here that folder alone is left out, and every file that stays is in the
 * list. Rejects when the folder itself is not there: a test that found nothing in it would prove nothing.
 */
export async function filesBelow(folder: string): Promise<string[]> {
  return await filesOf(folder, await readdir(folder, { withFileTypes: true }));
}

async function filesOf(folder: string, entries: readonly Dirent[]): Promise<string[]> {
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
  const inner = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  for (const path of inner) files.push(...(await filesOf(path, await entriesUnlessGone(path))));
  return files;
}

async function entriesUnlessGone(folder: string): Promise<Dirent[]> {
  return await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}
