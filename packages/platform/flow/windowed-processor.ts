/**
 * Processes a sequence of items with bounded parallelism and tracks a low-water mark: the newest item with nothing
 * unfinished before it. The items of one group are processed in order, one batch at a time. A batch that fails is tried
 * again and holds up its own group only.
 */

export interface WindowedProcessorDeps<T> {
  /** Batches processed at once, all groups together. */
  readonly parallelMax: number;
  /** Items of one group that `handle` gets at once. */
  readonly batchItemsMax: number;
  /** Items in the window: added or skipped, and after the low-water mark. */
  readonly capacity: number;
  readonly handle: (items: readonly T[]) => Promise<void>;
  /** Told of each failure; answers after how many milliseconds to try again. */
  readonly retryAfterMs: (error: unknown, items: readonly T[], failures: number) => number;
}

interface WindowEntry<T> {
  readonly item: T;
  isDone: boolean;
}

interface Group<T> {
  readonly name: string;
  readonly queue: WindowEntry<T>[];
  failures: number;
}

export interface WindowedProcessor<T> {
  /** Items of one `group` are processed in the order in which they are added. */
  add(item: T, group: string): void;
  /** Takes an item that needs no work into the window, so that the low-water mark can pass it. */
  skip(item: T): void;
  /** undefined until the first item is done. */
  lowWaterMark(): T | undefined;
  /** The oldest item that is not done, and how many items are in the window from it on. */
  unfinished(): { readonly oldest: T | undefined; readonly count: number };
  /** Resolves when the window has room for another item. */
  waitForCapacity(): Promise<void>;
  /** Starts nothing new; resolves when the running batches have ended. */
  stop(): Promise<void>;
}

export function createWindowedProcessor<T>(deps: WindowedProcessorDeps<T>): WindowedProcessor<T> {
  const { parallelMax, batchItemsMax, capacity, handle, retryAfterMs } = deps;
  const window: WindowEntry<T>[] = [];
  const groups = new Map<string, Group<T>>();
  const runnable: Group<T>[] = [];
  const retries = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  let lowWaterMark: T | undefined;
  let isStopped = false;
  let onCapacity = () => {};

  function advance(): void {
    let finished = 0;
    while (finished < window.length && window[finished]!.isDone) finished++;
    if (finished === 0) return;
    lowWaterMark = window[finished - 1]!.item;
    window.splice(0, finished);
    if (window.length < capacity) onCapacity();
  }

  function startBatches(): void {
    while (!isStopped && running.size < parallelMax && runnable.length > 0) {
      const batch: Promise<void> = processBatch(runnable.shift()!).finally(() => {
        running.delete(batch);
        startBatches();
      });
      running.add(batch);
    }
  }

  async function processBatch(group: Group<T>): Promise<void> {
    const batch = group.queue.slice(0, batchItemsMax);
    const items = batch.map(({ item }) => item);
    try {
      await handle(items);
    } catch (error) {
      if (isStopped) return;
      group.failures += 1;
      retryLater(group, retryAfterMs(error, items, group.failures));
      return;
    }
    group.failures = 0;
    group.queue.splice(0, batch.length);
    for (const entry of batch) entry.isDone = true;
    if (group.queue.length > 0) runnable.push(group);
    else groups.delete(group.name);
    advance();
  }

  function retryLater(group: Group<T>, delayMs: number): void {
    const timer = setTimeout(() => {
      retries.delete(timer);
      runnable.push(group);
      startBatches();
    }, delayMs);
    retries.add(timer);
  }

  return {
    add(item, name) {
      const entry = { item, isDone: false };
      window.push(entry);
      const known = groups.get(name);
      if (known !== undefined) {
        known.queue.push(entry);
        return;
      }
      const group: Group<T> = { name, queue: [entry], failures: 0 };
      groups.set(name, group);
      runnable.push(group);
      startBatches();
    },
    skip(item) {
      window.push({ item, isDone: true });
      if (window[0]!.isDone) advance();
    },
    lowWaterMark: () => lowWaterMark,
    unfinished: () => ({ oldest: window[0]?.item, count: window.length }),
    async waitForCapacity() {
      while (!isStopped && window.length >= capacity) {
        await new Promise<void>((resolve) => {
          onCapacity = resolve;
        });
      }
    },
    async stop() {
      isStopped = true;
      onCapacity();
      for (const timer of retries) clearTimeout(timer);
      while (running.size > 0) await Promise.all(running);
    },
  };
}
