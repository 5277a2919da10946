/** The review of cut-outs: approve and reject completed jobs, and the doubtful rows of a batch. */

import type { Verdict } from "@packshot/domain/jobs/job.ts";
import { batchOfJob } from "@packshot/domain/webhooks/envelope.ts";
import { realmOf } from "../../access/caller.ts";
import type { Core, Feature } from "../../core/core.ts";
import type { Call, Handlers, Schemas } from "../../http/call.ts";
import { readBatch } from "../batches/batch-actions.ts";
import type { Batches } from "../batches/batches.ts";
import { createReportLines } from "../batches/report/report-line.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { createListReview, type ListReview } from "./list-review.ts";
import { type ReviewedOutcome, type ReviewJobDeps, reviewJob } from "./review-actions.ts";

type ReviewBody = Schemas["ReviewedJob"];

interface ReviewFields {
  readonly batch?: { readonly id: string; readonly row: number };
}

interface ReviewHandlerDeps extends ReviewJobDeps {
  readonly listReview: ListReview;
}

export function createReviews(core: Core, { onCommit }: Jobs, { segments, outcomes }: Batches): Feature {
  const { storage, nowMs, countCredits: onRefunds } = core;
  const deps = { ...core, segments, outcomes, onCommit, onRefunds };
  const listReview = createListReview({ ...deps, createLines: createReportLines(storage, nowMs) });
  return { handlers: reviewHandlers({ ...deps, listReview }) };
}

function reviewHandlers(deps: ReviewHandlerDeps): Handlers {
  const review = (verdict: Verdict) => async (call: Call) => {
    const ref = { realm: realmOf(call.caller), jobId: call.path.id! };
    const { batch: place } = call.body as ReviewFields;
    return { status: 200, body: reviewBody(await reviewJob(deps, { ref, verdict, place })) };
  };

  return {
    approveJob: review("approved"),
    rejectJob: review("rejected"),

    async listBatchReview({ caller, path, query }) {
      const batch = await readBatch(deps, { realm: realmOf(caller), batchId: path.id! });
      const { items, nextRow } = await deps.listReview(batch, {
        firstRow: Number(query.cursor ?? 0),
        limit: query.limit as number,
        reviewed: query.reviewed as boolean,
      });
      const body = nextRow === undefined ? { data: items } : { data: items, nextCursor: String(nextRow) };
      return { status: 200, body };
    },
  };
}

function reviewBody({ found: { cutOut }, review }: ReviewedOutcome): ReviewBody {
  return {
    id: cutOut.jobId,
    tool: cutOut.tool,
    review,
    creditsCharged: cutOut.credits - review.creditsRefunded,
    expiresAt: cutOut.expiresAt,
    batch: cutOut.batch && batchOfJob(cutOut.batch),
  };
}
