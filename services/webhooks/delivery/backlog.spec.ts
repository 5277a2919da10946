import type { DeliveryKey } from "@packshot/domain/delivery.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { describe, expect, it } from "vitest";
import { createBacklog } from "./backlog.ts";

const logger = createLogger({ name: "test", level: "fatal" });
const delivery = (webhookId: string, eventId: string): DeliveryKey => ({ accountId: "a", webhookId, eventId });

/** `isThere` answers for the stored delivery; resolves `until` when so many calls were made. */
function backlogWith(isThere: (eventId: string) => boolean | Promise<boolean>) {
  const called: string[] = [];
  let look = () => {};
  const backlog = createBacklog({
    logger,
    random: () => 0,
    async call({ webhookId, eventId }, atMs) {
      called.push(`${webhookId}/${eventId}@${atMs}`);
      look();
      return await isThere(eventId);
    },
  });
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      look = () => {
        if (called.length === count) resolve();
      };
      look();
    });
  return { backlog, called, until };
}

describe("the backlog", () => {
  it("calls in the order in which they were added, endpoints in turn", async () => {
    const { backlog, called, until } = backlogWith(() => true);
    for (const eventId of ["1", "2", "3"]) backlog.add(delivery("x", eventId));
    backlog.add(delivery("y", "1"));
    backlog.call("x", 1, 5);
    backlog.call("y", 1, 6);
    backlog.call("x", 1, 7);
    expect([backlog.waiting("x"), backlog.waiting("y"), backlog.waiting("z")]).toEqual([1, 0, 0]);
    await until(3);
    expect(called).toEqual(["x/1@5", "y/1@6", "x/2@7"]);
    expect(backlog.waiting("x")).toBe(1);
  });

  it("passes over what does not wait any more, and takes none twice", async () => {
    const { backlog, called, until } = backlogWith((eventId) => eventId !== "gone");
    for (const eventId of ["gone", "1", "1"]) backlog.add(delivery("x", eventId));
    expect(backlog.waiting("x")).toBe(2);
    backlog.call("x", 1, 0);
    await until(2);
    expect(called).toEqual(["x/gone@0", "x/1@0"]);
    expect(backlog.waiting("x")).toBe(0);
  });

  it("goes on after a call that failed", async () => {
    const { backlog, called, until } = backlogWith(async (eventId) => {
      if (eventId === "1") throw new Error("no server");
      return true;
    });
    for (const eventId of ["1", "2"]) backlog.add(delivery("x", eventId));
    backlog.call("x", 2, 0);
    await until(2);
    expect(called).toEqual(["x/1@0", "x/2@0"]);
  });

  it("forgets what has come by itself, and comes no later for it", () => {
    const { backlog } = backlogWith(() => true);
    for (let n = 0; n < 10_000; n++) backlog.add(delivery("x", String(n)));
    for (let n = 0; n < 10_000; n++) backlog.remove(delivery("x", String(n)));
    backlog.remove(delivery("x", "never added"));
    expect([backlog.waiting("x"), backlog.returnAtMs(1_000)]).toEqual([0, 121_000]);
    for (let n = 0; n < 10_000; n++) backlog.add(delivery("x", String(n)));
    backlog.forget("x");
    expect([backlog.waiting("x"), backlog.returnAtMs(1_000)]).toEqual([0, 121_000]);
  });

  it("remembers those of a well endpoint beside one that has filled it", () => {
    const { backlog } = backlogWith(() => true);
    for (let n = 0; n < 300_000; n++) backlog.add(delivery("dead", String(n)));
    backlog.add(delivery("well", "1"));
    expect(backlog.waiting("well")).toBe(1);
  });

  it("lets what nobody calls come by itself, the later the more there is", () => {
    const { backlog } = backlogWith(() => true);
    expect(backlog.returnAtMs(1_000)).toBe(121_000);
    for (let n = 0; n < 10_000; n++) backlog.add(delivery("x", String(n)));
    expect(backlog.returnAtMs(1_000)).toBe(501_000);
  });
});
