/** Photos of a folder as they come, until the signal aborts. */
import { watch } from "node:fs";
import { photosOfFolder, type PhotoSearch } from "./find-photos.ts";
import type { Photo } from "./photo.ts";

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
