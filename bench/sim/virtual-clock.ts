/**
 * The clock of a discrete-event simulation, which jumps from event to event, and the processes that live by it. A process is
 * a generator: it yields what it waits for, and goes on when that is done.
 */

/** Something that takes time; it calls `done` when it is over. */
export type Activity = (done: () => void) => void;
export type Process = Generator<Activity, void, void>;

export interface VirtualClock {
  readonly nowMs: number;
  /** Events of the same moment happen in the order in which they were planned. Returns a function that calls it off. */
  after(ms: number, happen: () => void): () => void;
  wait(ms: number): Activity;
  /** Lets events happen until there are none. */
  run(): void;
}

export function start(process: Process, ended: () => void = () => {}): void {
  const { value: activity, done } = process.next();
  if (done) ended();
  else activity(() => start(process, ended));
}

/** Begins something that nobody waits for. */
export function begin(activity: Activity): void {
  activity(() => {});
}

/** A process as part of another. */
export function activityOf(process: Process): Activity {
  return (done) => start(process, done);
}

/** Over when each of them is. */
export function all(...activities: readonly Activity[]): Activity {
  return (done) => {
    let left = activities.length;
    const count = (): void => {
      left -= 1;
      if (left === 0) done();
    };
    for (const activity of activities) activity(count);
  };
}

interface PlannedEvent {
  readonly atMs: number;
  readonly order: number;
  happen: (() => void) | undefined;
}

export function createVirtualClock(): VirtualClock {
  const heap = createEventHeap();
  let nowMs = 0;
  let planned = 0;

  function after(ms: number, happen: () => void): () => void {
    const event: PlannedEvent = { atMs: nowMs + ms, order: planned++, happen };
    heap.push(event);
    return () => {
      event.happen = undefined;
    };
  }

  return {
    get nowMs() {
      return nowMs;
    },
    after,
    wait: (ms) => (done) => void after(ms, done),
    run() {
      for (let event = heap.pop(); event !== undefined; event = heap.pop()) {
        if (event.happen === undefined) continue;
        nowMs = event.atMs;
        event.happen();
      }
    },
  };
}

/** A binary heap: the earliest event is the first. */
function createEventHeap() {
  const heap: PlannedEvent[] = [];
  const isBefore = (a: PlannedEvent, b: PlannedEvent): boolean =>
    a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

  return {
    push(event: PlannedEvent): void {
      let at = heap.push(event) - 1;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (isBefore(heap[parent]!, event)) break;
        heap[at] = heap[parent]!;
        at = parent;
      }
      heap[at] = event;
    },
    pop(): PlannedEvent | undefined {
      const first = heap[0];
      if (first === undefined) return undefined;
      const last = heap.pop()!;
      if (heap.length === 0) return first;
      let at = 0;
      for (let child = 1; child < heap.length; child = 2 * at + 1) {
        if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
        if (isBefore(last, heap[child]!)) break;
        heap[at] = heap[child]!;
        at = child;
      }
      heap[at] = last;
      return first;
    },
  };
}
