import { createRandom } from "@packshot/domain/random.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMemoryBudget, type MemoryBudget, MemoryWaitTimeout, type ReleaseMemory } from "./memory-budget.ts";

const { signal } = new AbortController();

/** An edit's reservation; `release` is undefined while it waits. */
function reserve(budget: MemoryBudget, bytes: number, abort: AbortSignal = signal) {
  const edit: { release?: ReleaseMemory; hasWaited: boolean; done: Promise<unknown> } = {
    hasWaited: false,
    done: signal as never,
  };
  edit.done = budget
    .reserve({ bytes, signal: abort, onWait: () => (edit.hasWaited = true) })
    .then((release) => (edit.release = release));
  return edit;
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("reserve", () => {
  it("lets edits run at once while their memory fits, and the next when one has ended", async () => {
    const budget = createMemoryBudget({ bytesMax: 100 });
    const first = reserve(budget, 60);
    const second = reserve(budget, 40);
    const third = reserve(budget, 1);
    await settled();
    expect([first, second, third].map(({ release }) => release !== undefined)).toEqual([true, true, false]);
    expect([second.hasWaited, third.hasWaited, budget.reservedBytes]).toEqual([false, true, 100]);
    second.release!();
    second.release!();
    await third.done;
    expect(budget.reservedBytes).toBe(61);
  });

  it("takes back a part of what an edit has, and never more than once", async () => {
    const budget = createMemoryBudget({ bytesMax: 100 });
    const first = reserve(budget, 90);
    const second = reserve(budget, 40);
    await settled();
    first.release!(70);
    expect([second.release, budget.reservedBytes]).toEqual([undefined, 70]);
    first.release!(60);
    await second.done;
    first.release!(80);
    expect(budget.reservedBytes).toBe(100);
    first.release!();
    first.release!(0);
    expect(budget.reservedBytes).toBe(40);
  });

  it("runs an edit that needs more than all memory alone", async () => {
    const budget = createMemoryBudget({ bytesMax: 100 });
    const small = reserve(budget, 10);
    const huge = reserve(budget, 500);
    const next = reserve(budget, 95);
    await settled();
    expect([huge.release, next.release]).toEqual([undefined, undefined]);
    small.release!();
    await huge.done;
    expect(next.release).toBeUndefined();
    huge.release!();
    await next.done;
  });

  it("lets small edits overtake a large one that waits, a few times", async () => {
    const budget = createMemoryBudget({ bytesMax: 100, overtakesMax: 2 });
    const running = reserve(budget, 50);
    const large = reserve(budget, 60);
    const small = [1, 2, 3].map(() => reserve(budget, 10));
    await settled();
    expect(small.map(({ release }) => release !== undefined)).toEqual([true, true, false]);
    running.release!();
    await large.done;
    await small[2]!.done;
  });

  it("forgets an edit that is aborted or waits too long, and lets those behind it run", async () => {
    const budget = createMemoryBudget({ bytesMax: 100, overtakesMax: 0, waitTimeoutMs: 20 });
    const running = reserve(budget, 50);
    const cancel = new AbortController();
    const aborted = reserve(budget, 60, cancel.signal);
    const behind = reserve(budget, 10);
    cancel.abort("cancelled");
    await expect(aborted.done).rejects.toBe("cancelled");
    await behind.done;
    await expect(reserve(budget, 60).done).rejects.toBeInstanceOf(MemoryWaitTimeout);
    expect(budget.reservedBytes).toBe(60);
    running.release!();
    expect(budget.reservedBytes).toBe(10);
  });
});

/** In any order: edits come, end, are cancelled in their wait or while they run, and give back twice. */
const events = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("come" as const), bytes: fc.integer({ min: 1, max: 150 }) }),
    fc.record({ kind: fc.constantFrom("end" as const, "cancel" as const), which: fc.nat({ max: 30 }) }),
  ),
  { maxLength: 60 },
);

