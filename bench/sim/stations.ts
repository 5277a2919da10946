/** What processes queue for: servers that take one after the other, servers that take batches, and cores that are shared. */
import type { Activity, VirtualClock } from "./virtual-clock.ts";

interface Waiting {
  readonly sinceMs: number;
  go(): void;
}

/** What a station has done since the clock began. */
export interface StationUse {
  /** Server-milliseconds in which it worked. */
  readonly busyMs: number;
  readonly served: number;
  readonly waitedMs: number;
}

export interface Station {
  /** Waits for one of the servers and holds it for `serviceMs`. */
  serve(serviceMs: number): Activity;
  readonly use: StationUse;
}

/** First come, first served, by `servers` equal ones. */
export function createStation(clock: VirtualClock, servers: number): Station {
  const queue: Waiting[] = [];
  let head = 0;
  let free = servers;
  const use = { busyMs: 0, served: 0, waitedMs: 0 };

  function acquire(go: () => void): void {
    use.served += 1;
    if (free === 0) return void queue.push({ sinceMs: clock.nowMs, go });
    free -= 1;
    go();
  }

  function release(): void {
    const next = queue[head];
    if (next === undefined) {
      free += 1;
      return;
    }
    head += 1;
    if (head > 1_000 && 2 * head > queue.length) {
      queue.splice(0, head);
      head = 0;
    }
    use.waitedMs += clock.nowMs - next.sinceMs;
    next.go();
  }

  return {
    serve: (serviceMs) => (done) =>
      acquire(() => {
        use.busyMs += serviceMs;
        clock.after(serviceMs, () => {
          release();
          done();
        });
      }),
    use,
  };
}

export interface BatchStation {
  /** Waits for the server and for the batch in which it is served. */
  serve(): Activity;
  readonly use: StationUse & { readonly batches: number };
}

export interface BatchStationDeps {
  readonly batchMax: number;
  /** How a batch of so many takes its time. */
  readonly run: (size: number) => Activity;
}

/** One server, which starts at once with what waits: batches grow with the load, and nothing waits for a timer. */
export function createBatchStation(clock: VirtualClock, { batchMax, run }: BatchStationDeps): BatchStation {
  let waiting: Waiting[] = [];
  let isFree = true;
  const use = { busyMs: 0, served: 0, waitedMs: 0, batches: 0 };

  function dispatch(): void {
    if (!isFree || waiting.length === 0) return;
    const batch = waiting.slice(0, batchMax);
    waiting = waiting.slice(batchMax);
    const startedMs = clock.nowMs;
    isFree = false;
    use.batches += 1;
    for (const { sinceMs } of batch) use.waitedMs += startedMs - sinceMs;
    run(batch.length)(() => {
      isFree = true;
      use.busyMs += clock.nowMs - startedMs;
      use.served += batch.length;
      for (const { go } of batch) go();
      dispatch();
    });
  }

  return {
    serve: () => (done) => {
      waiting.push({ sinceMs: clock.nowMs, go: done });
      dispatch();
    },
    use,
  };
}

export interface SharedCores {
  /** Work of so many milliseconds of processor time that can use up to `parallelism` cores. */
  work(cpuMs: number, parallelism?: number): Activity;
  readonly use: { readonly busyMs: number };
}

/** Cores that the operating system shares evenly among all who have work. */
export function createSharedCores(clock: VirtualClock, cores: number): SharedCores {
  interface Task {
    leftMs: number;
    readonly parallelism: number;
    rate: number;
    readonly done: () => void;
  }
  const tasks = new Set<Task>();
  let lastMs = 0;
  let callOff = (): void => {};
  const use = { busyMs: 0 };

  function advance(): void {
    const passedMs = clock.nowMs - lastMs;
    lastMs = clock.nowMs;
    for (const task of tasks) {
      task.leftMs -= passedMs * task.rate;
      use.busyMs += passedMs * task.rate;
    }
  }

  /** Each gets an even share; what one cannot use, the others get. */
  function share(): void {
    let left = cores;
    let sharing = tasks.size;
    for (const task of [...tasks].sort((a, b) => a.parallelism - b.parallelism)) {
      task.rate = Math.min(task.parallelism, left / sharing);
      left -= task.rate;
      sharing -= 1;
    }
    callOff();
    if (tasks.size > 0) {
      const nextMs = Math.min(...[...tasks].map(({ leftMs, rate }) => leftMs / rate));
      callOff = clock.after(Math.max(0, nextMs), finish);
    }
  }

  function finish(): void {
    advance();
    const over = [...tasks].filter(({ leftMs }) => leftMs <= finishedBelowMs);
    for (const task of over) tasks.delete(task);
    share();
    for (const { done } of over) done();
  }

  return {
    work:
      (cpuMs, parallelism = 1) =>
      (done) => {
        advance();
        tasks.add({ leftMs: cpuMs, parallelism, rate: 0, done });
        share();
      },
    use,
  };
}

/** Rounding leaves less than this of a task that has ended. */
const finishedBelowMs = 1e-6;
