import {
  type AuditEntry,
  type AuditLimits,
  type AuditPool,
  type AuditSegment,
  auditLimits,
} from "@packshot/domain/accounts/audit.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { listRecordSubjects } from "@packshot/log/follow/list-subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { beforeEach, expect, test } from "vitest";
import { openTestAccount } from "../../../testing/log/accepted-jobs.ts";
import { startLog } from "../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { createAuditLog } from "./audit-log.ts";
import { type AuditedAction, createAudited } from "./audited.ts";

const log = suiteFixture(() => startLog());
const keyId = uuidv7();
const segments = { changes: 2, keys: 1, test: 1, protection: 1, "test-protection": 1, operator: 1 };
const small = { ...auditLimits, segmentEntriesMax: 8, runningMax: 4, segmentsPerDayMax: segments };
let accountId: string;
let logged: unknown[];

beforeEach(async () => {
  accountId = await openTestAccount(log);
  logged = [];
});

function auditing(limits: Partial<AuditLimits> = {}, of: Log = log) {
  const logger = createLogger({ name: "audited.spec", level: "error" });
  logger.error = (fields: unknown) => void logged.push(fields);
  const auditLog = createAuditLog({ log: of, nowMs: Date.now, limits: { ...small, ...limits } });
  const audited = createAudited({ log: of, auditLog, logger, nowMs: Date.now });
  /** Carries out an action, and resolves with the code of its error, or with how it went. */
  async function act(pool: AuditPool, change: Partial<AuditedAction> = {}, run = async () => "done"): Promise<string> {
    const actor: AuditedAction["actor"] =
      pool === "operator" ? { kind: "operator" } : { kind: "key", keyId, live: !pool.startsWith("test") };
    const named = { operation: "putPreset", target: "p", fields: [], address: "192.0.2.1", requestId: uuidv7() };
    const action = { ...named, actor, accountId, pool, ...change };
    return await audited(action, run, () => ({ status: 200, created: null })).catch(({ code }) => code);
  }
  const list = async () => (await auditLog.list(accountId, { limit: 100 })).entries;
  return { act, list };
}

const refuse = async (): Promise<string> => {
  throw new PackshotError("not_found", "Preset not found.");
};
const times = <T>(count: number, run: () => Promise<T>) => Promise.all(Array.from({ length: count }, run));
const described = ({ operation, outcome, count = 1 }: AuditEntry) =>
  `${operation} ${outcome?.code ?? outcome?.status ?? "?"} ${count}`;

test("bursts of refused changes take no room from those that change something", async () => {
  const { act, list } = auditing();
  const codes = new Set<string>();
  for (let burst = 0; burst < 8; burst++)
    for (const code of await times(8, () => act("changes", {}, refuse))) codes.add(code);
  expect([...codes].sort()).toEqual(["not_found", "rate_limit_exceeded"]);
  for (let change = 0; change < 16; change++) expect(await act("changes")).toBe("done");
  expect(await act("changes")).toBe("rate_limit_exceeded");
  const entries = await list();
  expect(entries.filter(({ outcome }) => outcome?.status === 200)).toHaveLength(16);
  expect(entries.map(described)).toContain("putPreset rate_limit_exceeded 1");
  const counted = entries.find(({ outcome }) => outcome?.code === "not_found")!;
  expect(counted).toMatchObject({ target: "p", actor: { keyId } });
  expect(counted.count).toBeGreaterThanOrEqual(32);
});

test("each kind of change has a budget of its own, and what protects happens beyond it, counted", async () => {
  const { act, list } = auditing();
  for (const pool of ["keys", "test"] as const) {
    for (let change = 0; change < 8; change++) expect(await act(pool)).toBe("done");
    expect(await act(pool)).toBe("rate_limit_exceeded");
  }
  expect(await act("changes")).toBe("done");
  for (const pool of ["protection", "test-protection", "operator"] as const) {
    for (let change = 0; change < 12; change++) expect(await act(pool, { operation: pool })).toBe("done");
  }
  const counts = (await list()).map(described);
  for (const pool of ["protection", "test-protection", "operator"]) {
    expect(counts.filter((line) => line === `${pool} 200 1`)).toHaveLength(8);
    expect(counts).toContain(`${pool} ? 4`);
  }
});

test("where the log of changes cannot be written, what protects happens and is in the process's log; others do not", async () => {
  const unwritable: Log = { ...log, transact: async () => Promise.reject(new PackshotError("unavailable", "full")) };
  const { act } = auditing({}, unwritable);
  expect(await act("changes")).toBe("unavailable");
  expect(logged).toEqual([]);
  for (const pool of ["protection", "operator"] as const) expect(await act(pool)).toBe("done");
  const entry = { accountId, operation: "putPreset" };
  expect(logged).toMatchObject([{ entry }, { entry }, { entry }]);
});

test("a segment ends by its bytes, also for entries that are counted, and one entry stands for all others", async () => {
  const segmentBytesMax = 3_000;
  const { act, list } = auditing({ segmentBytesMax, segmentEntriesMax: 100, runningMax: 100 });
  const target = "x".repeat(1_000);
  expect(await times(4, () => act("changes", { target }))).toEqual(Array(4).fill("done"));
  expect(await act("changes", { target })).toBe("rate_limit_exceeded");
  for (const operation of ["a", "b", "c", "d", "d"])
    expect(await act("test", { operation, target }, refuse)).toBe("not_found");
  expect((await list()).map(described)).toEqual(
    expect.arrayContaining(["a not_found 1", "b not_found 1", "several ? 3"]),
  );
  for await (const subject of listRecordSubjects(log, subjects.audit(accountId, "*"))) {
    const { value } = await log.read<AuditSegment>(subject);
    expect(JSON.stringify(value).length).toBeLessThan(segmentBytesMax + 500);
  }
});

test("pages go through all pools, each entry once, newest first", async () => {
  const { act, list } = auditing();
  for (const pool of ["changes", "test", "protection", "operator", "changes", "keys"] as const) {
    await act(pool, { operation: pool });
    await act(pool, { operation: pool }, refuse);
  }
  const ids = (await list()).map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted().reverse());
  // What was done, what the operator was refused, and four kinds of what keys were refused.
  expect(ids).toHaveLength(6 + 1 + 4);
  const auditLog = createAuditLog({ log, nowMs: Date.now, limits: small });
  const paged: string[] = [];
  for (let beforeId: string | undefined; ; ) {
    const { entries, nextId } = await auditLog.list(accountId, { limit: 5, beforeId });
    paged.push(...entries.map(({ id }) => id));
    beforeId = nextId;
    if (nextId === undefined || paged.length > 100) break;
  }
  expect(paged).toEqual(ids);
});
