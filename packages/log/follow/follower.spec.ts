import { jetstreamManager } from "@nats-io/jetstream";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { eventWrite, type PackshotEvent } from "@packshot/domain/webhooks/event.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { Registry } from "prom-client";
import { afterEach, expect, test } from "vitest";
import { startLog } from "../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { createFollower, type FollowerDeps } from "./follower.ts";
import { createFollowerLag } from "./follower-lag.ts";
import { retryMsMin } from "./read-events.ts";

const logger = createLogger({ name: "follower.spec", level: "fatal" });
const accountId = uuidv7();
const log = suiteFixture(startLog);
const started: Component[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((follower) => follower.stop()));
});

/** Commits `count` events of one run, which live for some seconds; their ids in order. */
async function commitEvents(count: number, ttlSeconds?: number, id?: string): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const eventId = id ?? uuidv7();
    const createdAt = isoTime(Date.now());
    const event: PackshotEvent = { v: 1, kind: "limits", eventId, createdAt, accountId };
    await log.transact("event", async (attempt) => {
      if (attempt > 1 && (await log.read(eventWrite(event).subject)).value !== undefined) return { done: undefined };
      const lifetime = ttlSeconds === undefined ? {} : { ttlSeconds };
      return { writes: [{ ...eventWrite(event), ...lifetime }], result: undefined };
    });
    ids.push(eventId);
  }
  return ids;
}

/** A follower that records the ids of the events that it handled. */
async function follow(
  options: Partial<FollowerDeps> & { name: string },
): Promise<{ seen: string[]; follower: Component }> {
  const seen: string[] = [];
  const follower = createFollower({
    log,
    logger,
    parallelMax: 4,
    wants: () => true,
    handle: async (events) => void seen.push(...events.map(({ event }) => event.eventId)),
    ...options,
  });
  started.push(follower);
  await follower.start();
  return { seen, follower };
}

async function cursorOf(name: string): Promise<number> {
  return (await log.read<{ stateSequence: number }>(subjects.cursor(0, name))).value?.stateSequence ?? 0;
}

async function sequenceOf(eventId: string): Promise<number> {
  return (await log.read(subjects.event(accountId, eventId, "limits"))).sequence;
}

test("while the copy stands still, events are read past it before they expire, and each still counts once", async () => {
  const manager = await jetstreamManager(log.connection);
  const { config } = await manager.streams.info(streams.events);
  let bypassFrom: number | undefined;
  const { seen } = await follow({ name: "bypass", parallelMax: 1, bypassFrom: () => bypassFrom });
  const before = await commitEvents(3);
  await expect.poll(() => seen.slice(-3)).toEqual(before);
  await manager.streams.update(streams.events, { sources: [] });
  const during = await commitEvents(4, 2);
  bypassFrom = await sequenceOf(before.at(-1)!);
  await expect.poll(() => seen.slice(-4)).toEqual(during);
  // They expire, and the copy never gets them.
  await expect.poll(async () => await sequenceOf(during.at(-1)!), { timeout: 10_000 }).toBe(0);
  await manager.streams.update(streams.events, { sources: config.sources! });
  bypassFrom = undefined;
  const after = await commitEvents(2);
  await expect.poll(() => seen.slice(-9), { timeout: 10_000 }).toEqual([...before, ...during, ...after]);
  expect(new Set(seen).size).toBe(seen.length);
});

test("a follower that is behind reads the whole copy before it goes past it: its events may be nowhere else", async () => {
  const manager = await jetstreamManager(log.connection);
  const { config } = await manager.streams.info(streams.events);
  const only = await commitEvents(3, 1);
  const last = await sequenceOf(only.at(-1)!);
  await expect.poll(async () => (await manager.streams.info(streams.events)).sources?.[0]).toMatchObject({ seq: last });
  await expect.poll(async () => await sequenceOf(only.at(-1)!), { timeout: 10_000 }).toBe(0);
  await manager.streams.update(streams.events, { sources: [] });
  const waiting = await commitEvents(2);
  const { seen } = await follow({ name: "behind", parallelMax: 1, bypassFrom: () => last });
  await expect.poll(() => seen.slice(-5), { timeout: 10_000 }).toEqual([...only, ...waiting]);
  await manager.streams.update(streams.events, { sources: config.sources! });
});

test("each event is handled once and in order; after a stop the next follower continues after the cursor", async () => {
  const first = await follow({ name: "once", parallelMax: 1 });
  const ids = await commitEvents(20);
  await expect.poll(() => first.seen.slice(-20)).toEqual(ids);
  await first.follower.stop();
  expect(await cursorOf("once")).toBe(await sequenceOf(ids.at(-1)!));
  const more = await commitEvents(3);
  const second = await follow({ name: "once", parallelMax: 1 });
  await expect.poll(() => second.seen).toEqual(more);
});

