/**
 * A worker's fenced right to a job: claim, finish, give back. Each is one compare-and-set on the job's record; whoever
 * loses it has lost the job.
 */
import { type JobError, PackshotError } from "@packshot/domain/errors.ts";
import { eventWrite, jobEndedEvent } from "@packshot/domain/event.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import {
  claimJob,
  completeJob,
  type EndedJob,
  failJob,
  giveBackJob,
  isEnded,
  type Job,
  type JobResult,
  type ProcessingJob,
} from "@packshot/domain/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Write } from "@packshot/domain/write.ts";
import { LogConflict } from "@packshot/platform/nats/batch.ts";
import type { Decision, Log } from "@packshot/platform/nats/log.ts";
import type { ReadyMessage } from "./ready-queue.ts";

export interface Claim {
  readonly job: ProcessingJob;
  /** Sequence of the job's record: what finish and give-back expect. */
  readonly sequence: number;
}

/** `leave`: another holds the message now; neither ack nor nak. */
export type ClaimOutcome =
  | { readonly kind: "claimed"; readonly claim: Claim }
  | { readonly kind: "drop" }
  | { readonly kind: "leave" };

/** `kept`: my outcome is on the record. `ended`: another's is. `lost`: another attempt runs. */
export type FinishOutcome = "kept" | "ended" | "lost";

export interface Claims {
  claim(message: ReadyMessage): Promise<ClaimOutcome>;
  complete(claim: Claim, result: JobResult): Promise<FinishOutcome>;
  fail(claim: Claim, error: JobError): Promise<FinishOutcome>;
  /** true: the job is `queued` again and its message may be given back. */
  giveBack(claim: Claim): Promise<boolean>;
}

export function createClaims({ log, retentionMs }: { log: Log; retentionMs: number }): Claims {
  async function claim(message: ReadyMessage): Promise<ClaimOutcome> {
    const subject = subjects.job(message.accountId, message.jobId);
    const [attemptId, eventId] = [uuidv7(), uuidv7()];
    let lostOnce = false;
    return await log.transact<ClaimOutcome>("claim", async () => {
      const { value: job, sequence } = await log.read<Job>(subject);
      if (job?.status === "processing" && job.attemptId === attemptId) {
        return { done: { kind: "claimed", claim: { job, sequence } } };
      }
      if (lostOnce) return { done: job === undefined || isEnded(job) ? { kind: "drop" } : { kind: "leave" } };
      const decision = claimJob(job, { attemptId, readySequence: message.sequence, nowMs: Date.now(), retentionMs });
      if (decision.kind === "drop") return { done: { kind: "drop" } };
      if (decision.kind === "failed")
        return { writes: endWrites(decision.job, sequence, eventId), answer: { kind: "drop" } };
      const claimed = decision.job;
      return await decideOnce(
        {
          writes: [{ subject, value: claimed, expected: sequence }],
          answer: (at) => ({ kind: "claimed", claim: { job: claimed, sequence: at } }),
        },
        () => (lostOnce = true),
      );
    });
  }

  /** Commits inside the decision, so that a lost compare-and-set can be told from a lost answer. */
  async function decideOnce(
    decision: Extract<Decision<ClaimOutcome>, { writes: unknown }>,
    onConflict: () => void,
  ): Promise<Decision<ClaimOutcome>> {
    try {
      const { firstSequence } = await log.commit("claim", decision.writes);
      return { done: typeof decision.answer === "function" ? decision.answer(firstSequence) : decision.answer };
    } catch (error) {
      if (error instanceof LogConflict) onConflict();
      throw error;
    }
  }

  async function finish({ job, sequence }: Claim, ended: EndedJob): Promise<FinishOutcome> {
    const subject = subjects.job(job.accountId, job.id);
    const eventId = uuidv7();
    return await log.transact<FinishOutcome>("finish", async (attempt) => {
      if (attempt > 1) {
        const now = await log.read<Job>(subject);
        if (now.sequence !== sequence) return { done: await judge(now.value, ended, eventId) };
      }
      return { writes: endWrites(ended, sequence, eventId), answer: "kept" };
    });
  }

  async function judge(now: Job | undefined, mine: EndedJob, eventId: string): Promise<FinishOutcome> {
    if (now === undefined) return "ended";
    if (!isEnded(now)) return "lost";
    if (now.status !== mine.status || now.finishedAt !== mine.finishedAt) return "ended";
    const event = await log.read<{ eventId: string }>(subjects.event(mine.accountId, mine.id, mine.status));
    return event.value === undefined || event.value.eventId === eventId ? "kept" : "ended";
  }

  return {
    claim,
    complete: (held, result) =>
      finish(held, completeJob(held.job, result, result.model, { nowMs: Date.now(), retentionMs })),
    fail: (held, error) => finish(held, failJob(held.job, error, { nowMs: Date.now(), retentionMs })),

    async giveBack({ job, sequence }) {
      const subject = subjects.job(job.accountId, job.id);
      return await log.transact<boolean>("give-back", async (attempt) => {
        if (attempt > 1) {
          const now = await log.read<Job>(subject);
          if (now.sequence !== sequence) return { done: now.value?.status === "queued" };
        }
        return { writes: [{ subject, value: giveBackJob(job), expected: sequence }], answer: true };
      });
    },
  };

  function endWrites(ended: EndedJob, expected: number, eventId: string): Write[] {
    return [
      {
        subject: subjects.job(ended.accountId, ended.id),
        value: ended,
        expected,
        ttlSeconds: Math.ceil(retentionMs / 1000),
      },
      eventWrite(jobEndedEvent(ended, eventId)),
    ];
  }
}

/** The model server refuses or is away: nobody's fault, so the job goes back without counting an attempt. */
export function isWorthGivingBack(error: unknown): boolean {
  return error instanceof PackshotError && error.code === "model_unavailable" && error.details?.refused === true;
}
