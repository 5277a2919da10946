import { expect, test } from "vitest";
import { createWorkerSlots, type WorkerSlots } from "./worker-slots.ts";

/** A slot that its job has released while it waits, and what ends the wait. */
async function releasedSlot(slots: WorkerSlots, nextFree: () => Promise<void>) {
  const wait = Promise.withResolvers<void>();
  const slot = slots.acquire();
  const free = nextFree();
  const reacquired = slot.releaseWhile(() => wait.promise);
  await free;
  return { slot, wait, reacquired };
}

function slotsOf(count: number) {
  let onFree = () => {};
  const slots = createWorkerSlots(count, () => onFree());
  return { slots, nextFree: () => new Promise<void>((resolve) => (onFree = resolve)) };
}

test("a slot is free again when its job releases it, once", () => {
  const { slots } = slotsOf(1);
  const slot = slots.acquire();
  expect(slots.free).toBe(0);
  slot.release();
  slot.release();
  expect(slots.free).toBeGreaterThan(0);
  slots.acquire();
  expect(slots.free).toBe(0);
});

test("a short wait keeps its slot", async () => {
  const { slots } = slotsOf(1);
  const slot = slots.acquire();
  await slot.releaseWhile(async () => {});
  expect(slots.free).toBe(0);
});

test("a released slot goes to another job, and its former holder reacquires one when it is free", async () => {
  const { slots, nextFree } = slotsOf(1);
  const { slot, wait, reacquired } = await releasedSlot(slots, nextFree);
  expect(slots.free).toBeGreaterThan(0);
  const other = slots.acquire();
  wait.resolve();
  let hasReacquired = false;
  void reacquired.then(() => (hasReacquired = true));
  await Promise.resolve();
  expect(hasReacquired).toBe(false);
  other.release();
  await reacquired;
  expect(slots.free).toBe(0);
  slot.release();
  expect(slots.free).toBeGreaterThan(0);
});

test("a wait that fails leaves no slot acquired", async () => {
  const { slots, nextFree } = slotsOf(1);
  const { slot, wait, reacquired } = await releasedSlot(slots, nextFree);
  wait.reject(new Error("unreachable"));
  await expect(reacquired).rejects.toThrow("unreachable");
  slot.release();
  expect(slots.free).toBeGreaterThan(0);
  slots.acquire();
  expect(slots.free).toBe(0);
});

test("the next pull is not kept waiting by jobs that reacquire a slot", async () => {
  const { slots, nextFree } = slotsOf(1);
  const waiting = [await releasedSlot(slots, nextFree), await releasedSlot(slots, nextFree)];
  const other = slots.acquire();
  for (const { wait } of waiting) wait.resolve();
  const free = nextFree();
  other.release();
  await free;
  await waiting[0]!.reacquired;
  expect(slots.free).toBe(0);
});
