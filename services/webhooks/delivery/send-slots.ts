/**
 * An adaptive concurrency limit: how many deliveries to fast endpoints are in flight at once, from the request to the
 * written attempt. A crash in between sends them again, so more of them than the process can handle would only make
 * more duplicates; the limit therefore follows how busy the event loop and the log are. A request that takes long loses
 * its slot and goes on without one.
 */
const slotsMin = 5;
const slotsMax = 512;
const slotsAtFirst = 12;
/**
 * One endpoint holds at most this share of the slots, and one slot until it has answered. When it stops answering, or
 * never did, the others are still served.
 */
const shareMax = 0.25;
/** Longer than most answers take. A slower request gives its slot to others. */
const slotHoldMs = 250;
/** While this process is busy, fast endpoints seem to take longer too. */
const slotHoldBusyMs = 750;
const adjustEveryMs = 50;
const busyAbove = 0.9;
const idleBelow = 0.75;
/** A write to the log that takes longer than this is queued behind others, and more at once would slow it further. */
const writeMsBusy = 40;

export interface Slot {
  /** The endpoint has answered. From here on only the log can take long, and the slot is kept until `release`. */
  answered(): void;
  /** Idempotent. */
  release(): void;
}

export interface SlotRequester {
  readonly id: string;
  /** The endpoint has answered this process. */
  readonly hasAnswered: boolean;
}

export interface SendSlots {
  /**
   * First come, first served, except that an endpoint at its share is passed over. `onOverdue`: the slot was taken back
   * because the request takes long. Rejects with `DeliveryGivenBack` once `close` was called, also when it waits.
   */
  acquire(endpoint: SlotRequester, onOverdue: () => void): Promise<Slot>;
  /** Requests that wait for a slot. */
  queued(): number;
  limit(): number;
  /** How long the log took to store an attempt. */
  recordWrite(durationMs: number): void;
  /** The event loop or the log is overloaded: a slow answer may be this process's fault, not the endpoint's. */
  isBusy(): boolean;
  /** For a process that stops: who has a slot may use it. */
  close(): void;
}

interface QueuedRequest {
  readonly endpoint: SlotRequester;
  readonly grant: () => void;
  readonly refuse: () => void;
}

export interface SendSlotsDeps {
  /** May be a monotonic clock. */
  readonly nowMs: () => number;
  /** Share of the time since the last call in which the event loop was busy, 0–1. */
  readonly loopUtilization: () => number;
}

export function createSendSlots({ nowMs, loopUtilization }: SendSlotsDeps): SendSlots {
  const held = new Map<string, number>();
  const queue: QueuedRequest[] = [];
  let inUse = 0;
  let limit = slotsAtFirst;
  let adjustedAtMs = nowMs();
  let wasFull = false;
  let isBusy = false;
  let writeMs = 0;
  let isClosed = false;

  function adjust(): void {
    if (nowMs() - adjustedAtMs < adjustEveryMs) return;
    adjustedAtMs = nowMs();
    const utilization = loopUtilization();
    isBusy = utilization > busyAbove || writeMs > writeMsBusy;
    if (isBusy) limit = Math.max(slotsMin, Math.floor(limit * 0.8));
    else if (utilization < idleBelow && wasFull) limit = Math.min(slotsMax, limit + Math.max(2, Math.floor(limit / 8)));
    wasFull = false;
  }

  function isBelowShare({ id, hasAnswered }: SlotRequester): boolean {
    return (held.get(id) ?? 0) < (hasAnswered ? Math.max(2, limit * shareMax) : 1);
  }

  function grantNext(): void {
    adjust();
    while (inUse < limit) {
      const next = queue.findIndex(({ endpoint }) => isBelowShare(endpoint));
      if (next === -1) return;
      const [request] = queue.splice(next, 1);
      request!.grant();
    }
    if (queue.length > 0) wasFull = true;
  }

  function occupy(endpoint: string, onOverdue: () => void): Slot {
    inUse += 1;
    held.set(endpoint, (held.get(endpoint) ?? 0) + 1);
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      inUse -= 1;
      const left = held.get(endpoint)! - 1;
      if (left === 0) held.delete(endpoint);
      else held.set(endpoint, left);
      grantNext();
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
      new Promise((resolve, reject) => {
        const refuse = () => reject(new DeliveryGivenBack());
        if (isClosed) return refuse();
        queue.push({ endpoint, grant: () => resolve(occupy(endpoint.id, onOverdue)), refuse });
        grantNext();
      }),
    queued: () => queue.length,
    limit: () => limit,
    isBusy: () => isBusy,
    close() {
      isClosed = true;
      for (const { refuse } of queue.splice(0)) refuse();
    },
    recordWrite(durationMs) {
      writeMs += (durationMs - writeMs) / 8;
    },
  };
}

/** This process stops. The attempt is not counted: its message goes back to the queue, for another process to take. */
export class DeliveryGivenBack extends Error {
  override readonly name = "DeliveryGivenBack";
}
