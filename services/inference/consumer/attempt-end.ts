/** Ends an attempt: records what became of the job, and then acks the message or returns it to the queue. */
import type { RequeueReason } from "@packshot/domain/edits/engine.ts";
import { type JobError, toJobError } from "@packshot/domain/errors.ts";
import type { JobResult } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { jitteredBackoffMs } from "@packshot/platform/flow/pause.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { toInfrastructureFault } from "@packshot/service/infrastructure-fault.ts";
import { EditThreadLost } from "../edits/threads/run-on-thread.ts";
import { LinksUnavailable } from "./bucket-links.ts";
import { type Claim, type Claims, type FinishOutcome, shouldRequeue } from "./claims.ts";
import { InspectorBusy } from "./job-runner.ts";
import { MemoryWaitTimeout } from "./memory-budget.ts";
import { ImageModelMissing, OtherWorkerNeeded } from "./other-worker.ts";
import type { ReadyMessage } from "./ready-queue.ts";
import { StaysQueued } from "./sandbox-runner.ts";
import type { JobOutcome } from "./worker-metrics.ts";
import type { WorkerPause } from "./worker-pause.ts";

/** Why the signal of a running job aborts. */
export const abortReasons = { cancelled: "cancelled", stopping: "stopping", deadline: "deadline" } as const;

export const requeueDelayMs = 1_000;

/**
 * Each try costs the log a claim and a requeue, and no worker may have the pipeline any more. Among many workers of another
 * release it takes some tries to come to the right one, so the first dozen follow soon.
 */
const otherPipelineDelay = { firstMs: 5_000, maxMs: 60_000, triesPerStep: 12 } as const;

/** Servers of image models take minutes to load them, and each try costs the log a claim and a requeue. */
const paintersBackoff = { firstMs: 1_000, maxMs: 10_000 } as const;

const deadlineExceeded: JobError = {
  code: "deadline_exceeded",
  message: "The edit did not finish in 5 minutes.",
  retryable: true,
};

export interface AttemptEnd {
  readonly outcome: JobOutcome;
  readonly errorCode?: string;
  /** Milliseconds by stage, of a completed job. */
  readonly timings?: Readonly<Record<string, number>>;
}

export interface AttemptEnds {
  completed(message: ReadyMessage, claim: Claim, result: JobResult): Promise<AttemptEnd>;
  /** `signal` is the job's, and its reason counts before `error`. */
  failed(message: ReadyMessage, claim: Claim, error: unknown, signal: AbortSignal): Promise<AttemptEnd>;
}

export interface AttemptEndDeps {
  readonly claims: Claims;
  readonly pause: WorkerPause;
  readonly storage: Storage;
  /** Aborts when outcomes that the log does not take are recorded no more. */
  readonly giveUp: AbortSignal;
  readonly logger: Logger;
}

export function createAttemptEnds({ claims, pause, storage, giveUp, logger }: AttemptEndDeps): AttemptEnds {
  async function completed(message: ReadyMessage, claim: Claim, result: JobResult): Promise<AttemptEnd> {
    await ackFinished(message, claim, await claims.complete(claim, result, giveUp));
    pause.recordSuccess();
    return { outcome: "completed", timings: result.timings };
  }

  async function failed(message: ReadyMessage, claim: Claim, error: unknown, signal: AbortSignal): Promise<AttemptEnd> {
    const { job } = claim;
    const isOurs =
      shouldRequeue(error) ||
      [MemoryWaitTimeout, InspectorBusy, LinksUnavailable].some((waited) => error instanceof waited);
    // A worker that stops pulls nothing any more, so the job can only go to another one, which may take it at once.
    if (signal.reason === abortReasons.stopping) return await requeue(message, claim, { delayMs: 0 });
    if (isOurs) return await requeue(message, claim);
    if (error instanceof ImageModelMissing) {
      const delayMs = error.isSoonBack
        ? jitteredBackoffMs(message.deliveries, paintersBackoff)
        : otherPipelineDelayMs(message);
      return await requeue(message, claim, { delayMs, unpaintedAtMs: Date.now() });
    }
    if (error instanceof OtherWorkerNeeded)
      return await requeue(message, claim, { delayMs: otherPipelineDelayMs(message), isForOtherWorker: true });
    if (error instanceof StaysQueued) {
      if (await claims.requeue(claim, giveUp)) await message.ack();
      return { outcome: "given_back" };
    }
    if (signal.reason === abortReasons.cancelled) {
      // The record says cancelled or is deleted already, so there is no outcome to write.
      await ackFinished(message, claim, "superseded");
      return { outcome: "cancelled" };
    }
    if (signal.reason === undefined && error instanceof EditThreadLost) return await leaveForRetry(message, claim);
    const fault = signal.reason === undefined ? toInfrastructureFault(error) : undefined;
    if (fault !== undefined) {
      logger.warn({ err: error, jobId: job.id }, "an attempt ends with a fault of the machine");
      const isBlameless = await pause.report(fault, error);
      return isBlameless ? await requeue(message, claim) : await leaveForRetry(message, claim);
    }
    const jobError = signal.reason === abortReasons.deadline ? deadlineExceeded : toJobError(error);
    if (jobError.code === "internal_error") logger.error({ err: error, jobId: job.id }, "edit failed");
    await deleteAttemptFiles(claim);
    await ackFinished(message, claim, await claims.fail(claim, jobError, giveUp));
    return { outcome: "failed", errorCode: jobError.code };
  }

  /** The job is `queued` again, and the attempt does not count. */
  async function requeue(
    message: ReadyMessage,
    claim: Claim,
    { delayMs = requeueDelayMs, ...reason }: RequeueReason & { readonly delayMs?: number } = {},
  ): Promise<AttemptEnd> {
    await deleteAttemptFiles(claim);
    if (await claims.requeue(claim, giveUp, reason)) {
      failpoint("give-back:before-ack");
      message.nak(delayMs);
    }
    return { outcome: "given_back" };
  }

  /**
   * The job may be the reason why its attempt was lost, so the attempt counts: the record stays as it is, and the next
   * claim finds its holder lost.
   */
  async function leaveForRetry(message: ReadyMessage, claim: Claim): Promise<AttemptEnd> {
    await deleteAttemptFiles(claim);
    message.nak(requeueDelayMs);
    return { outcome: "lost" };
  }

  /** Acks unless another attempt holds the message. Only an attempt that has lost deletes files, and only its own. */
  async function ackFinished(message: ReadyMessage, claim: Claim, outcome: FinishOutcome): Promise<void> {
    if (outcome !== "recorded") await deleteAttemptFiles(claim);
    if (outcome === "lost") return;
    failpoint("finish:before-ack");
    await message.ack();
  }

  async function deleteAttemptFiles({ job }: Claim): Promise<void> {
    await storage.deletePrefix(storageKeys.attempt(job.accountId, job.id, job.attemptId)).catch((error: unknown) => {
      logger.warn({ err: error, jobId: job.id }, "the attempt's files stay for the janitor");
    });
  }

  return { completed, failed };
}

function otherPipelineDelayMs({ deliveries }: ReadyMessage): number {
  const { firstMs, maxMs, triesPerStep } = otherPipelineDelay;
  return Math.min(maxMs, firstMs * (1 + Math.floor(deliveries / triesPerStep)));
}
