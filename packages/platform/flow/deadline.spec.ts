import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { startDeadline } from "./deadline.ts";

const soonMs = 20;
/** Longer than a timer may wait. */
const farMs = 2 ** 40;

describe("a deadline", () => {
  it("aborts with a TimeoutError, at once where it has passed", async () => {
    for (const ms of [soonMs, -1]) {
      const { signal } = startDeadline(ms);
      await once(signal, "abort");
      expect((signal.reason as Error).name).toBe("TimeoutError");
    }
  });

  it("aborts nothing once it has ended, nor where it is further away than a timer may wait", async () => {
    const ended = startDeadline(soonMs);
    const far = startDeadline(farMs);
    ended.end();
    await once(startDeadline(2 * soonMs).signal, "abort");
    expect([ended.signal.aborted, far.signal.aborted]).toEqual([false, false]);
    far.end();
  });
});
