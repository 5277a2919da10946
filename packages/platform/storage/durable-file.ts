import { closeSync, fsyncSync, openSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

function sync(path: string): void {
  const opened = openSync(path, "r");
  fsyncSync(opened);
  closeSync(opened);
}

/**
 * Written under another name and renamed, so that no crash leaves half a file. A power cut leaves the file too: a name that
 * is on disk before its bytes would be an empty file after it, of a file system that allocates late.
 */
export function writeDurably(path: string, text: string, mode: number): void {
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode, flush: true });
  renameSync(draft, path);
  syncName(path);
}

/** That it is there under this name, after it was renamed. */
export function syncName(path: string): void {
  sync(dirname(path));
}

/** All that is below the folder now, and the folder itself. */
export function syncFolder(path: string): void {
  const below = readdirSync(path, { recursive: true, withFileTypes: true });
  for (const entry of below) if (entry.isFile() || entry.isDirectory()) sync(join(entry.parentPath, entry.name));
  sync(path);
}
