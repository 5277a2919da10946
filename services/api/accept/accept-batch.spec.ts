import type { Account } from "@packshot/domain/account.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startLog, type TestLog } from "../../../testing/log/test-log.ts";
import { openTestAccount, readAccount } from "../../../testing/log/accepted-jobs.ts";
import { createRecordCache } from "../records/record-cache.ts";
import { type AccountShare, createCommitAccepts } from "./accept-batch.ts";

let log: TestLog;

beforeAll(async () => {
  log = await startLog();
});

afterAll(() => log?.stop());

function editOf(accountId: string, live: boolean): AccountShare & { readonly answered: Promise<unknown> } {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const job = {
    id: uuidv7(),
    accountId,
    tool: "mask",
    live,
    parameters: { seed: 1 },
    metadata: {},
    source: { kind: "url", imageUrl: "https://shop.example/mug.jpg" },
    credits: live ? 1 : 0,
    maxFileSizeBytes: 1_000,
    createdAt: isoTime(Date.now()),
  } as const;
  const entry = { request: { job, idempotency: undefined }, mayBeCommitted: false, resolve, reject };
  return { accountId, pending: [entry], answered: promise };
}

/** One process's commits; its cache is not started, so it knows of another's writes only by the conflicts they cause. */
function committer() {
  const records = createRecordCache({ log, logger: createLogger({ name: "accept-batch.spec", level: "error" }) });
  const conflicts: string[] = [];
  const answerBody = ({ id }: { id: string }) => ({ id });
  const onConflict = (accountId: string) => void conflicts.push(accountId);
  return { commit: createCommitAccepts({ log, records, nowMs: Date.now, answerBody, onConflict }), conflicts };
}

test("of a batch of many accounts only the one that another process wrote is told of as in conflict", async () => {
  const accountIds = await Promise.all(Array.from({ length: 10 }, () => openTestAccount(log)));
  const [mine, other] = [committer(), committer()];
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

test("an accept's answer names the sequence of its job, whatever else its batch holds", async () => {
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

test("an accept that its asker made itself, tired of waiting, holds up no other of its account", async () => {
  const accountId = await openTestAccount(log);
  const [owner, asker] = [committer(), committer()];
  const [tired, patient] = [editOf(accountId, true), editOf(accountId, true)];
  const { request } = tired.pending[0]!;
  const again = Promise.withResolvers<unknown>();
  const byAsker = { request, mayBeCommitted: true, resolve: again.resolve, reject: again.reject };
  await asker.commit([{ accountId, pending: [byAsker] }]);
  await owner.commit([{ accountId, pending: [...tired.pending, ...patient.pending] }]);
  const answers = await Promise.all([again.promise, tired.answered, patient.answered]);
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