test("the cursor stays before the oldest unfinished event, which the next follower handles again", async () => {
  const gate = Promise.withResolvers<void>();
  const ids = await commitEvents(5);
  const slow = ids[2]!;
  const done: string[] = [];
  const handle: FollowerDeps["handle"] = async ([followed], signal) => {
    const { eventId } = followed!.event;
    if (eventId === slow) {
      signal.addEventListener("abort", () => gate.reject(new Error("stopped")), { once: true });
      await gate.promise;
    }
    done.push(eventId);
  };
  const first = await follow({ name: "behind", handle });
  await expect.poll(() => done.includes(ids[4]!)).toBe(true);
  await first.follower.stop();
  expect(await cursorOf("behind")).toBe(await sequenceOf(ids[1]!));
  const second = await follow({ name: "behind" });
  await expect.poll(() => second.seen).toEqual(ids.slice(2));
});

test("a failed event is handled again and holds up no other", async () => {
  const ids = await commitEvents(4);
  const failures = new Map<string, number>();
  const done: string[] = [];
  await follow({
    name: "again",
    parallelMax: 1,
    handle: async ([followed]) => {
      const { eventId } = followed!.event;
      const failed = failures.get(eventId) ?? 0;
      failures.set(eventId, failed + 1);
      if (eventId === ids[0] && (failed < 3 || !done.includes(ids[3]!))) throw new Error("storage refuses");
      done.push(eventId);
    },
  });
  await expect.poll(() => done.slice(-4)).toEqual([ids[1], ids[2], ids[3], ids[0]]);
});

test("events of one group come in batches, in order, one batch at a time", async () => {
  const ids = await commitEvents(50);
  const batches: string[][] = [];
  let atOnce = 0;
  await follow({
    name: "groups",
    groupOf: (event) => event.accountId,
    batchEventsMax: 20,
    handle: async (events) => {
      atOnce += 1;
      expect(atOnce).toBe(1);
      batches.push(events.map(({ event }) => event.eventId));
      await log.read(subjects.account(accountId));
      atOnce -= 1;
    },
  });
  await expect.poll(() => batches.flat().slice(-50)).toEqual(ids);
  expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(20);
});

test("two followers of one name share a lease: the second takes over when the first stops", async () => {
  const first = await follow({ name: "lease" });
  const ids = await commitEvents(3);
  await expect.poll(() => first.seen.slice(-3)).toEqual(ids);
  const second = await follow({ name: "lease" });
  const more = await commitEvents(3);
  await expect.poll(() => first.seen.slice(-3)).toEqual(more);
  expect(second.seen).toEqual([]);
  await first.follower.stop();
  const rest = await commitEvents(3);
  await expect.poll(() => second.seen).toEqual(rest);
});

test("after the server is killed and restarted no event is lost, and only unfinished ones are handled twice", async () => {
  const { seen } = await follow({ name: "restart", parallelMax: 1 });
  const before = await commitEvents(10);
  await expect.poll(() => seen.slice(-10)).toEqual(before);
  const during = commitEvents(40);
  await log.nats.kill();
  await log.nats.restart();
  const ids = [...(await during), ...(await commitEvents(5))];
  await expect.poll(() => [...new Set(seen)].slice(-45)).toEqual(ids);
}, 120_000);

test("a cursor with an invalid hint is found by its sequence in PS_STATE", async () => {
  const first = await follow({ name: "hint" });
  const ids = await commitEvents(5);
  await expect.poll(() => first.seen.slice(-5)).toEqual(ids);
  await first.follower.stop();
  const subject = subjects.cursor(0, "hint");
  const { value, sequence } = await log.read<{ eventSequence: number }>(subject);
  await log.commit("test", [{ subject, value: { ...value, eventSequence: 1 }, expected: sequence }]);
  const second = await follow({ name: "hint" });
  const more = await commitEvents(2);
  await expect.poll(() => second.seen).toEqual(more);
  await second.follower.stop();
  const manager = await jetstreamManager(log.connection);
  await manager.streams.purge(streams.events);
  const third = await follow({ name: "hint" });
  const last = await commitEvents(2);
  await expect.poll(() => third.seen).toEqual(last);
});

/** Lives of events, as a setting gave them; by the events' ids. */
const livesMs = new Map<string, number>();
const dueAtMs = ({ eventId, createdAt }: PackshotEvent) => Date.parse(createdAt) + livesMs.get(eventId)!;

/** As `commitEvents`, of events that are due after so many milliseconds each. */
async function commitLives(...lives: number[]): Promise<string[]> {
  const ids = lives.map(() => uuidv7());
  for (const [index, ms] of lives.entries()) livesMs.set(ids[index]!, ms);
  for (const id of ids) await commitEvents(1, undefined, id);
  return ids;
}

const hourMs = 3_600_000;
const waitMs = 200;

