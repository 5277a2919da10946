import { createHash, randomUUID } from "node:crypto";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { expect, test } from "vitest";
import { startLog } from "../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { createRecordCache } from "./record-cache.ts";

const log = suiteFixture(startLog);
const logger = createLogger({ name: "record-cache.spec", level: "error" });
const newKeySubject = () => subjects.keyByHash("00", createHash("sha256").update(randomUUID()).digest("hex"));

/** The cache on a log that counts its reads, and answers them by `read`. */
async function startCache(read: Log["read"] = log.read) {
  let reads = 0;
  const counting: Log = {
    ...log,
    read<T>(subject: string) {
      reads += 1;
      return read<T>(subject);
    },
  };
  let nowMs = Date.now();
  const cache = createRecordCache({ log: counting, logger, nowMs: () => nowMs });
  await cache.start();
  // While it lags, what is absent is known for a second only.
  await expect.poll(() => cache.lag()).toBeUndefined();
  return { cache, reads: () => reads, passMs: (ms: number) => (nowMs += ms), [Symbol.asyncDispose]: cache.stop };
}

test("a key that is unknown is read once in ten seconds, however often it is asked for", async () => {
  await using started = await startCache();
  const subject = newKeySubject();
  expect(await started.cache.read(subject)).toBeUndefined();
  started.passMs(9_000);
  expect(await started.cache.read(subject)).toBeUndefined();
  expect(started.reads()).toBe(1);
  started.passMs(2_000);
  expect(await started.cache.read(subject)).toBeUndefined();
  expect(started.reads()).toBe(2);
});

test("an unknown key works as soon as it is written, and is refused as soon as it is removed", async () => {
  await using started = await startCache();
  const { cache } = started;
  const subject = newKeySubject();
  expect(await cache.read(subject)).toBeUndefined();
  await log.commit("test", [{ subject, value: { id: "k" } }]);
  await expect.poll(() => cache.read(subject)).toEqual({ id: "k" });
  await log.commit("test", [{ subject, value: null }]);
  await expect.poll(() => cache.read(subject)).toBeUndefined();
  expect(started.reads()).toBe(1);
});

test("unknown keys, however many, make no known key be read again", async () => {
  const known = newKeySubject();
  const unknown = await log.read<never>(newKeySubject());
  await using started = await startCache(async (subject) => (subject === known ? await log.read(subject) : unknown));
  const { cache } = started;
  await log.commit("test", [{ subject: known, value: { id: "k" } }]);
  expect(await cache.read(known)).toEqual({ id: "k" });
  for (let read = 0; read < 21_000; read += 1_000) {
    await Promise.all(Array.from({ length: 1_000 }, () => cache.read(newKeySubject())));
  }
  const reads = started.reads();
  expect(await cache.read(known)).toEqual({ id: "k" });
  expect(started.reads()).toBe(reads);
});
