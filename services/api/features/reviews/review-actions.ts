/**
 * Approves and rejects. The account, its ledger, the job or the record of its row, and the event are one atomic batch, so a
 * cut-out is refunded once, whoever is killed and however often a client asks. A rejected result is removed before that: a
 * process that dies in between leaves a job without files, which the repeated request rejects.
 */

import type { LedgerEntry } from "@packshot/domain/accounts/ledger.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { endedJobWrite } from "@packshot/domain/jobs/ended-job-write.ts";
import type { JobReview, Verdict } from "@packshot/domain/jobs/job.ts";
import { decideReview, type ReviewDecision, reviewRecordWrite } from "@packshot/domain/jobs/review.ts";
import { eventWrite, jobReviewedEvent } from "@packshot/domain/webhooks/event.ts";
import type { Write } from "@packshot/domain/write.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { traceField } from "@packshot/platform/telemetry/tracing.ts";
import { type AccountDeps, assertNotErased, commitAccount, readAccount } from "../../records/commit-account.ts";
import type { JobRef } from "../jobs/job-actions.ts";
import { batchCopiesOf } from "../jobs/remove-files.ts";
import { type BatchPlace, type FindCutOutDeps, type FoundCutOut, findCutOut, keptRowReader } from "./find-cut-out.ts";

export interface ReviewJobDeps extends AccountDeps, FindCutOutDeps {
  readonly storage: Pick<Storage, "deletePrefix">;
  readonly onRefunds?: (entries: readonly LedgerEntry[]) => void;
  /** Told of each change of a job committed here, so that this process's list of jobs waits for it. */
  readonly onCommit: (accountId: string, sequence: number) => void;
}

export interface ReviewInput {
  readonly ref: JobRef;
  readonly verdict: Verdict;
  /** Where the result is once the job has expired. */
  readonly place?: BatchPlace | undefined;
}

/** The same verdict again changes nothing. Throws `not_found` and `not_reviewable`. */
export async function reviewJob(deps: ReviewJobDeps, { ref, verdict, place }: ReviewInput): Promise<ReviewedOutcome> {
  const { accountId } = ref.realm;
  const eventId = uuidv7(deps.nowMs());
  const keptRow = keptRowReader(deps, ref, place);
  const before = await findCutOut(deps, ref, keptRow);
  if (verdict === "rejected") await removeResult(deps, before);
  const outcome = await commitAccount<ReviewedOutcome>(deps, { transition: "review", accountId }, async (account) => {
    assertNotErased(account);
    const found = await findCutOut(deps, ref, keptRow);
    const nowMs = deps.nowMs();
    const decision = decideReview(account, found.cutOut, { verdict, nowMs });
    if (decision === undefined) return { done: { found, review: found.cutOut.review! } };
    const { entries, review } = decision;
    const writes = reviewWrites(found, decision, { eventId, nowMs });
    const onCommit = (sequenceOf: (writeIndex: number) => number) => {
      deps.onRefunds?.(entries);
      if (found.job !== undefined) deps.onCommit(accountId, sequenceOf(0));
    };
    return { account: decision.account, entries, writes, onCommit, result: { found, review } };
  });
  failpoint("review:before-ack");
  return outcome;
}

export interface ReviewedOutcome {
  readonly found: FoundCutOut;
  readonly review: JobReview;
}

/** Decides first, so that what may not be rejected keeps its result. */
async function removeResult(deps: ReviewJobDeps, { cutOut, job }: FoundCutOut): Promise<void> {
  const { accountId, batch } = cutOut;
  const account = await readAccount(deps, accountId);
  if (decideReview(account, cutOut, { verdict: "rejected", nowMs: deps.nowMs() }) === undefined) return;
  if (job !== undefined) {
    const { result, results = [], layers = [], thumbnail, shadow, proof } = job.value;
    const files = [result, ...results, ...layers, thumbnail, shadow, proof?.photo, proof?.matte];
    const keys = new Set(files.flatMap((file) => (file === undefined ? [] : [file.key])));
    for (const key of keys) await deps.storage.deletePrefix(key);
  }
  failpoint("review:before-batch-file");
  if (batch === undefined) return;
  const copies = job === undefined ? (cutOut.keptKeys ?? []) : batchCopiesOf(job.value, batch);
  for (const key of copies) await deps.storage.deletePrefix(key);
}

/** The job's record is the first. */
function reviewWrites(
  { cutOut, job, record }: FoundCutOut,
  { review }: ReviewDecision,
  { eventId, nowMs }: { readonly eventId: string; readonly nowMs: number },
): Write[] {
  const writes: Write[] = [];
  if (job !== undefined) writes.push(endedJobWrite({ ...job.value, review }, { expected: job.sequence, nowMs }));
  if (record !== undefined) {
    writes.push(reviewRecordWrite(cutOut, { ...record.value, v: 1, review }, record.sequence));
  }
  writes.push(eventWrite(jobReviewedEvent(cutOut, review, { eventId, ...traceField() })));
  return writes;
}