test("events that wait for less are handled when they are due, past those that wait for more, and again after a restart", async () => {
  const name = "shortened";
  const wants = ({ eventId }: PackshotEvent) => livesMs.has(eventId);
  const options = { name, wants, dueAtMs, waitMs };
  const { seen, follower } = await follow(options);
  // Each was shortened again: from an hour to half of it, and so on.
  const [hour, half, short, another] = await commitLives(hourMs, hourMs / 2, waitMs, waitMs);
  await expect.poll(() => new Set(seen)).toEqual(new Set([short, another]));
  await follower.stop();
  expect(await cursorOf(name)).toBeLessThan(await sequenceOf(hour!));
  const { seen: again } = await follow(options);
  const [late] = await commitLives(waitMs);
  await expect.poll(() => new Set(again)).toEqual(new Set([short, another, late]));
  expect([...seen, ...again]).not.toContain(half);
});

test("when the last event that waits for more has been handled, each after it is handled once, in its turn", async () => {
  const name = "caught-up";
  const earlier = new Set(livesMs.keys());
  const wants = ({ eventId }: PackshotEvent) => livesMs.has(eventId) && !earlier.has(eventId);
  const first = await commitLives(hourMs, hourMs, waitMs);
  // Stands still just before the first is due, so that a busy machine cannot make it due too early.
  const { value } = await log.read<PackshotEvent>(subjects.event(accountId, first[0]!, "limits"));
  let nowMs = dueAtMs(value!) - waitMs;
  const { seen } = await follow({ name, nowMs: () => nowMs, wants, dueAtMs, waitMs });
  await expect.poll(() => seen[0]).toBe(first[2]);
  nowMs += 2 * hourMs;
  await expect.poll(() => seen.slice(1)).toEqual(first);
  const next = await commitLives(waitMs, waitMs);
  const last = await sequenceOf(next[1]!);
  await expect.poll(() => cursorOf(name)).toBe(last);
  expect(seen.slice(4)).toEqual(next);
});

test("events that are due go past one that waits for more again, when that has failed", async () => {
  const earlier = new Set(livesMs.keys());
  const failed: string[] = [];
  const wants = ({ eventId }: PackshotEvent) => {
    if (!livesMs.has(eventId) || earlier.has(eventId)) return false;
    if (livesMs.get(eventId) === waitMs && failed.length === 0) {
      failed.push(eventId);
      throw new Error("not read");
    }
    return true;
  };
  const { seen } = await follow({ name: "fails-past", wants, dueAtMs, waitMs });
  const [, short] = await commitLives(hourMs, waitMs);
  await expect.poll(() => seen).toEqual([short]);
  const [another] = await commitLives(waitMs);
  await expect.poll(() => seen).toEqual([short, another]);
  expect(failed).toEqual([short]);
});

test("what is read past a waiting event is tried again later and later only while the same event fails", async () => {
  const earlier = new Set(livesMs.keys());
  const failuresLeft = new Map<string, number>();
  const delaysMs: number[] = [];
  const warn = ({ delayMs }: { delayMs: number }) => void delaysMs.push(delayMs);
  const wants = ({ eventId }: PackshotEvent) => {
    if (!livesMs.has(eventId) || earlier.has(eventId)) return false;
    const left = failuresLeft.get(eventId) ?? 0;
    failuresLeft.set(eventId, left - 1);
    if (left > 0) throw new Error("not read");
    return true;
  };
  const [, ...short] = await commitLives(hourMs, waitMs, waitMs, waitMs, waitMs);
  for (const id of short) failuresLeft.set(id, 1);
  failuresLeft.set(short[3]!, 4);
  const { seen } = await follow({
    name: "fails-anew",
    wants,
    dueAtMs,
    waitMs,
    logger: Object.create(logger, { warn: { value: warn } }),
  });
  await expect.poll(() => seen, { timeout: 10_000 }).toEqual(short);
  const firstMsMax = 1.5 * retryMsMin;
  expect(delaysMs.map((ms) => ms <= firstMsMax)).toEqual([true, true, true, true, expect.any(Boolean), false, false]);
});

test("who follows reports how late its oldest event is and how many are left, and nobody else does", async () => {
  const registry = new Registry();
  let nowMs = Date.now();
  const lag = createFollowerLag(registry, () => nowMs);
  const read = async (name: string) =>
    (await registry.getSingleMetric(name)!.get()).values.map(({ labels, value }) => ({ ...labels, value }));
  const gate = Promise.withResolvers<void>();
  const dueAtMs = Date.now() - 60_000;
  const handle = async () => await gate.promise;
  const { follower } = await follow({ name: "late", parallelMax: 1, lag, handle, dueAtMs: () => dueAtMs });
  await commitEvents(3);
  const labels = { follower: "late", log: "0" };
  const pending = async () => (await read("packshot_follower_pending_events"))[0]?.value ?? 0;
  await expect.poll(pending).toBeGreaterThanOrEqual(3);
  nowMs = dueAtMs + 90_000;
  expect(await read("packshot_follower_lag_seconds")).toEqual([{ ...labels, value: 90 }]);
  gate.resolve();
  await expect.poll(pending).toBe(0);
  expect(await read("packshot_follower_lag_seconds")).toEqual([{ ...labels, value: 0 }]);
  await follower.stop();
  expect(await read("packshot_follower_lag_seconds")).toEqual([]);
});
