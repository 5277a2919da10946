/** The worker's loop: a free slot takes a message, claims its job, runs it, records the outcome and only then acks. */
import type { NatsConnection, Subscription } from "@nats-io/transport-node";
import { type JobError, toJobError } from "@packshot/domain/errors.ts";
import type { JobResult } from "@packshot/domain/job.ts";
import { storageKeys } from "@packshot/domain/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { type Claim, type Claims, type FinishOutcome, shouldRequeue } from "./claims.ts";
import { createWorkerSlots, type ReleaseWhile } from "./worker-slots.ts";
import type { ReadyMessage, ReadyQueue } from "./ready-queue.ts";
import type { JobRunner } from "./job-runner.ts";
import { StaysQueued } from "./sandbox-runner.ts";
import type { JobOutcome, WorkerMetrics } from "./worker-metrics.ts";

export interface ReadyConsumerDeps {
  readonly connection: NatsConnection;
  readonly queue: ReadyQueue;
  readonly claims: Claims;
  readonly runner: JobRunner;
  readonly storage: Storage;
  readonly slots: number;
  /** How long running edits may continue after SIGTERM; then their jobs are requeued. */
  readonly drainTimeoutMs: number;
  /** Resolves at once while the model server is ready. Nothing is pulled before it resolves. */
  readonly waitForModelServer: (signal: AbortSignal) => Promise<void>;
  readonly metrics: WorkerMetrics;
  readonly logger: Logger;
}

/** A third of the queue's ack wait. */
const workingEveryMs = 10_000;
const requeueDelayMs = 1_000;

const abortReasons = { cancelled: "cancelled", stopping: "stopping", deadline: "deadline" } as const;

const deadlineExceeded: JobError = {
  code: "deadline_exceeded",
  message: "The edit did not finish in 5 minutes.",
  retryable: true,
};

interface JobEnd {
  readonly outcome: JobOutcome;
  readonly errorCode?: string;
}

export function createReadyConsumer(deps: ReadyConsumerDeps): Component {
  const { connection, queue, claims, runner, metrics, logger } = deps;
  const stopPulling = new AbortController();
  const running = new Map<string, AbortController>();
  const inFlight = new Set<Promise<void>>();
  let onFreeSlot = () => {};
  const slots = createWorkerSlots(deps.slots, () => onFreeSlot());
  let pulling: Promise<void> | undefined;
  let aborts: Subscription | undefined;

  async function pullLoop(): Promise<void> {
    const { signal } = stopPulling;
    while (!signal.aborted) {
      // Not a race against the stop signal: each race would leave a reaction on a promise that lives as long as the
      // process.
      if (!slots.hasFreeSlot) await new Promise<void>((resolve) => (onFreeSlot = resolve));
      await deps.waitForModelServer(signal).catch(() => {});
      const message = signal.aborted ? undefined : await queue.next(signal);
      if (message === undefined) continue;
      const slot = slots.acquire();
      const handling: Promise<void> = handle(message, slot.releaseWhile)
        .catch((error: unknown) => logger.error({ err: error, jobId: message.jobId }, "left for redelivery"))
        .finally(() => {
          inFlight.delete(handling);
          slot.release();
        });
      inFlight.add(handling);
    }
  }

  async function handle(message: ReadyMessage, releaseWhile: ReleaseWhile): Promise<void> {
    const heartbeat = setInterval(() => message.working(), workingEveryMs);
    try {
      const outcome = await claims.claim(message);
      if (outcome.kind === "claimed") await runClaimed(message, outcome.claim, releaseWhile);
      else if (outcome.kind === "drop") {
        failpoint("claim:before-ack");
        await message.ack();
      }
    } finally {
      clearInterval(heartbeat);
    }
  }

  async function runClaimed(message: ReadyMessage, claim: Claim, releaseWhile: ReleaseWhile): Promise<void> {
    const { job } = claim;
    const abort = new AbortController();
    const deadline = setTimeout(() => abort.abort(abortReasons.deadline), Date.parse(job.deadlineAt) - Date.now());
    running.set(job.id, abort);
    metrics.started(job);
    let end: JobEnd = { outcome: "left" };
    try {
      end = await runAndFinish(message, claim, abort.signal, releaseWhile);
    } finally {
      clearTimeout(deadline);
      running.delete(job.id);
      metrics.ended(job, end.outcome, end.errorCode);
    }
  }

  async function runAndFinish(
    message: ReadyMessage,
    claim: Claim,
    signal: AbortSignal,
    releaseWhile: ReleaseWhile,
  ): Promise<JobEnd> {
    const { job } = claim;
    const onStage = (stage: string) => connection.publish(subjects.progress(job.id), JSON.stringify({ stage }));
    let result: JobResult;
    try {
      result = await runner.run(job, signal, onStage, releaseWhile);
    } catch (error) {
      return await finishWithError(message, claim, error, signal);
    }
    // A failing log is no failure of the edit: the job may be recorded as completed, and these may be its files.
    await ackFinished(message, claim, await claims.complete(claim, result));
    return { outcome: "completed" };
  }

  async function finishWithError(
    message: ReadyMessage,
    claim: Claim,
    error: unknown,
    signal: AbortSignal,
  ): Promise<JobEnd> {
    const { job } = claim;
    if (signal.reason === abortReasons.stopping || shouldRequeue(error)) {
      await deleteAttemptFiles(claim);
      if (await claims.requeue(claim)) {
        failpoint("give-back:before-ack");
        message.nak(requeueDelayMs);
      }
      return { outcome: "given_back" };
    }
    if (error instanceof StaysQueued) {
      if (await claims.requeue(claim)) await message.ack();
      return { outcome: "given_back" };
    }
    if (signal.reason === abortReasons.cancelled) {
      // The record says cancelled or is deleted already, so there is no outcome to write.
      await ackFinished(message, claim, "superseded");
      return { outcome: "cancelled" };
    }
    const jobError = signal.reason === abortReasons.deadline ? deadlineExceeded : toJobError(error);
    if (jobError.code === "internal_error") logger.error({ err: error, jobId: job.id }, "edit failed");
    await deleteAttemptFiles(claim);
    await ackFinished(message, claim, await claims.fail(claim, jobError));
    return { outcome: "failed", errorCode: jobError.code };
  }

  /** Acks unless another attempt holds the message. Only an attempt that has lost deletes files, and only its own. */
  async function ackFinished(message: ReadyMessage, claim: Claim, outcome: FinishOutcome): Promise<void> {
    if (outcome !== "recorded") await deleteAttemptFiles(claim);
    if (outcome === "lost") return;
    failpoint("finish:before-ack");
    await message.ack();
  }

  async function deleteAttemptFiles({ job }: Claim): Promise<void> {
    await deps.storage
      .deletePrefix(storageKeys.attempt(job.accountId, job.id, job.attemptId))
      .catch((error: unknown) => {
        logger.warn({ err: error, jobId: job.id }, "the attempt's files stay for the janitor");
      });
  }

  return {
    name: "ready-consumer",

    async start() {
      aborts = connection.subscribe(subjects.abort("*"), {
        callback: (_error, message) => running.get(message.subject.split(".")[1]!)?.abort(abortReasons.cancelled),
      });
      pulling = pullLoop();
    },

    async stop() {
      stopPulling.abort();
      onFreeSlot();
      queue.stop();
      await pulling;
      const abortRunning = setTimeout(() => {
        for (const abort of running.values()) abort.abort(abortReasons.stopping);
      }, deps.drainTimeoutMs);
      await Promise.allSettled(inFlight);
      clearTimeout(abortRunning);
      aborts?.unsubscribe();
    },
  };
}
