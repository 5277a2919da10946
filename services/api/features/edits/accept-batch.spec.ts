import type { Account } from "@packshot/domain/accounts/account.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { expect, test } from "vitest";
import { openTestAccount, readAccount } from "../../../../testing/log/accepted-jobs.ts";
import { newTestJob } from "../../../../testing/log/job-records.ts";
import { startLog } from "../../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { createRecordCache } from "../../records/record-cache.ts";
import { createCommitAccepts } from "./accept-batch.ts";
import type { AccountShare } from "./accept-request.ts";

const log = suiteFixture(startLog);

function editOf(accountId: string, live: boolean): AccountShare & { readonly answered: Promise<unknown> } {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const job = newTestJob(accountId, { live, credits: live ? 1 : 0 });
  const entry = { request: { job, idempotency: undefined }, mayBeCommitted: false, resolve, reject };
  return { accountId, pending: [entry], answered: promise };
}

/** One process's commits; its cache is not started, so it learns of another's writes only by the conflicts they cause. */
function committer(ownLog: Log = log) {
  const records = createRecordCache({
    log: ownLog,
    logger: createLogger({ name: "accept-batch.spec", level: "error" }),
    nowMs: Date.now,
  });
  const conflicts: string[] = [];
  const commit = createCommitAccepts({
    log: ownLog,
    records,
    nowMs: Date.now,
    responseBody: ({ id }) => ({ id }),
    onConflict: (accountId) => void conflicts.push(accountId),
  });
  return { commit, conflicts };
}

test("only the account that another process wrote is reported as in conflict, not the others of its batch", async () => {
  const accountIds = await Promise.all(Array.from({ length: 10 }, () => openTestAccount(log)));
  const mine = committer();
  const other = committer();
  const commitOf = async ({ commit }: typeof mine, ids: readonly string[]) => {
    const edits = ids.map((id) => editOf(id, true));
    await commit(edits);
    return await Promise.all(edits.map(({ answered }) => answered));
  };
  await commitOf(mine, accountIds);
  await commitOf(other, [accountIds[3]!]);
  expect(await commitOf(mine, accountIds)).toEqual(accountIds.map(() => expect.objectContaining({ kind: "accepted" })));
  expect(mine.conflicts).toEqual([accountIds[3]]);
  const accounts = await Promise.all(accountIds.map((id) => readAccount(log, id)));
  expect(accounts.map(({ running }) => running)).toEqual(accountIds.map((_, i) => (i === 3 ? 3 : 2)));
});

test("an accept refused for lack of credits is not charged when its batch is tried again", async () => {
  const poor = await openTestAccount(log, {}, 0);
  const contested = await openTestAccount(log);
  let granted: Promise<unknown> | undefined;
  const grant = async () => {
    const { value, sequence } = await log.read<Account>(subjects.account(poor));
    const account = { ...value!, credits: { ...value!.credits, remaining: 5 } };
    await log.commit("grant", [{ subject: subjects.account(poor), value: account, expected: sequence }]);
  };
  let isRefused = false;
  // After its refusal the account gets credits, before the next try reads anything.
  const read: Log["read"] = async (subject) => {
    if (isRefused) granted ??= grant();
    await granted;
    return await log.read(subject);
  };
  const mine = committer({ ...log, read });
  const other = committer();
  await mine.commit([editOf(contested, true)]);
  // The cached record of this account is stale now: the next batch meets a conflict.
  await other.commit([editOf(contested, true)]);
  const unpaid = editOf(poor, true);
  const paid = editOf(contested, true);
  unpaid.answered.catch(() => {
    isRefused = true;
  });
  await mine.commit([unpaid, paid]);
  await expect(unpaid.answered).rejects.toMatchObject({ code: "insufficient_credits" });
  expect(await paid.answered).toMatchObject({ kind: "accepted" });
  expect(granted, "the batch was tried again").toBeDefined();
  expect(await readAccount(log, poor)).toMatchObject({ running: 0, credits: { remaining: 5 } });
});

test("an accept's outcome has the sequence of its job, whatever else its batch holds", async () => {
  const accountIds = await Promise.all([1, 2].map(() => openTestAccount(log)));
  const edits = accountIds.flatMap((id) => [editOf(id, true), editOf(id, false)]);
  const shares = accountIds.map((accountId) => ({
    accountId,
    pending: edits.flatMap((edit) => (edit.accountId === accountId ? edit.pending : [])),
  }));
  await committer().commit(shares);
  for (const { answered } of edits) {
    const { job, sequence } = (await answered) as { job: { id: string; accountId: string }; sequence: number };
    expect((await log.read(subjects.job(job.accountId, job.id))).sequence).toBe(sequence);
  }
});

test("an accept that its sender made itself after a timeout does not delay the others of its account", async () => {
  const accountId = await openTestAccount(log);
  const owner = committer();
  const sender = committer();
  const timedOut = editOf(accountId, true);
  const other = editOf(accountId, true);
  const { request } = timedOut.pending[0]!;
  const again = Promise.withResolvers<unknown>();
  const bySender = { request, mayBeCommitted: true, resolve: again.resolve, reject: again.reject };
  await sender.commit([{ accountId, pending: [bySender] }]);
  await owner.commit([{ accountId, pending: [...timedOut.pending, ...other.pending] }]);
  const answers = await Promise.all([again.promise, timedOut.answered, other.answered]);
  expect(answers).toEqual([1, 2, 3].map(() => expect.objectContaining({ kind: "accepted" })));
  expect(answers[0]).toEqual(answers[1]);
  expect(await readAccount(log, accountId)).toMatchObject({ running: 2, usage: { edits: { mask: 2 } } });
});

test("the day's usage counts a live edit and no test edit", async () => {
  const accountId = await openTestAccount(log);
  const { commit } = committer();
  const usage = async () => {
    const { day } = (await log.read<Account>(subjects.account(accountId))).value!.usage;
    return (await log.read<Account["usage"]>(subjects.usage(accountId, day))).value;
  };
  await commit([editOf(accountId, false)]);
  expect(await usage()).toBeUndefined();
  await commit([editOf(accountId, true)]);
  await commit([editOf(accountId, false)]);
  expect(await usage()).toMatchObject({ edits: { mask: 1 }, creditsDebited: 1 });
});
