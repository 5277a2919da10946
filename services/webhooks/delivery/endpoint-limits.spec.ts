import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createEndpointLimits, type EndpointLimits, type LimitedWebhook, type Turn } from "./endpoint-limits.ts";
import { DeliveryGivenBack } from "./send-slots.ts";

const fresh = { isPostponed: false, isTest: false };
const fromBacklog = { isPostponed: true, isTest: false };
const test = { isPostponed: false, isTest: true };
const twoAtOnce = { id: "w", accountId: "a", maxConcurrent: 2 };
const fiveASecond = { id: "w", accountId: "a", maxPerSecond: 5 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function limitsOf(processes: () => number | undefined = () => 1): EndpointLimits {
  return createEndpointLimits({ nowMs: Date.now, processes });
}

/** Lets so many enter; `begun` has when each request began, in milliseconds from now. Each keeps its turn. */
async function enter(limits: EndpointLimits, webhook: LimitedWebhook, count: number, options = fresh) {
  const startedMs = Date.now();
  const turns: Turn[] = [];
  const begun: number[] = [];
  let refused = 0;
  for (let n = 0; n < count; n++) {
    const entered = limits.enter(webhook, options);
    if (entered === undefined) refused += 1;
    else
      void entered.then((turn) => {
        turns.push(turn);
        begun.push(Date.now() - startedMs);
        turn.began();
      });
  }
  await vi.advanceTimersByTimeAsync(0);
  return { turns, begun, refused };
}

describe("the limits of an endpoint", () => {
  it("hold up nobody who set none, whatever else waits", async () => {
    const limits = limitsOf();
    await enter(limits, twoAtOnce, 10);
    expect((await enter(limits, { id: "other", accountId: "a" }, 2_000)).turns).toHaveLength(2_000);
    expect(limits.room("other")).toBe(Number.POSITIVE_INFINITY);
  });

  it("let maxConcurrent requests go, and the next when one is over, in their order", async () => {
    const limits = limitsOf();
    const { turns } = await enter(limits, twoAtOnce, 3);
    const later = await enter(limits, twoAtOnce, 1);
    expect([turns.length, later.turns.length]).toEqual([2, 0]);
    turns[0]!.release();
    turns[0]!.release();
    await vi.advanceTimersByTimeAsync(0);
    expect([turns.length, later.turns.length]).toEqual([3, 0]);
    turns[1]!.release();
    await vi.advanceTimersByTimeAsync(0);
    expect(later.turns).toHaveLength(1);
  });

  it("begin requests at even distances, the first at once", async () => {
    const { begun } = await enter(limitsOf(), fiveASecond, 4);
    expect(begun).toEqual([0]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(begun).toEqual([0, 200, 400, 600]);
  });

  it("count from when a request begins: those that wait for a send slot do not begin together", async () => {
    const limits = limitsOf();
    const turns: Turn[] = [];
    for (let n = 0; n < 3; n++) void limits.enter(fiveASecond, fresh)!.then((turn) => turns.push(turn));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(turns).toHaveLength(1);
    turns[0]!.began();
    await vi.advanceTimersByTimeAsync(199);
    expect(turns).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(turns).toHaveLength(2);
    // It was not sent: it takes nothing of the rate.
    turns[1]!.release();
    await vi.advanceTimersByTimeAsync(0);
    expect(turns).toHaveLength(3);
  });

  it("keep half of the line for the backlog, and refuse what is beyond it", async () => {
    const limits = limitsOf();
    const { turns, refused } = await enter(limits, twoAtOnce, 100);
    expect([turns.length, refused]).toEqual([2, 100 - 2 - 16]);
    expect(limits.room("w")).toBe(16);
    expect((await enter(limits, twoAtOnce, 100, fromBacklog)).refused).toBe(100 - 16);
    expect(limits.room("w")).toBe(0);
  });

  it("let a test wait in any case, as the next", async () => {
    const limits = limitsOf();
    const { turns } = await enter(limits, twoAtOnce, 100);
    await enter(limits, twoAtOnce, 100, fromBacklog);
    const tested = await enter(limits, twoAtOnce, 1, test);
    expect(tested.refused).toBe(0);
    turns[0]!.release();
    await vi.advanceTimersByTimeAsync(0);
    expect(tested.turns).toHaveLength(1);
  });

  it("let few tests wait, in their order: one account with thousands would hold all that a process takes", async () => {
    const limits = limitsOf();
    const { turns } = await enter(limits, twoAtOnce, 2);
    const first = await enter(limits, twoAtOnce, 1, test);
    expect((await enter(limits, twoAtOnce, 2_000, test)).refused).toBe(2_000 - 3);
    turns[0]!.release();
    await vi.advanceTimersByTimeAsync(0);
    expect(first.turns).toHaveLength(1);
  });

  it("leave the room of other accounts to them", async () => {
    const limits = limitsOf();
    for (let n = 0; n < 100; n++)
      await enter(limits, { id: String(n), accountId: "many", maxConcurrent: 1 }, 100, fromBacklog);
    expect((await enter(limits, twoAtOnce, 100, fromBacklog)).refused).toBe(100 - 2 - 32);
  });

  it("hold as they were changed for what waits, before another delivery comes", async () => {
    const limits = limitsOf();
    const { turns } = await enter(limits, { ...twoAtOnce, maxConcurrent: 1 }, 5);
    limits.update({ ...twoAtOnce, maxConcurrent: 3 });
    await vi.advanceTimersByTimeAsync(0);
    expect(turns).toHaveLength(3);
    limits.update({ ...twoAtOnce, maxConcurrent: 256 });
    await vi.advanceTimersByTimeAsync(0);
    expect(turns).toHaveLength(5);
  });

  it("are slowed only so far by heartbeats of processes that there are not", async () => {
    const { begun } = await enter(
      limitsOf(() => 2_000),
      fiveASecond,
      2,
    );
    await vi.advanceTimersByTimeAsync(13_000);
    expect(begun).toEqual([0, 12_800]);
  });

  it("are divided among the processes, and no request goes before their number is known", async () => {
    let processes: number | undefined;
    const limits = limitsOf(() => processes);
    const fourAtOnce = await enter(limits, { id: "x", accountId: "a", maxConcurrent: 4 }, 4);
    const { begun } = await enter(limits, fiveASecond, 2);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([fourAtOnce.turns.length, begun.length]).toEqual([0, 0]);
    processes = 2;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(fourAtOnce.turns).toHaveLength(2);
    expect(begun[1]! - begun[0]!).toBe(400);
  });

  it("leave a process one request at once, where there are more processes than requests", async () => {
    const { turns } = await enter(
      limitsOf(() => 3),
      twoAtOnce,
      5,
    );
    expect(turns).toHaveLength(1);
  });

  it("may be changed or lifted while deliveries wait", async () => {
    const limits = limitsOf();
    const { turns } = await enter(limits, { id: "w", accountId: "a", maxPerSecond: 1, maxConcurrent: 1 }, 3);
    expect(turns).toHaveLength(1);
    expect(
      (await enter(limits, { id: "w", accountId: "a", maxPerSecond: 0, maxConcurrent: 256 }, 1)).turns,
    ).toHaveLength(1);
    expect(turns).toHaveLength(3);
  });

  it("have room for one of the backlog while nothing is sent, though other lines hold all that may wait", async () => {
    const limits = limitsOf();
    const idle = (await enter(limits, { id: "idle", accountId: "a", maxConcurrent: 1 }, 1)).turns[0]!;
    for (let n = 0; n < 40; n++)
      await enter(limits, { id: String(n), accountId: String(n), maxConcurrent: 1 }, 100, fromBacklog);
    expect(limits.room("idle")).toBe(0);
    idle.release();
    expect(limits.room("idle")).toBe(1);
    expect((await enter(limits, { id: "idle", accountId: "a", maxConcurrent: 1 }, 1)).turns).toHaveLength(1);
  });

  it("give back what waits when the process stops", async () => {
    const limits = limitsOf();
    const { turns } = await enter(limits, { id: "w", accountId: "a", maxConcurrent: 1 }, 1);
    const waiting = limits.enter({ id: "w", accountId: "a", maxConcurrent: 1 }, fresh)!;
    const refused = expect(waiting).rejects.toThrow(DeliveryGivenBack);
    limits.close();
    await refused;
    turns[0]!.release();
    await expect(limits.enter(twoAtOnce, fresh)).rejects.toThrow(DeliveryGivenBack);
  });
});