it("never lends more than all memory but to one edit alone, and whoever waits gets some in the end", async () => {
  await fc.assert(
    fc.asyncProperty(events, fc.integer({ min: 0, max: 3 }), async (steps, overtakesMax) => {
      const budget = createMemoryBudget({ bytesMax: 100, overtakesMax });
      const edits: { bytes: number; release?: () => void; hasEnded: boolean; cancel: AbortController }[] = [];
      const holders = () => edits.filter(({ release, hasEnded }) => release !== undefined && !hasEnded);
      const check = () => {
        const lent = holders().reduce((sum, { bytes }) => sum + bytes, 0);
        expect(budget.reservedBytes).toBe(lent);
        if (holders().length > 1) expect(lent).toBeLessThanOrEqual(100);
      };
      const end = (edit: (typeof edits)[number]) => {
        edit.hasEnded = true;
        edit.release?.();
        edit.release?.();
      };
      for (const step of steps) {
        if (step.kind === "come") {
          const edit: (typeof edits)[number] = { bytes: step.bytes, hasEnded: false, cancel: new AbortController() };
          edits.push(edit);
          const { signal } = edit.cancel;
          budget.reserve({ bytes: edit.bytes, signal, onWait() {} }).then(
            (release) => (edit.release = release),
            () => (edit.hasEnded = true),
          );
        } else if (edits.length > 0) {
          const edit = edits[step.which % edits.length]!;
          if (step.kind === "cancel") edit.cancel.abort();
          if (edit.release !== undefined) end(edit);
        }
        await settled();
        check();
      }
      while (edits.some(({ hasEnded }) => !hasEnded)) {
        expect(holders()).not.toEqual([]);
        for (const edit of holders()) end(edit);
        await settled();
        check();
      }
    }),
  );
});

/**
 * A simulated worker under constant load: each slot takes the next edit as soon as it is free. Times count turns, in each
 * of which every edit that has its memory proceeds.
 */
async function simulate({ slots, bytesMax, edits }: { slots: number; bytesMax: number; edits: Edit[] }) {
  const budget = createMemoryBudget({ bytesMax });
  const queue = [...edits];
  const running = new Set<{ edit: Edit; turnsLeft: number; release?: () => void }>();
  const waits = new Map<Edit, number>();
  let peakBytes = 0;
  for (let turn = 0; queue.length + running.size > 0; turn++) {
    while (running.size < slots && queue.length > 0) {
      const edit = queue.shift()!;
      const slot: { edit: Edit; turnsLeft: number; release?: () => void } = { edit, turnsLeft: edit.turns };
      running.add(slot);
      void budget.reserve({ bytes: edit.bytes, signal, onWait() {} }).then((release) => {
        slot.release = release;
        waits.set(edit, turn);
      });
    }
    await settled();
    const held = [...running].filter(({ release }) => release !== undefined);
    peakBytes = Math.max(peakBytes, held.length === 1 ? 0 : held.reduce((sum, { edit }) => sum + edit.bytes, 0));
    for (const slot of held) {
      slot.turnsLeft -= 1;
      if (slot.turnsLeft > 0) continue;
      running.delete(slot);
      slot.release!();
    }
    for (const { edit, release } of running) if (release === undefined) edit.waited += 1;
  }
  return { peakBytes, waits };
}

interface Edit {
  readonly bytes: number;
  readonly turns: number;
  /** Turns in a slot without memory. */
  waited: number;
}

describe("under constant load", () => {
  it.each([
    { slots: 2, large: 700 },
    { slots: 4, large: 700 },
    { slots: 8, large: 950 },
    { slots: 8, large: 3_000 },
    { slots: 64, large: 950 },
  ])(
    "neither large nor small edits starve, and the memory is kept ($slots slots, $large of 1000)",
    async ({ slots, large }) => {
      const random = createRandom(slots * large);
      const edits = Array.from({ length: 1_500 }, (_, i): Edit => {
        const isLarge = i % 10 === 0;
        return {
          bytes: isLarge ? large : random.integer(5, 60),
          turns: isLarge ? 10 : random.integer(1, 3),
          waited: 0,
        };
      });
      const { peakBytes, waits } = await simulate({ slots, bytesMax: 1_000, edits });
      expect(waits.size).toBe(edits.length);
      expect(peakBytes).toBeLessThanOrEqual(1_000);
      const longest = (isLarge: boolean) =>
        Math.max(...edits.filter(({ bytes }) => (bytes === large) === isLarge).map(({ waited }) => waited));
      // A slot holds one edit, so at most so many large ones stand before another, each with the small ones that it lets pass.
      const largeBeforeMax = Math.ceil(slots / 10) + 1;
      expect(longest(true)).toBeLessThanOrEqual(largeBeforeMax * (10 + 3 * 9));
      expect(longest(false)).toBeLessThanOrEqual(largeBeforeMax * (10 + 3 * 9));
    },
  );
});
