import { afterEach, expect, test } from "vitest";
import { createLogger } from "../telemetry/logger.ts";
import { createPeriodicCheck, type PeriodicCheck } from "./periodic-check.ts";

const logger = createLogger({ name: "periodic-check.spec", level: "silent" });
let check: PeriodicCheck;

afterEach(() => check.stop());

test("tells why something does not work, for how long, and that it works again", async () => {
  let fault: string | undefined;
  const attempt = async () => {
    if (fault !== undefined) throw new Error(fault);
  };
  check = createPeriodicCheck({ name: "lamp", everyMs: 5, timeoutMs: 1_000, attempt, logger });
  expect(check.reason()).toBe("not tried yet");
  await check.start();
  expect([check.reason(), check.failingForMs()]).toEqual([undefined, 0]);
  fault = "the bulb is loose";
  await expect.poll(() => check.reason()).toBe(fault);
  await expect.poll(() => check.failingForMs()).toBeGreaterThan(20);
  fault = undefined;
  await expect.poll(() => check.reason()).toBeUndefined();
  expect(check.failingForMs()).toBe(0);
});

test("an attempt that hangs counts as failed, is not joined by others, and does not hold up start or stop", async () => {
  let attempts = 0;
  const hanging = Promise.withResolvers<void>();
  const attempt = () => {
    attempts += 1;
    return hanging.promise;
  };
  check = createPeriodicCheck({ name: "disk", everyMs: 1, timeoutMs: 20, attempt, logger });
  await check.start();
  await expect.poll(() => check.reason()).toBe("disk has not answered for 20 ms");
  await expect.poll(() => check.failingForMs()).toBeGreaterThan(50);
  expect(attempts).toBe(1);
  hanging.resolve();
  await expect.poll(() => check.reason()).toBeUndefined();
  await expect.poll(() => attempts).toBeGreaterThan(1);
});
