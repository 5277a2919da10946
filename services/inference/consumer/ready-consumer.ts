/** The worker's loop: a free slot takes a message, claims its job, runs it, records the outcome and only then acks. */
import type { NatsConnection, Subscription } from "@nats-io/transport-node";
import type { JobResult } from "@packshot/domain/jobs/job.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { laneConsumerName } from "@packshot/log/nats/streams.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { jobIdAttribute, type TraceSpan, traced } from "@packshot/platform/telemetry/tracing.ts";
import { toInfrastructureFault } from "@packshot/service/infrastructure-fault.ts";
import type { OnStage } from "../edits/edit.ts";
import { type AttemptEnd, abortReasons, createAttemptEnds, requeueDelayMs } from "./attempt-end.ts";
import type { Claim, Claims } from "./claims.ts";
import type { JobRunner } from "./job-runner.ts";
import type { ReadyMessage, ReadyQueue } from "./ready-queue.ts";
import type { WorkerMetrics } from "./worker-metrics.ts";
import type { WorkerPause } from "./worker-pause.ts";
import { createWorkerSlots, type ReleaseWhile } from "./worker-slots.ts";

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
  /** Nothing is pulled while it lasts. */
  readonly pause: WorkerPause;
  readonly metrics: WorkerMetrics;
  readonly logger: Logger;
}

/** A third of the queue's ack wait. */
const workingEveryMs = 10_000;

export function createReadyConsumer(deps: ReadyConsumerDeps): Component {
  const { connection, queue, claims, runner, pause, metrics, logger } = deps;
  const stopPulling = new AbortController();
  /** Aborts when outcomes that the log does not take are recorded no more. */
  const stopRecording = new AbortController();
  const ends = createAttemptEnds({ claims, pause, storage: deps.storage, logger, giveUp: stopRecording.signal });
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
      if (slots.free === 0) await new Promise<void>((resolve) => (onFreeSlot = resolve));
      await pause.wait(signal);
      await deps.waitForModelServer(signal).catch(() => {});
      const messages = signal.aborted ? [] : await queue.take(slots.free, signal);
      // A job that waited may have reacquired a slot meanwhile.
      const room = pause.isPaused ? 0 : Math.max(1, slots.free);
      for (const message of messages.slice(0, room)) start(message);
      for (const message of messages.slice(room)) message.nak(pause.isPaused ? requeueDelayMs : 0);
    }
  }

  function start(message: ReadyMessage): void {
    const slot = slots.acquire();
    const handling: Promise<void> = handleInSpan(message, slot.releaseWhile)
      .catch((error: unknown) => {
        logger.error({ err: error, jobId: message.jobId }, "left for redelivery");
        const fault = toInfrastructureFault(error);
        if (fault !== undefined) void pause.report(fault, error);
      })
      .finally(() => {
        inFlight.delete(handling);
        slot.release();
      });
    inFlight.add(handling);
  }

  function handleInSpan(message: ReadyMessage, releaseWhile: ReleaseWhile): Promise<void> {
    const options = { kind: "consumer", parent: message.traceparent } as const;
    return traced(`process ${streams.ready}`, options, async (span) => {
      if (span !== undefined) describeMessage(span, message);
      await handle(message, releaseWhile);
    });
  }

  async function handle(message: ReadyMessage, releaseWhile: ReleaseWhile): Promise<void> {
    // It comes again because nats-server did not hear for a while that its edit goes on.
    if (running.has(message.jobId)) return message.working();
    const heartbeat = setInterval(() => message.working(), workingEveryMs);
    try {
      const outcome = await traced("claim", {}, () => claims.claim(message));
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
    let end: AttemptEnd = { outcome: "left" };
    try {
      end = await runAndEnd(message, claim, abort.signal, releaseWhile);
    } finally {
      clearTimeout(deadline);
      running.delete(job.id);
      metrics.ended(job, end);
    }
  }

  async function runAndEnd(
    message: ReadyMessage,
    claim: Claim,
    signal: AbortSignal,
    releaseWhile: ReleaseWhile,
  ): Promise<AttemptEnd> {
    const { job } = claim;
    let held = claim;
    const onStage: OnStage = (stage, done) =>
      connection.publish(subjects.progress(job.id), JSON.stringify({ stage, ...done }));
    const mayDeliver = async () => {
      const delivering = await claims.startDelivery(held);
      held = delivering ?? held;
      return delivering !== undefined;
    };
    let result: JobResult;
    try {
      result = await runner.run(job, signal, onStage, releaseWhile, mayDeliver);
    } catch (error) {
      return await traced("finish", {}, () => ends.failed(message, held, error, signal));
    }
    // A failing log is no failure of the edit: the job may be recorded as completed, and these may be its files.
    return await traced("finish", {}, () => ends.completed(message, held, result));
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
        stopRecording.abort();
      }, deps.drainTimeoutMs);
      await Promise.allSettled(inFlight);
      clearTimeout(abortRunning);
      aborts?.unsubscribe();
    },
  };
}

function describeMessage(span: TraceSpan, { jobId, accountId, lane }: ReadyMessage): void {
  span.setAttributes({
    "messaging.system.name": "nats",
    "messaging.operation.name": "process",
    "messaging.operation.type": "process",
    "messaging.destination.name": streams.ready,
    "messaging.consumer.group.name": laneConsumerName(lane),
    [jobIdAttribute]: jobId,
    "packshot.account.id": accountId,
  });
}
