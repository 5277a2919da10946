import { type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import { ledgerWrite } from "@packshot/domain/accounts/ledger.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startLog, type TestLog } from "../../../testing/log/test-log.ts";
import { migrateLog } from "./migrate.ts";
import { createLogWatch, type LogWatch } from "./watch.ts";

let log: TestLog;
let manager: JetStreamManager;
let watch: LogWatch;
let registry: Registry;
let logged: string[];

beforeEach(async () => {
  log = await startLog();
  manager = await jetstreamManager(log.connection);
  registry = new Registry();
  logged = [];
  const logger = createLogger({ name: "log-watch.spec", level: "fatal" });
  logger.error = (_fields: unknown, message?: string) => void logged.push(message!);
  logger.info = logger.error;
  const times = { everyMs: 50, bypassAfterMs: 600, refuseAfterMs: 400 };
  watch = createLogWatch({ log, logger, registry, times });
  await watch.start();
});

afterEach(async () => {
  await watch.stop();
  await log.stop();
});

async function commitEntries(count: number, noteBytes = 10): Promise<void> {
  const accountId = uuidv7();
  const note = "x".repeat(noteBytes);
  for (let i = 0; i < count; i++) {
    const entry = { v: 1, kind: "grant", accountId, period: 1, entryId: uuidv7(), amount: 1, at: "", note } as const;
    await log.commit("test", [ledgerWrite({ ...entry, balanceAfter: i })]);
  }
}

const isAccepting = () => {
  try {
    watch.assertAccepting();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "unavailable" });
    return false;
  }
};

const metric = async (name: string, labels = "") =>
  Number(new RegExp(`^${name}${labels} (.*)$`, "m").exec(await registry.metrics())?.[1]);

test("a copy that has stood still refuses edits and is bypassed, until it follows again", async () => {
  expect(isAccepting()).toBe(true);
  // The copy is full: it takes nothing, and what it lacks waits in the state stream.
  await commitEntries(1);
  await expect.poll(async () => (await manager.streams.info(streams.ledger)).state.messages).toBe(1);
  await manager.streams.update(streams.ledger, { max_bytes: 400 });
  await commitEntries(3);
  await expect.poll(isAccepting).toBe(false);
  const copied = (await manager.streams.info(streams.ledger)).state.last_seq;
  await expect.poll(() => watch.bypassFrom(streams.ledger)).toBeGreaterThanOrEqual(copied);
  expect(watch.bypassFrom(streams.events)).toBeUndefined();
  expect(await metric("packshot_log_refuses_edits")).toBe(1);
  expect(logged).toEqual([expect.stringMatching(/^edits are refused: PS_LEDGER has /)]);
  await manager.streams.update(streams.ledger, { max_bytes: -1 });
  await expect.poll(isAccepting).toBe(true);
  expect((await manager.streams.info(streams.ledger)).state.messages).toBe(4);
  expect(watch.bypassFrom(streams.ledger)).toBeUndefined();
  expect(logged.at(-1)).toBe("edits are accepted again");
});

test("the age of what a copy lacks counts, also for a process that has just started", async () => {
  await commitEntries(1);
  await expect.poll(async () => (await manager.streams.info(streams.ledger)).state.messages).toBe(1);
  await manager.streams.update(streams.ledger, { max_bytes: 400 });
  await commitEntries(3, 1_000);
  await expect
    .poll(async () => await metric("packshot_log_copy_lag_seconds", '{stream="PS_LEDGER"}'))
    .toBeGreaterThan(1);
  const later = createLogWatch({
    log,
    logger: createLogger({ name: "later", level: "fatal" }),
    times: { refuseAfterMs: 1_000 },
  });
  await later.start();
  expect(() => later.assertAccepting()).toThrow(/try again later/);
  await later.stop();
});

test("a copy without sources is named at once", async () => {
  await manager.streams.update(streams.ready, { sources: [] });
  await expect.poll(isAccepting).toBe(false);
  expect(logged).toEqual(['edits are refused: PS_READY has no sources: run "packshot migrate"']);
  await migrateLog(log.connection, { replicas: 1 });
  await expect.poll(isAccepting).toBe(true);
});

test("a stream with little room left refuses edits, until there is room", async () => {
  await migrateLog(log.connection, { replicas: 1, bytesMax: 200_000 });
  await commitEntries(12, 2_800);
  await expect.poll(isAccepting).toBe(false);
  expect(await metric("packshot_log_stream_bytes_max", '{stream="PS_STATE"}')).toBe(80_000);
  expect(logged[0]).toMatch(/PS_(LEDGER|STATE) has \d+ of the \d+ bytes/);
  await manager.streams.purge(streams.state, { filter: subjects.ledger("*", "*", "*", "*") });
  await manager.streams.purge(streams.ledger);
  await expect.poll(isAccepting).toBe(true);
});

test("a delivery queue that fills up refuses no edits: an error line says so, until there is room again", async () => {
  await migrateLog(log.connection, { replicas: 1, bytesMax: 200_000 });
  for (let i = 0; i < 10; i++)
    await log.connection.request(`psd.due.a.w.e${i}`, "x".repeat(1_000), { timeout: 60_000 });
  await expect.poll(() => watch.fill(streams.deliveries)).toBeGreaterThan(1);
  expect(isAccepting()).toBe(true);
  expect(await metric("packshot_log_refuses_edits")).toBe(0);
  expect(await metric("packshot_log_stream_bytes_max", '{stream="PS_DELIVERIES"}')).toBe(10_000);
  await expect
    .poll(() => logged)
    .toEqual([expect.stringMatching(/^PS_DELIVERIES has \d+ of the 10000 bytes .* failing endpoints/)]);
  await manager.streams.purge(streams.deliveries);
  await expect.poll(() => logged.at(-1)).toBe("PS_DELIVERIES has room again");
});
