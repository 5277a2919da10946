/**
 * Work on a sequence of items with bounded parallelism, and a mark behind the oldest unfinished one. Items of one
 * group are handled in order, one batch at a time; what fails is tried again, and holds up its own group only.
 */

export interface WindowedProcessorDeps<T> {
  /** Batches in work at once, all groups together. */
  readonly parallelMax: number;
  /** Items of one group that `handle` takes at once. */
  readonly batchItemsMax: number;
  /** Items taken and not yet behind the mark. */
  readonly capacity: number;
  readonly handle: (items: readonly T[]) => Promise<void>;
  /** Told of each failure; answers after how many milliseconds to try again. */
  readonly retryAfterMs: (error: unknown, items: readonly T[], failures: number) => number;
}

interface Place<T> {
  readonly item: T;
  done: boolean;
}

interface Group<T> {
  readonly name: string;
  readonly waiting: Place<T>[];
  failures: number;
}

export interface WindowedProcessor<T> {
  /** Items of one `group` are handled in the order in which they are added. */
  add(item: T, group: string): void;
  /** The item is seen and needs no work. */
  skip(item: T): void;
  /** The newest item with nothing unfinished before it; undefined at first. */
  lowWaterMark(): T | undefined;
  /** Resolves when another item may be added; at once when there is room. */
  waitForCapacity(): Promise<void>;
  /** Nothing new is begun; resolves when what is in work has ended. */
  stop(): Promise<void>;
}

export function createWindowedProcessor<T>(options: WindowedProcessorDeps<T>): WindowedProcessor<T> {
  const { parallelMax, batchItemsMax, capacity, handle, retryAfterMs } = options;
  const places: Place<T>[] = [];
  const groups = new Map<string, Group<T>>();
  const runnable: Group<T>[] = [];
  const retries = new Set<NodeJS.Timeout>();
  const inWork = new Set<Promise<void>>();
  let marked: T | undefined;
  let stopped = false;
  let tellRoom = () => {};

  function advance(): void {
    let finished = 0;
    while (finished < places.length && places[finished]!.done) finished++;
    if (finished === 0) return;
    marked = places[finished - 1]!.item;
    places.splice(0, finished);
    if (places.length < capacity) tellRoom();
  }

  function begin(): void {
    while (!stopped && inWork.size < parallelMax && runnable.length > 0) {
      const work: Promise<void> = workOn(runnable.shift()!).finally(() => {
        inWork.delete(work);
        begin();
      });
      inWork.add(work);
    }
  }

  async function workOn(group: Group<T>): Promise<void> {
    const batch = group.waiting.slice(0, batchItemsMax);
    const items = batch.map(({ item }) => item);
    try {
      await handle(items);
    } catch (error) {
      if (stopped) return;
      group.failures += 1;
      const timer = setTimeout(
        () => {
          retries.delete(timer);
          runnable.push(group);
          begin();
        },
        retryAfterMs(error, items, group.failures),
      );
      retries.add(timer);
      return;
    }
    group.failures = 0;
    group.waiting.splice(0, batch.length);
    for (const place of batch) place.done = true;
    if (group.waiting.length > 0) runnable.push(group);
    else groups.delete(group.name);
    advance();
  }

  return {
    add(item, name) {
      const place = { item, done: false };
      places.push(place);
      const group = groups.get(name);
      if (group !== undefined) {
        group.waiting.push(place);
        return;
      }
      const fresh: Group<T> = { name, waiting: [place], failures: 0 };
      groups.set(name, fresh);
      runnable.push(fresh);
      begin();
    },
    skip(item) {
      places.push({ item, done: true });
      if (places[0]!.done) advance();
    },
    lowWaterMark: () => marked,
    async waitForCapacity() {
      while (!stopped && places.length >= capacity) {
        await new Promise<void>((resolve) => {
          tellRoom = resolve;
        });
      }
    },
    async stop() {
      stopped = true;
      tellRoom();
      for (const timer of retries) clearTimeout(timer);
      while (inWork.size > 0) await Promise.all(inWork);
    },
  };
}
