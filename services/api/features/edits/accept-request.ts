/** The request and the outcome of an accept: plain data, because another process may accept for this one. */
import { randomInt } from "node:crypto";
import { pricesOf } from "@packshot/domain/accounts/plan.ts";
import { creditsOf, type Prices } from "@packshot/domain/edits/price.ts";
import { type EditParameters, seedMax } from "@packshot/domain/edits/tools.ts";
import type { IdempotencyRecord, QueuedJob } from "@packshot/domain/jobs/job.ts";
import type { TraceSpan } from "@packshot/platform/telemetry/tracing.ts";
import type { IdempotencyKey } from "../../http/idempotency.ts";

/** A job before its account has accepted it. */
export interface NewJob
  extends Omit<
    QueuedJob,
    "creditsCharged" | "period" | "sourceBytes" | "lane" | "status" | "attempts" | "startedAt" | "v"
  > {
  readonly credits: number;
}

/** What an edit or a row says of its job. */
export interface JobDraft extends Omit<NewJob, "credits" | "parameters"> {
  readonly parameters: EditParameters;
}

/** A job of a test key is free. A job without a seed gets a random one. `limits`: of its account. */
export function newJob(draft: JobDraft, limits: Partial<Prices>): NewJob {
  const { parameters, tool, live } = draft;
  const prices = pricesOf(limits);
  return {
    ...draft,
    parameters: { ...parameters, seed: parameters.seed ?? randomInt(seedMax + 1) },
    ...(parameters.outputs === undefined ? {} : { creditsPerFurtherOutput: prices.creditsPerFurtherOutput }),
    ...(parameters.engine === "generative" && { creditsPerGeneratedScene: prices.creditsPerGeneratedScene }),
    credits: live ? creditsOf(tool, parameters, prices) : 0,
  };
}

export interface AcceptRequest {
  readonly job: NewJob;
  readonly idempotency: IdempotencyKey | undefined;
  /** Only for a job that is run again with another mask: it is free, if this one's free repeat is left. */
  readonly freeRepeatOf?: string;
  /** Only for a row: how many others of its batch have not ended. They count for its lane as if all were jobs already. */
  readonly rowsLeft?: number;
}

export type AcceptOutcome =
  | { readonly kind: "accepted"; readonly job: QueuedJob; readonly sequence: number }
  /** An earlier request had the same Idempotency-Key. */
  | { readonly kind: "replayed"; readonly record: IdempotencyRecord };

/** Throws `insufficient_credits`, `queue_full`, `tool_not_available`, `api_disabled`, `unavailable`. */
export type Accept = (
  accountId: string,
  request: AcceptRequest,
  /** `mayBeCommitted`: another process may have accepted this request already. */
  options?: { readonly mayBeCommitted: boolean },
) => Promise<AcceptOutcome>;

/** A request that waits for its outcome. */
export interface PendingAccept {
  readonly request: AcceptRequest;
  readonly mayBeCommitted: boolean;
  /** The span that waits for the outcome, and the one of its time in the queue. */
  readonly spans?: { readonly accept: TraceSpan; readonly queue: TraceSpan };
  resolve(outcome: AcceptOutcome): void;
  reject(error: unknown): void;
}

/** The requests of one account that go into a batch. The caller holds the account's mutex. */
export interface AccountShare {
  readonly accountId: string;
  readonly pending: readonly PendingAccept[];
}
