/** What a process leaves that dies while it merges, compacts or removes files of batches is whole, and is ended by the next. */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { BatchIndex } from "@packshot/domain/accounts/record-index.ts";
import type { Batch } from "@packshot/domain/batches/batch.ts";
import { cancelBatch, openBatch, startBatch } from "@packshot/domain/batches/batch-changes.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFingerprintIndex } from "../../services/api/features/batches/done/fingerprint-index.ts";
import { createOutcomeFiles } from "../../services/api/features/batches/rows/outcome-files.ts";
import type { RowOutcome } from "../../services/api/features/batches/rows/row.ts";
import { startLog } from "../../testing/log/test-log.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";

const log = suiteFixture(startLog);
const main = fileURLToPath(new URL("../../testing/batches/batch-work-main.ts", import.meta.url));
const run = promisify(execFile);
const lifetimeMs = 3_600_000;
const files = 10;
let dir: string;
let storage: Storage;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "packshot-batch-work-"));
  storage = createDiskStorage({ dir });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

interface Work {
  readonly accountId: string;
  readonly batchId: string;
}

async function work(what: string, { accountId, batchId }: Work, failpoint?: string): Promise<void> {
  const args = [main, what, dir, accountId, batchId, log.nats.url, ...(failpoint === undefined ? [] : [failpoint])];
  await run(process.execPath, args);
}

const keysBelow = (prefix: string) => Array.fromAsync(storage.list(prefix), ({ key }) => key);
const died = { signal: "SIGKILL" };

function outcome(row: number): RowOutcome {
  const nothing = { code: null, message: null, result: null, destination: null, sameAs: null };
  const measured = { quality: null, checks: null, credits: 1, milliseconds: 5 };
  const ended = {
    row,
    try: 1,
    sequence: row + 1,
    status: "completed",
    jobId: uuidv7(),
    at: isoTime(Date.now()),
  } as const;
  return { ...ended, ...nothing, ...measured };
}

test.each(["compact-outcomes:before-write", "compact-outcomes:before-delete@1", "compact-outcomes:before-delete@5"])(
  "outcomes are all there after %s",
  async (failpoint) => {
    const of = { accountId: uuidv7(), batchId: uuidv7() };
    const folder = { accountId: of.accountId, id: of.batchId };
    const outcomes = createOutcomeFiles(storage);
    const rows = Array.from({ length: files }, (_, row) => row);
    for (const row of rows) await outcomes.add(folder, 0, { first: row + 1, last: row + 1 }, [outcome(row)]);
    await expect(work("compact", of, failpoint)).rejects.toMatchObject(died);
    expect([...(await outcomes.read(folder, 0)).keys()].sort((a, b) => a - b)).toEqual(rows);
    await work("compact", of);
    expect([...(await outcomes.read(folder, 0)).keys()].sort((a, b) => a - b)).toEqual(rows);
    expect(await keysBelow(storageKeys.batchOutcomes(of.accountId, of.batchId, 0))).toHaveLength(1);
  },
);

test.each(["merge-fingerprints:before-delete@1", "merge-fingerprints:before-delete@5"])(
  "fingerprints are all found after %s",
  async (failpoint) => {
    const of = { accountId: uuidv7(), batchId: uuidv7() };
    const prefix = storageKeys.fingerprints(of.accountId);
    const entries = Array.from({ length: files }, (_, row) => ({
      fingerprint: randomBytes(32).toString("hex"),
      id: of.batchId,
      row,
      at: isoTime(Date.now()),
    }));
    const names = entries.map(({ fingerprint }) => fingerprint);
    const newIndex = () => createFingerprintIndex({ storage, nowMs: Date.now, lifetimeMs });
    for (const entry of entries) await newIndex().add(prefix, `${of.batchId}-${entry.row}`, [entry]);
    await expect(work("merge", of, failpoint)).rejects.toMatchObject(died);
    expect((await newIndex().find(prefix, names)).size).toBe(files);
    await work("merge", of);
    expect((await newIndex().find(prefix, names)).size).toBe(files);
    expect((await keysBelow(prefix)).length).toBeLessThan(files);
  },
);

test.each(["expire-batch:before-files", "expire-batch:before-commit", "expire-batch:after-commit"])(
  "an expired batch is gone after %s",
  async (failpoint) => {
    const of = { accountId: uuidv7(), batchId: uuidv7() };
    const nowMs = Date.now();
    const facts = { id: of.batchId, accountId: of.accountId, live: true, tool: "mask", parameters: {} } as const;
    const opened = openBatch({ ...facts, onExisting: "redo", destination: null, input: { kind: "inline" } }, nowMs);
    const batch = cancelBatch(startBatch(opened, 1, nowMs), { nowMs, lifetimeMs });
    const subject = subjects.batch(of.accountId, of.batchId);
    const index: BatchIndex = { v: 1, ids: [of.batchId], openIds: [] };
    await log.commit("test", [
      { subject: subjects.index(of.accountId, "batches"), value: index, expected: 0 },
      { subject, value: batch, expected: 0 },
    ]);
    const folder = storageKeys.batch(of.accountId, of.batchId);
    await storage.write(`${folder}input`, Buffer.from("ref\n"), { bytesMax: 10 });
    await expect(work("expire", of, failpoint)).rejects.toMatchObject(died);
    const isLeft = (await log.read<Batch>(subject)).value !== undefined;
    expect(isLeft).toBe(!failpoint.endsWith("after-commit"));
    if (isLeft) await work("expire", of);
    expect((await log.read<Batch>(subject)).value).toBeUndefined();
    expect((await log.read<BatchIndex>(subjects.index(of.accountId, "batches"))).value?.ids).toEqual([]);
    expect(await keysBelow(folder)).toEqual([]);
  },
);
