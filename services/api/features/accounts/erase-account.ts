/**
 * Removes an account with all that it has. Every step can be repeated, and the record of the erasure is removed with the
 * account's, last: whoever dies in between leaves what the next pass does again.
 *
 * What stays, and for how long, is in docs/adr/0027-account-erasure.md: copies of events and attempts of deliveries for their 72
 * hours, and the ledger.
 */
import type { Account, Erasure } from "@packshot/domain/accounts/account.ts";
import type { ApiKey } from "@packshot/domain/accounts/api-key.ts";
import { createLedgerEntry, ledgerWrite } from "@packshot/domain/accounts/ledger.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isoTime } from "@packshot/domain/ids.ts";
import type { Job } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects, subjectTokens, ttlSeconds } from "@packshot/domain/subjects.ts";
import type { Webhook } from "@packshot/domain/webhooks/webhook.ts";
import type { Write } from "@packshot/domain/write.ts";
import { listRecordSubjects } from "@packshot/log/follow/list-subjects.ts";
import { createLimiter } from "@packshot/platform/flow/limiter.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { listIndexed } from "../../records/account-index.ts";
import { type AccountDeps, commitAccount, readRecords } from "../../records/commit-account.ts";
import type { EndJobDeps } from "../jobs/job-actions.ts";
import { deleteJob } from "../jobs/job-actions.ts";
import { deleteWebhook } from "../webhooks/webhook-actions.ts";
import { revokeApiKey } from "./api-key-actions.ts";

export interface EraseDeps extends AccountDeps, EndJobDeps {
  readonly storage: Pick<Storage, "deletePrefix">;
}

const deletionsAtOnceMax = 16;
const recordsPerBatchMax = 200;
/** Settling ended jobs takes the keeper milliseconds. Past this, an account whose count is wrong is removed nevertheless. */
const settleTimeoutMs = 3600 * 1000;
/** The outbox: others read these records, which expire within the hour. */
const outboxKinds: readonly string[] = ["event", "ledger"];

/** From now on every process refuses the account's requests; the rest is done by passes. Throws `not_found`. */
export async function requestErasure(deps: AccountDeps, accountId: string): Promise<Erasure> {
  const erasure: Erasure = { v: 1, accountId, requestedAt: isoTime(deps.nowMs()) };
  const subject = subjects.erasure(accountId);
  return await commitAccount<Erasure>(deps, { transition: "request-erasure", accountId }, async (account) => {
    const { value: requested, sequence } = await deps.log.read<Erasure>(subject);
    if (requested !== undefined) return { done: requested };
    return {
      account: { ...account, apiEnabled: false, erasure },
      writes: [{ subject, value: erasure, expected: sequence }],
      result: erasure,
    };
  });
}

/** One pass. False: jobs that were ended have not been settled yet, so another pass is needed. */
export async function eraseAccount(deps: EraseDeps, { accountId, requestedAt }: Erasure): Promise<boolean> {
  const { log, storage, nowMs } = deps;
  const { value: account } = await log.read<Account>(subjects.account(accountId));
  if (account !== undefined) {
    await closeIndexes(deps, accountId);
    await removeKeys(deps, accountId);
    await removeWebhooks(deps, accountId);
    await removeJobs(deps, accountId);
    const isSettled = await hasNoJobs(deps, accountId);
    if (!isSettled && nowMs() - Date.parse(requestedAt) < settleTimeoutMs) return false;
  }
  for (const prefix of [storageKeys.account(accountId), storageKeys.batches(accountId)])
    await storage.deletePrefix(prefix);
  await removeRecords(deps, accountId);
  await removeAccount(deps, accountId);
  return true;
}

/**
 * Uploads and batches are made without a write of the account's record. A tombstone in the place of their index, also where there
 * was none, makes each commit that was decided before it fail: what is listed from here on is all that there is.
 */
async function closeIndexes({ log }: EraseDeps, accountId: string): Promise<void> {
  for (const kind of ["uploads", "batches"] as const) {
    const subject = subjects.index(accountId, kind);
    await log.transact<void>("close-index", async () => {
      const { value, sequence } = await log.read<object>(subject);
      if (value === undefined && sequence > 0) return { done: undefined };
      const tombstone = { subject, value: null, expected: sequence, ttlSeconds: ttlSeconds.followedTombstone };
      return { writes: [tombstone], result: undefined };
    });
  }
}

