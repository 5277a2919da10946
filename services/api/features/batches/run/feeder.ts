/**
 * The feeder works on the batches of a state stream, under a lease: it reads the rows of those that are `validating`, hands
 * out rows of those that are `running`, and cancels the open jobs of those that are `cancelled`. It learns of a batch by a
 * change of its record, which each settlement is.
 *
 *   components: [createFeeder({ log, logger, view, handOut, readInput, cancelJobs })]
 */

import { type Batch, isBatchEnded } from "@packshot/domain/batches/batch.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { acquireLease } from "@packshot/log/follow/lease.ts";
import type { Log } from "@packshot/log/log.ts";
import { createLimiter } from "@packshot/platform/flow/limiter.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import { createSharedLimiter } from "@packshot/platform/flow/shared-limiter.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { cancelJob, type EndJobDeps } from "../../jobs/job-actions.ts";
import type { JobView } from "../../jobs/job-view.ts";
import { listJobs } from "../../jobs/list-jobs.ts";
import type { BatchRecordRef, BatchView, SeenBatch } from "./batch-view.ts";
import type { HandedOut } from "./hand-out.ts";

/** Called again when it says `more`, at a change of the batch, and after a while, which grows when it says `waits` or rejects. */
export type FeedBatch = (ref: BatchRecordRef, signal: AbortSignal) => Promise<HandedOut>;

export interface FeederDeps {
  readonly log: Log;
  readonly logger: Logger;
  readonly view: Pick<BatchView, "list" | "find" | "onChange">;
  readonly handOut: FeedBatch;
  /** Reads the rows of a batch's file into storage, and starts the batch. */
  readonly readInput: FeedBatch;
  /** Cancels the open jobs of a cancelled batch. */
  readonly cancelJobs: FeedBatch;
  /** A second when absent. */
  readonly againAfterMs?: number;
  /** 15 seconds when absent. */
  readonly lookAgainAfterMs?: number;
}

/** Batches worked on at once, shared by accounts: slow photos of one hold its batches up, and nobody else's. */
const batchesMax = 16;
const againAfterMsMax = 15_000;
/** A batch that nothing could be done for is looked at again even if no change of it is seen. */
const lookAgainAfterMsDefault = 15_000;

export function createFeeder(deps: FeederDeps): Component {
  const { log, logger } = deps;
  const stopping = new AbortController();
  let feeding: Promise<unknown> | undefined;

  async function feedStream(streamIndex: number): Promise<void> {
    while (!stopping.signal.aborted) {
      const lease = await acquireLease({ log, name: "batch-feeder", logger, streamIndex }, stopping.signal);
      if (lease === undefined) return;
      await feedWhileHeld(deps, streamIndex, AbortSignal.any([stopping.signal, lease.signal]));
      await lease.release();
    }
  }

  return {
    name: "batch feeder",
    async start() {
      feeding ??= Promise.all(log.stateStreams.map(({ index }) => feedStream(index)));
    },
    async stop() {
      stopping.abort();
      await feeding;
    },
  };
}

/** A batch that is worked on. */
interface Feeding {
  /** Its record has changed since it was last looked at. */
  hasChanged: boolean;
  /** Ends a pause. */
  wake: () => void;
  done: Promise<void>;
}

async function feedWhileHeld(deps: FeederDeps, streamIndex: number, signal: AbortSignal): Promise<void> {
  const { logger, view, againAfterMs = 1_000, lookAgainAfterMs = lookAgainAfterMsDefault } = deps;
  const share = createSharedLimiter(batchesMax);
  const feedings = new Map<string, Feeding>();

  function workOf({ status }: SeenBatch): FeedBatch {
    if (status === "validating") return deps.readInput;
    return status === "cancelled" ? deps.cancelJobs : deps.handOut;
  }

  async function work(batch: SeenBatch): Promise<HandedOut> {
    try {
      return await share(batch.accountId, async () =>
        signal.aborted ? "nothing" : await workOf(batch)(batch, signal),
      );
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error, batchId: batch.batchId }, "a batch is worked on again later");
      return "waits";
    }
  }

  async function feed(batchId: string, feeding: Feeding): Promise<void> {
    let delayMs = againAfterMs;
    while (!signal.aborted) {
      const batch = view.find(streamIndex, batchId);
      if (batch === undefined || !batch.isFed) break;
      feeding.hasChanged = false;
      const handedOut = await work(batch);
      if (handedOut === "more") delayMs = againAfterMs;
      if (handedOut === "more" || feeding.hasChanged) continue;
      const waking = new AbortController();
      feeding.wake = () => waking.abort();
      await pause(handedOut === "waits" ? delayMs : lookAgainAfterMs, AbortSignal.any([signal, waking.signal]));
      if (handedOut === "waits") delayMs = Math.min(againAfterMsMax, delayMs * 2);
    }
    // In the same turn as the look at the view: a change that comes later finds no feeding, and begins one.
    feedings.delete(batchId);
  }

  function onChange({ batchId, isFed }: SeenBatch): void {
    const known = feedings.get(batchId);
    if (known !== undefined) {
      known.hasChanged = true;
      known.wake();
    } else if (isFed && !signal.aborted) {
      const feeding: Feeding = { hasChanged: false, wake: () => {}, done: Promise.resolve() };
      feedings.set(batchId, feeding);
      feeding.done = feed(batchId, feeding);
    }
  }

  const stopListening = view.onChange((batch, index) => {
    if (index === streamIndex) onChange(batch);
  });
  for (const batch of view.list(streamIndex)) onChange(batch);
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  }
  stopListening();
  await Promise.all([...feedings.values()].map(({ done }) => done));
}

/** Cancels the open jobs of a cancelled batch. The index of jobs names them; the settler counts them when they have ended. */
export interface CancelJobsDeps extends EndJobDeps {
  readonly view: Pick<JobView, "caughtUp" | "find">;
}

const jobsMax = 200;
const cancelsMax = 16;

export function createCancelJobs(deps: CancelJobsDeps): FeedBatch {
  async function cancel(realm: { accountId: string; live: boolean }, jobId: string): Promise<void> {
    try {
      await cancelJob(deps, { realm, jobId });
    } catch (error) {
      const hasEnded = error instanceof PackshotError && /^(job_already_finished|not_found)$/.test(error.code);
      if (!hasEnded) throw error;
    }
  }

  return async ({ accountId, batchId }, signal) => {
    const { value: batch } = await deps.log.read<Batch>(subjects.batch(accountId, batchId));
    if (batch === undefined || batch.status !== "cancelled" || isBatchEnded(batch)) return "nothing";
    const realm = { accountId, live: batch.live };
    const limit = createLimiter(cancelsMax);
    for (const status of ["queued", "processing"] as const) {
      let beforeId: string | undefined;
      do {
        const filter = { status, batch: batchId, metadata: {} };
        const page = await listJobs(deps, { realm, filter, beforeId, limit: jobsMax });
        await Promise.all(page.jobs.map(({ id }) => limit(() => cancel(realm, id))));
        beforeId = page.nextId;
      } while (beforeId !== undefined && !signal.aborted);
    }
    // The index may lag, and what was cancelled is not settled yet: it is looked at again until the batch has ended.
    return "waits";
  };
}
