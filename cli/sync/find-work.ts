/** What of each photo there is to do. */
import type { CatalogPhoto } from "./catalog.ts";
import { type PhotoToSync, type StateDeps, stateOf } from "./sync-photos.ts";

/** A place that is asked about each photo takes so many questions at once. */
const looksMax = 16;

/** In the order of the photos. Throws the signal's reason as soon as it aborts, whatever is being asked. */
export async function findWork(
  photos: AsyncIterable<CatalogPhoto>,
  known: StateDeps,
  signal: AbortSignal,
): Promise<PhotoToSync[]> {
  const iterator = photos[Symbol.asyncIterator]();
  const found: PhotoToSync[] = [];
  let next = 0;
  let isEnded = false;

  async function look(): Promise<void> {
    while (!isEnded) {
      const { done = false, value } = await iterator.next();
      if (done || isEnded) return;
      const index = next++;
      found[index] = await stateOf(value, known, signal);
    }
  }

  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([aborted.promise, Promise.all(Array.from({ length: looksMax }, look))]);
    return found;
  } finally {
    isEnded = true;
    signal.removeEventListener("abort", onAbort);
  }
}