/** Their records by hash are found through them only. */
async function removeKeys(deps: EraseDeps, accountId: string): Promise<void> {
  for (const { value: key } of await listIndexed<ApiKey>(deps, accountId, "keys"))
    await unlessGone(revokeApiKey(deps, { accountId, keyId: key.id }));
}

/** Each with the change record that views of webhooks follow. */
async function removeWebhooks(deps: EraseDeps, accountId: string): Promise<void> {
  for (const { value: webhook } of await listIndexed<Webhook>(deps, accountId, "webhooks"))
    await unlessGone(deleteWebhook(deps, { realm: { accountId, live: webhook.live }, webhookId: webhook.id }));
}

/** Each with the events that abort it, settle it and remove its files. */
async function removeJobs(deps: EraseDeps, accountId: string): Promise<void> {
  const limit = createLimiter(deletionsAtOnceMax);
  const removals: Promise<void>[] = [];
  for await (const subject of listRecordSubjects(deps.log, subjects.job(accountId, "*"))) {
    const remove = async () => {
      const { value: job } = await deps.log.read<Job>(subject);
      if (job === undefined) return;
      const ref = { realm: { accountId, live: job.live }, jobId: job.id };
      await unlessGone(deleteJob(deps, ref, { evenDelivering: true }));
    };
    removals.push(limit(remove));
  }
  await Promise.all(removals);
}

async function hasNoJobs({ log }: EraseDeps, accountId: string): Promise<boolean> {
  const { value: account } = await log.read<Account>(subjects.account(accountId));
  if (account === undefined) return true;
  const { running, waiting, sandboxJobs } = account;
  return running + waiting + sandboxJobs.running + sandboxJobs.waiting === 0;
}

/** All that is left under the account's name, of whatever kind: also what a later version keeps. */
async function removeRecords({ log }: EraseDeps, accountId: string): Promise<void> {
  const all = await Array.fromAsync(listRecordSubjects(log, subjects.ofAccount(accountId)));
  const names = all.filter((name) => !outboxKinds.includes(subjectTokens(name).kind));
  for (let from = 0; from < names.length; from += recordsPerBatchMax) {
    const records = await readRecords<object>(log, names.slice(from, from + recordsPerBatchMax));
    const tombstones = records.map(
      ({ subject, sequence }): Write => ({
        subject,
        value: null,
        expected: sequence,
        ttlSeconds: ttlSeconds.followedTombstone,
      }),
    );
    if (tombstones.length > 0) await log.commit("erase", tombstones);
  }
}

/** What is left of its credits expires, so that the ledger's entries of the account add up to nothing. */
async function removeAccount({ log, nowMs }: EraseDeps, accountId: string): Promise<void> {
  await log.transact<void>("erase-account", async () => {
    const subject = subjects.account(accountId);
    const { value: account, sequence } = await log.read<Account>(subject);
    const erasure = await log.read<Erasure>(subjects.erasure(accountId));
    const end = { value: null, ttlSeconds: ttlSeconds.followedTombstone };
    const ofErasure: Write[] =
      erasure.value === undefined ? [] : [{ subject: erasure.subject, expected: erasure.sequence, ...end }];
    if (account === undefined) {
      return ofErasure.length === 0 ? { done: undefined } : { writes: ofErasure, result: undefined };
    }
    const { remaining } = account.credits;
    const emptied: Account = { ...account, credits: { ...account.credits, remaining: 0 } };
    const expired = createLedgerEntry(emptied, "expire", -remaining, nowMs(), { note: "account erased" });
    return {
      writes: [
        { subject, expected: sequence, ...end },
        ...(remaining === 0 ? [] : [ledgerWrite(expired)]),
        ...ofErasure,
      ],
      result: undefined,
    };
  });
}

async function unlessGone(removal: Promise<unknown>): Promise<void> {
  await removal.catch((error: unknown) => {
    if (!(error instanceof PackshotError && error.code === "not_found")) throw error;
  });
}
