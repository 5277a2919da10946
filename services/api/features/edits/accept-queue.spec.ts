import { openAccount } from "@packshot/domain/accounts/account.ts";
import { builtInPlans } from "@packshot/domain/accounts/plan.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { batchMessagesMax } from "@packshot/log/commit/atomic-batch.ts";
import { createKeyedMutex } from "@packshot/platform/flow/keyed-mutex.ts";
import { expect, test } from "vitest";
import { completedJob, newTestJob } from "../../../../testing/log/job-records.ts";
import { batchWrites } from "../../records/commit-account.ts";
import { decideAccepts, type Original } from "./accept-batch.ts";
import { createAcceptQueue } from "./accept-queue.ts";

test.each([
  ["alone", true],
  ["beside others", false],
])("free repeats of rows, each with an Idempotency-Key, make batches that the log takes: %s", async (_, contested) => {
  const accountId = uuidv7();
  const nowMs = Date.now();
  const plan = { ...builtInPlans[0]!, creditsPerPeriod: 10_000 };
  const who = { accountId, workspaceId: uuidv7(), name: "test" };
  const { account } = openAccount({ ...plan, limits: { ...plan.limits, maxQueuedJobs: 10_000 } }, who, nowMs);
  const originals = new Map<string, Original>();
  const messages: number[] = [];
  const accept = createAcceptQueue({
    streamIndexOf: () => 0,
    accountMutex: createKeyedMutex(),
    isContested: () => contested,
    onBatch: () => {},
    async commit(shares) {
      for (const { pending } of shares) {
        const before = { value: account, sequence: 1 };
        const decision = decideAccepts(before, pending, { nowMs, originals, responseBody: ({ id }) => ({ id }) });
        messages.push(batchWrites(decision).length);
        for (const { accept: each, job } of decision.accepted) each.resolve({ kind: "accepted", job, sequence: 1 });
        for (const { accept: each, error } of decision.refused) each.reject(error);
      }
    },
  });
  const accepted = await Promise.all(
    Array.from({ length: 450 }, async (_, row) => {
      const batch = { id: uuidv7(), row, try: 1, ref: `K-${row}` };
      const original = completedJob({ accountId, id: uuidv7(), creditsCharged: 1, batch });
      const record = { subject: subjects.review(accountId, original.id), value: undefined, sequence: 0 };
      originals.set(original.id, { value: original, sequence: 1, earlier: undefined, record });
      const idempotency = { subject: subjects.idempotency(accountId, String(row)), fingerprint: "f" };
      return await accept(accountId, { job: newTestJob(accountId), idempotency, freeRepeatOf: original.id });
    }),
  );
  expect(accepted.map((outcome) => outcome.kind === "accepted" && outcome.job.creditsCharged)).toEqual(
    accepted.map(() => 0),
  );
  expect(messages.length).toBeGreaterThan(2);
  expect(Math.max(...messages)).toBeLessThanOrEqual(batchMessagesMax);
});
