import type { DeliveryKey } from "@packshot/domain/webhooks/delivery.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { describe, expect, it } from "vitest";
import { createBacklog } from "./backlog.ts";

const logger = createLogger({ name: "test", level: "fatal" });
const delivery = (webhookId: string, eventId: string): DeliveryKey => ({ accountId: "a", webhookId, eventId });

/** `isPostponed` answers for the stored delivery; `until` resolves when so many promotions were tried. */
function backlogWith(isPostponed: (eventId: string) => boolean | Promise<boolean>) {
  const promoted: string[] = [];
  let look = () => {};
  const backlog = createBacklog({
    logger,
    random: () => 0,
    async promote({ webhookId, eventId }, atMs) {
      promoted.push(`${webhookId}/${eventId}@${atMs}`);
      look();
      return await isPostponed(eventId);
    },
  });
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      look = () => {
        if (promoted.length === count) resolve();
      };
      look();
    });
  return { backlog, promoted, until };
}

describe("the backlog", () => {
  it("promotes the oldest first, endpoints in turn", async () => {
    const { backlog, promoted, until } = backlogWith(() => true);
    for (const eventId of ["1", "2", "3"]) backlog.add(delivery("x", eventId));
    backlog.add(delivery("y", "1"));
    backlog.promote("x", 1, 5);
    backlog.promote("y", 1, 6);
    backlog.promote("x", 1, 7);
    expect([backlog.pending("x"), backlog.pending("y"), backlog.pending("z")]).toEqual([1, 0, 0]);
    await until(3);
    expect(promoted).toEqual(["x/1@5", "y/1@6", "x/2@7"]);
    expect(backlog.pending("x")).toBe(1);
  });

  it("lets an endpoint ask for a few ahead, so that those of others do not wait behind many", async () => {
    const { backlog, promoted, until } = backlogWith(() => true);
    for (let n = 0; n < 100; n++) backlog.add(delivery("x", String(n)));
    backlog.add(delivery("y", "1"));
    for (let n = 0; n < 50; n++) backlog.promote("x", 2, 0);
    backlog.promote("y", 1, 0);
    // The first begins at once.
    await until(34);
    expect(promoted[33]).toBe("y/1@0");
  });

  it("passes over deliveries that are not postponed any more, and promotes none twice", async () => {
    const { backlog, promoted, until } = backlogWith((eventId) => eventId !== "gone");
    for (const eventId of ["gone", "1", "1"]) backlog.add(delivery("x", eventId));
    expect(backlog.pending("x")).toBe(2);
    backlog.promote("x", 1, 0);
    await until(2);
    expect(promoted).toEqual(["x/gone@0", "x/1@0"]);
    expect(backlog.pending("x")).toBe(0);
  });

  it("goes on after a promotion that failed", async () => {
    const { backlog, promoted, until } = backlogWith(async (eventId) => {
      if (eventId === "1") throw new Error("no server");
      return true;
    });
    for (const eventId of ["1", "2"]) backlog.add(delivery("x", eventId));
    backlog.promote("x", 2, 0);
    await until(2);
    expect(promoted).toEqual(["x/1@0", "x/2@0"]);
  });

  it("forgets deliveries that have come, so that they do not delay others", () => {
    const { backlog } = backlogWith(() => true);
    for (let n = 0; n < 10_000; n++) backlog.add(delivery("x", String(n)));
    for (let n = 0; n < 10_000; n++) backlog.remove(delivery("x", String(n)));
    backlog.remove(delivery("x", "never added"));
    expect([backlog.pending("x"), backlog.fallbackAtMs(1_000)]).toEqual([0, 121_000]);
    for (let n = 0; n < 10_000; n++) backlog.add(delivery("x", String(n)));
    backlog.clear("x");
    expect([backlog.pending("x"), backlog.fallbackAtMs(1_000)]).toEqual([0, 121_000]);
  });

  it("remembers the deliveries of a healthy endpoint beside a dead one that has filled it", () => {
    const { backlog } = backlogWith(() => true);
    for (let n = 0; n < 300_000; n++) backlog.add(delivery("dead", String(n)));
    backlog.add(delivery("healthy", "1"));
    expect(backlog.pending("healthy")).toBe(1);
  });

  it("has a later fallback time the more deliveries it remembers", () => {
    const { backlog } = backlogWith(() => true);
    expect(backlog.fallbackAtMs(1_000)).toBe(121_000);
    for (let n = 0; n < 10_000; n++) backlog.add(delivery("x", String(n)));
    expect(backlog.fallbackAtMs(1_000)).toBe(501_000);
  });
});
