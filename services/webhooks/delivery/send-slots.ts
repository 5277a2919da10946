/**
 * How many deliveries to prompt endpoints are under way at once, from sending to the log. What a crash cuts off in
 * between is sent again, so more than the process can attend to would buy nothing but duplicates: the number follows
 * how busy its event loop and the log are. An endpoint that takes long loses its slot and goes on without one.
 */

const slotsMin = 5;
const slotsMax = 512;
const slotsAtFirst = 12;
/**
 * One endpoint has this share of the slots at most, and one slot until it has answered: when it stops answering, or
 * never did, the others go on.
 */
const shareMax = 0.25;
/** Longer than most answers take; a slower one goes on without, so that it keeps no place from others. */
const slotHoldMs = 250;
/** While this process is busy, prompt answers take longer too. */
const slotHoldBusyMs = 750;
const adjustEveryMs = 50;
const busyAbove = 0.9;
const idleBelow = 0.75;
/** A write to the log that takes longer than this waits behind others: more at once would only make it longer. */
const writeMsBusy = 40;

export interface Slot {
  /** The endpoint has answered: what takes long from here on is the log, and the slot is held until that is done. */
  answered(): void;
  /** Idempotent. */
  release(): void;
}

export interface SlotTaker {
  readonly id: string;
  /** It has answered this process. */
  readonly isProven: boolean;
}

export interface SendSlots {
  /**
   * First come, first served, except that an endpoint at its share is passed over. `onOverdue`: the slot was taken back.
   */
  acquire(endpoint: SlotTaker, onOverdue: () => void): Promise<Slot>;
  waiting(): number;
  limit(): number;
  /** How long the log took to store an attempt. */
  wrote(durationMs: number): void;
  /** The event loop has no time left, or the log: what takes long now may be our own doing, and tells nothing of an endpoint. */
  isBusy(): boolean;
}

interface Waiter {
  readonly endpoint: SlotTaker;
  readonly start: () => void;
}

export interface SendSlotsOptions {
  /** Milliseconds; need not be the time of day. */
  readonly clock: () => number;
  /** Share of the time since the last call that the event loop was busy, 0–1. */
  readonly busyShare: () => number;
}

export function createSendSlots({ clock, busyShare }: SendSlotsOptions): SendSlots {
  const held = new Map<string, number>();
  const waiting: Waiter[] = [];
  let active = 0;
  let limit = slotsAtFirst;
  let adjustedAtMs = clock();
  let wasFull = false;
  let isBusy = false;
  let writeMs = 0;

  function adjust(): void {
    if (clock() - adjustedAtMs < adjustEveryMs) return;
    adjustedAtMs = clock();
    const busy = busyShare();
    isBusy = busy > busyAbove || writeMs > writeMsBusy;
    if (isBusy) limit = Math.max(slotsMin, Math.floor(limit * 0.8));
    else if (busy < idleBelow && wasFull) limit = Math.min(slotsMax, limit + Math.max(2, Math.floor(limit / 8)));
    wasFull = false;
  }

  function hasShare({ id, isProven }: SlotTaker): boolean {
    return (held.get(id) ?? 0) < (isProven ? Math.max(2, limit * shareMax) : 1);
  }

  function startNext(): void {
    adjust();
    while (active < limit) {
      const next = waiting.findIndex(({ endpoint }) => hasShare(endpoint));
      if (next === -1) return;
      const [waiter] = waiting.splice(next, 1);
      waiter!.start();
    }
    if (waiting.length > 0) wasFull = true;
  }

  function take(endpoint: string, onOverdue: () => void): Slot {
    active += 1;
    held.set(endpoint, (held.get(endpoint) ?? 0) + 1);
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      active -= 1;
      const left = held.get(endpoint)! - 1;
      if (left === 0) held.delete(endpoint);
      else held.set(endpoint, left);
      startNext();
    };
    const overdue = () => {
      onOverdue();
      release();
    };
    let timer = setTimeout(() => {
      if (isBusy) timer = setTimeout(overdue, slotHoldBusyMs - slotHoldMs);
      else overdue();
    }, slotHoldMs);
    return { answered: () => clearTimeout(timer), release };
  }

  return {
    acquire: (endpoint, onOverdue) =>
      new Promise((resolve) => {
        waiting.push({ endpoint, start: () => resolve(take(endpoint.id, onOverdue)) });
        startNext();
      }),
    waiting: () => waiting.length,
    limit: () => limit,
    isBusy: () => isBusy,
    wrote(durationMs) {
      writeMs += (durationMs - writeMs) / 8;
    },
  };
}
