import { describe, expect, it } from "vitest";
import { createSendSlots, DeliveryGivenBack, type Slot } from "./send-slots.ts";

function slotsWith(busy: number) {
  const state = { nowMs: 0, busy };
  const slots = createSendSlots({ nowMs: () => state.nowMs, loopUtilization: () => state.busy });
  return { slots, state };
}

/** Asks for `count` slots, each for an endpoint of its own unless one is named; returns those granted at once. */
async function acquireNow(
  slots: ReturnType<typeof createSendSlots>,
  count: number,
  endpoint?: string,
  hasAnswered = true,
): Promise<Slot[]> {
  const taken: Slot[] = [];
  for (let n = 0; n < count; n++) {
    void slots.acquire({ id: endpoint ?? String(n), hasAnswered }, () => {}).then((slot) => taken.push(slot));
  }
  await Promise.resolve();
  return taken;
}

describe("the send slots", () => {
  it("are granted up to their limit, then to queued requests, in order", async () => {
    const { slots } = slotsWith(0.8);
    const taken = await acquireNow(slots, 16);
    expect([taken.length, slots.queued()]).toEqual([12, 4]);
    taken[0]!.release();
    taken[0]!.release();
    await Promise.resolve();
    expect([taken.length, slots.queued()]).toEqual([13, 3]);
    for (const slot of taken) slot.release();
  });

  it("leave three quarters to other endpoints when one wants all", async () => {
    const { slots } = slotsWith(0.8);
    const greedy = await acquireNow(slots, 100, "greedy");
    expect(greedy.length).toBe(3);
    expect((await acquireNow(slots, 9)).length).toBe(9);
  });

  it("are one for an endpoint that has not answered yet", async () => {
    const { slots } = slotsWith(0.8);
    expect((await acquireNow(slots, 5, "new", false)).length).toBe(1);
    expect((await acquireNow(slots, 2, "other")).length).toBe(2);
  });

  it("become fewer while the event loop is busy, more while it is not and requests are queued", async () => {
    const { slots, state } = slotsWith(1);
    const turn = async () => {
      state.nowMs += 50;
      for (const slot of await acquireNow(slots, 600)) slot.release();
    };
    for (let n = 0; n < 20; n++) await turn();
    expect(slots.limit()).toBe(5);
    expect(slots.isBusy()).toBe(true);
    state.busy = 0.1;
    for (let n = 0; n < 100; n++) await turn();
    expect(slots.limit()).toBe(512);
  });

  it("are taken back from a request that takes long", async () => {
    const { slots } = slotsWith(0.5);
    await acquireNow(slots, 12);
    expect(slots.queued()).toBe(0);
    const overdue = Promise.withResolvers<void>();
    await slots.acquire({ id: "the thirteenth", hasAnswered: true }, overdue.resolve);
    await overdue.promise;
  });

  it("stay with a request whose endpoint has answered, however long the log takes", async () => {
    const { slots } = slotsWith(0.5);
    const taken: string[] = [];
    const first = await slots.acquire({ id: "first", hasAnswered: true }, () => taken.push("first"));
    first.answered();
    const second = Promise.withResolvers<void>();
    await slots.acquire({ id: "second", hasAnswered: true }, second.resolve);
    await second.promise;
    expect(taken).toEqual([]);
    first.release();
  });

  it("become fewer while the log is slow", async () => {
    const { slots, state } = slotsWith(0.5);
    for (let n = 0; n < 20; n++) {
      state.nowMs += 50;
      slots.recordWrite(500);
      for (const slot of await acquireNow(slots, 1)) slot.release();
    }
    expect(slots.isBusy()).toBe(true);
    expect(slots.limit()).toBe(5);
  });

  it("are refused once they are closed, also to requests that wait; who has one keeps it", async () => {
    const { slots } = slotsWith(0.8);
    const taken = await acquireNow(slots, 12);
    const waiting = slots.acquire({ id: "waits", hasAnswered: true }, () => {});
    slots.close();
    await expect(waiting).rejects.toBeInstanceOf(DeliveryGivenBack);
    for (const slot of taken) slot.release();
    await expect(slots.acquire({ id: "later", hasAnswered: true }, () => {})).rejects.toBeInstanceOf(DeliveryGivenBack);
    expect(slots.queued()).toBe(0);
  });
});
