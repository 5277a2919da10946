/** What becomes of a batch whose file cannot be read. */
import { Readable } from "node:stream";
import { type Account, openAccount } from "@packshot/domain/accounts/account.ts";
import { builtInPlans } from "@packshot/domain/accounts/plan.ts";
import type { Batch } from "@packshot/domain/batches/batch.ts";
import { openBatch } from "@packshot/domain/batches/batch-changes.ts";
import { rendererOnly } from "@packshot/domain/edits/engine.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { expect, test } from "vitest";
import { startLog } from "../../../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../../../testing/suite-fixture.ts";
import { type CheckFile, createCheckFile } from "../read/check-file.ts";
import { createReadInput } from "./read-input.ts";

const log = suiteFixture(startLog);
const { signal } = new AbortController();
const hourMs = 3_600_000;

async function openFileBatch(checkFile: CheckFile, change: Partial<Account> = {}) {
  const accountId = uuidv7();
  const given = { id: uuidv7(), accountId, live: true, tool: "mask", parameters: {}, onExisting: "skip" } as const;
  const batch = openBatch({ ...given, destination: null, input: { kind: "file", format: "csv" } }, Date.now());
  const { account } = openAccount(builtInPlans[0]!, { accountId, workspaceId: "w", name: "shop" }, Date.now());
  await log.commit("test", [
    { subject: subjects.account(accountId), value: { ...account, ...change }, expected: 0 },
    { subject: subjects.batch(accountId, batch.id), value: batch, expected: 0 },
  ]);
  let nowMs = Date.now();
  const without = { cacheAccount: () => {}, segments: { write: async () => {} } };
  const deps = {
    log,
    models: () => [],
    pipelines: () => [],
    engines: () => rendererOnly,
    nowMs: () => nowMs,
    checkFile,
    ...without,
  };
  const readInput = createReadInput(deps as unknown as Parameters<typeof createReadInput>[0]);
  return {
    read: () => readInput({ accountId, batchId: batch.id }, signal),
    stored: async () => (await log.read<Batch>(subjects.batch(accountId, batch.id))).value,
    wait(hours: number) {
      nowMs += hours * hourMs;
    },
  };
}

test("a batch over whose file the reading thread dies fails with a reason, and is not read again", async () => {
  let opened = 0;
  const open = async () => {
    opened += 1;
    return { stream: Readable.from([Buffer.from("ref,imageUrl\nA,https://shop.example/a.jpg\n")]), bytes: 9 };
  };
  // The thread expects tools, as each account has them.
  const broken = { tools: undefined } as unknown as Partial<Account>;
  const { read, stored } = await openFileBatch(createCheckFile({ storage: { open } }), broken);
  for (let fault = 1; fault <= 2; fault++) {
    await expect(read()).rejects.toMatchObject({ code: "internal_error" });
    expect(await stored()).toMatchObject({ status: "validating", readFaults: fault });
  }
  await expect(read()).rejects.toMatchObject({ code: "internal_error" });
  expect(await stored()).toMatchObject({
    status: "cancelled",
    error: { code: "internal_error", message: expect.stringContaining("memory or time") },
    finishedAt: expect.any(String),
  });
  expect(await read()).toBe("nothing");
  expect(opened).toBe(3);
});

test("a storage that fails is waited for, for a day", async () => {
  const failing = new Error("connection reset");
  const { read, stored, wait } = await openFileBatch(
    createCheckFile({ storage: { open: () => Promise.reject(failing) } }),
  );
  for (let looks = 0; looks < 5; looks++) await expect(read()).rejects.toBe(failing);
  expect(await stored()).toMatchObject({ status: "validating" });
  wait(25);
  await expect(read()).rejects.toBe(failing);
  expect(await stored()).toMatchObject({ status: "cancelled", error: { code: "unavailable" } });
});
