/** The worker's loop: a free slot takes a message, claims its job, runs it, settles it, and only then acks. */
import type { NatsConnection, Subscription } from "@nats-io/transport-node";
import { jobErrorOf } from "@packshot/domain/errors.ts";
import type { JobResult } from "@packshot/domain/job.ts";
import { files, subjects } from "@packshot/domain/subjects.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Component } from "@packshot/platform/lifecycle/run.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { type Claim, type Claims, type FinishOutcome, isWorthGivingBack } from "./claim.ts";
import { createPlaces, type Lend } from "./places.ts";
import type { ReadyMessage, ReadyQueue } from "./ready-queue.ts";
import type { JobRunner } from "./run-job.ts";
import { StayQueued } from "./test-job.ts";
import type { JobOutcome, WorkerMetrics } from "./worker-metrics.ts";

export interface ReadyConsumerParts {
  readonly connection: NatsConnection;
  readonly queue: ReadyQueue;
  readonly claims: Claims;
  readonly runner: JobRunner;
  readonly storage: Storage;
  readonly slots: number;
  /** What SIGTERM leaves a running edit before it is given back. */
  readonly drainMs: number;
  /** Resolves at once while the model server is ready: without it nothing is pulled. */
  readonly modelsReady: (signal: AbortSignal) => Promise<void>;
  readonly metrics: WorkerMetrics;
  readonly logger: Logger;
}

/** A third of the queue's ack wait. */
const workingEveryMs = 10_000;
const giveBackDelayMs = 1_000;

const aborted = { cancelled: "cancelled", stopping: "stopping", deadline: "deadline" } as const;

interface Ending {
  readonly outcome: JobOutcome;
  readonly errorCode?: string;
}

export function createReadyConsumer(parts: ReadyConsumerParts): Component {
  const { connection, queue, claims, runner, metrics, logger } = parts;
  const stopPulling = new AbortController();
  const running = new Map<string, AbortController>();
  const inHand = new Set<Promise<void>>();
  let tellRoom = () => {};
  const places = createPlaces(parts.slots, () => tellRoom());
  let loop: Promise<void> | undefined;
  let aborts: Subscription | undefined;

  async function pullForEver(): Promise<void> {
    const { signal } = stopPulling;
    while (!signal.aborted) {
      // Not a race against the stop: each would leave something behind on a promise that lasts as long as the process.
      if (!places.isFree) await new Promise<void>((resolve) => (tellRoom = resolve));
      await parts.modelsReady(signal).catch(() => {});
      const message = signal.aborted ? undefined : await queue.next(signal);
      if (message === undefined) continue;
      const place = places.take();
      const handling: Promise<void> = handle(message, place.lend)
        .catch((error: unknown) => logger.error({ err: error, jobId: message.jobId }, "left for redelivery"))
        .finally(() => {
          inHand.delete(handling);
          place.leave();
        });
      inHand.add(handling);
    }
  }

  async function handle(message: ReadyMessage, lend: Lend): Promise<void> {
    const heartbeat = setInterval(() => message.working(), workingEveryMs);
    try {
      const outcome = await claims.claim(message);
      if (outcome.kind === "claimed") await runClaimed(message, outcome.claim, lend);
      else if (outcome.kind === "drop") {
        failpoint("claim:before-ack");
        await message.ack();
      }
    } finally {
      clearInterval(heartbeat);
    }
  }

  async function runClaimed(message: ReadyMessage, claim: Claim, lend: Lend): Promise<void> {
    const { job } = claim;
    const abort = new AbortController();
    const deadline = setTimeout(() => abort.abort(aborted.deadline), Date.parse(job.deadlineAt) - Date.now());
    running.set(job.id, abort);
    metrics.started(job);
    let ending: Ending = { outcome: "left" };
    try {
      ending = await runToItsEnd(message, claim, abort.signal, lend);
    } finally {
      clearTimeout(deadline);
      running.delete(job.id);
      metrics.ended(job, ending.outcome, ending.errorCode);
    }
  }

  async function runToItsEnd(message: ReadyMessage, claim: Claim, signal: AbortSignal, lend: Lend): Promise<Ending> {
    const { job } = claim;
    const onStage = (stage: string) => connection.publish(subjects.progress(job.id), JSON.stringify({ stage }));
    let result: JobResult;
    try {
      result = await runner.run(job, signal, onStage, lend);
    } catch (error) {
      return await settleFailure(message, claim, error, signal);
    }
    // From here on the files may be those of a completed job, whatever the log answers: it is no failure of the edit.
    await settle(message, claim, await claims.complete(claim, result));
    return { outcome: "completed" };
  }

  async function settleFailure(
    message: ReadyMessage,
    claim: Claim,
    error: unknown,
    signal: AbortSignal,
  ): Promise<Ending> {
    const { job } = claim;
    if (signal.reason === aborted.stopping || isWorthGivingBack(error)) {
      await removeFiles(claim);
      if (await claims.giveBack(claim)) {
        failpoint("give-back:before-ack");
        message.nak(giveBackDelayMs);
      }
      return { outcome: "given_back" };
    }
    if (error instanceof StayQueued) {
      if (await claims.giveBack(claim)) await message.ack();
      return { outcome: "given_back" };
    }
    if (signal.reason === aborted.cancelled) {
      // The record has ended already (cancelled or deleted): nothing to write.
      await settle(message, claim, "ended");
      return { outcome: "cancelled" };
    }
    const jobError =
      signal.reason === aborted.deadline
        ? { code: "deadline_exceeded" as const, message: "The edit did not finish in 5 minutes.", retryable: true }
        : jobErrorOf(error);
    if (jobError.code === "internal_error") logger.error({ err: error, jobId: job.id }, "edit failed");
    await removeFiles(claim);
    await settle(message, claim, await claims.fail(claim, jobError));
    return { outcome: "failed", errorCode: jobError.code };
  }

  /** Only a proven loser deletes, and only its own attempt's files. */
  async function settle(message: ReadyMessage, claim: Claim, outcome: FinishOutcome): Promise<void> {
    if (outcome !== "kept") await removeFiles(claim);
    if (outcome === "lost") return;
    failpoint("finish:before-ack");
    await message.ack();
  }

  async function removeFiles({ job }: Claim): Promise<void> {
    await parts.storage.deletePrefix(files.attempt(job.accountId, job.id, job.attemptId)).catch((error: unknown) => {
      logger.warn({ err: error, jobId: job.id }, "the attempt's files stay for the janitor");
    });
  }

  return {
    name: "ready-consumer",

    async start() {
      aborts = connection.subscribe(subjects.abort("*"), {
        callback: (_error, message) => running.get(message.subject.split(".")[1]!)?.abort(aborted.cancelled),
      });
      loop = pullForEver();
    },

    async stop() {
      stopPulling.abort();
      tellRoom();
      queue.stop();
      await loop;
      const giveUp = setTimeout(() => {
        for (const abort of running.values()) abort.abort(aborted.stopping);
      }, parts.drainMs);
      await Promise.allSettled(inHand);
      clearTimeout(giveUp);
      aborts?.unsubscribe();
    },
  };
}
