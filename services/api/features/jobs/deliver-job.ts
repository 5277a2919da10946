/**
 * Delivers a completed job's result to its bucket again, while the request waits: this process holds the master key that
 * opens the connection's credentials, and sends the file from our storage. The record counts the delivery before anything is
 * sent, so that two requests, also to two processes, never send at once.
 */

import type { ResultNames } from "@packshot/domain/connections/bucket-key.ts";
import { PackshotError, toJobError } from "@packshot/domain/errors.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { type DeliveryOutcome, deliveryOf, endDelivery, startDelivery } from "@packshot/domain/jobs/bucket-delivery.ts";
import { endedJobWrite } from "@packshot/domain/jobs/ended-job-write.ts";
import {
  type CompletedJob,
  type FileRef,
  firstOutputName,
  furtherResults,
  type Job,
} from "@packshot/domain/jobs/job.ts";
import { eventWrite, jobDeliveredEvent } from "@packshot/domain/webhooks/event.ts";
import { putFile } from "@packshot/platform/buckets/put-file.ts";
import { failpoint } from "@packshot/platform/lifecycle/failpoints.ts";
import type { AllowList } from "@packshot/platform/outbound/address-guard.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { targetAttributes, traced } from "@packshot/platform/telemetry/tracing.ts";
import { toInfrastructureFault } from "@packshot/service/infrastructure-fault.ts";
import type { BucketLinks } from "../connections/bucket-links.ts";
import { type JobRef, type ReadJobDeps, readJob } from "./job-actions.ts";

export interface DeliverJobDeps extends ReadJobDeps {
  readonly storage: Pick<Storage, "open">;
  readonly links: Pick<BucketLinks, "ofResult">;
  readonly allowConnections: AllowList;
  /** Limits the one try. */
  readonly destinationTimeoutMs: number;
  /** Told of each change committed here, so that this process's list of jobs waits for it. */
  readonly onCommit: (accountId: string, sequence: number) => void;
}

/** Proxies before the API, and clients, give a request up after a minute. */
const timeoutMsMax = 50_000;
/** For what comes before and after the transfer: then the process has died. */
const recordMsMax = 30_000;

/**
 * The job as it is then, whatever the bucket answered: its `destination` says so. A job whose result is stored already stays
 * as it is. Throws `not_found`, `not_deliverable`, `delivery_in_progress` and `unavailable`.
 */
export async function deliverJob(deps: DeliverJobDeps, ref: JobRef): Promise<CompletedJob> {
  const id = uuidv7(deps.nowMs());
  const timeoutMs = Math.min(timeoutMsMax, deps.destinationTimeoutMs);
  const started = await changeJob(deps, "start-redelivery", ref, (job) => {
    const nowMs = deps.nowMs();
    return startDelivery(job, { id, nowMs, untilMs: nowMs + timeoutMs + recordMsMax });
  });
  if (deliveryOf(started)!.status === "stored") return started;
  failpoint("redelivery:before-put");
  const { outcome, fault } = await putResult(deps, started, timeoutMs);
  // No job leaves its end, so it is still completed.
  const ended = await changeJob(deps, "end-redelivery", ref, (job) => endDelivery(job as CompletedJob, id, outcome));
  if (fault !== undefined) throw fault;
  return ended;
}

interface PutOutcome {
  readonly outcome: DeliveryOutcome;
  /** What we could not do. */
  readonly fault?: unknown;
}

/** Not with the client's signal: a bucket may keep what it has, whoever leaves. */
async function putResult(deps: DeliverJobDeps, job: CompletedJob, timeoutMs: number): Promise<PutOutcome> {
  // All of them together, because a proxy gives the request up however many results there are.
  const signal = AbortSignal.timeout(2 * timeoutMs);
  try {
    const limits = { timeoutMs, signal };
    await putOne(deps, job, { ...job.result, name: firstOutputName(job), isFirst: true }, limits);
    for (const file of furtherResults(job)) await putOne(deps, job, file, limits);
    return { outcome: { kind: "stored" } };
  } catch (error) {
    const isBucketsFault = error instanceof PackshotError && error.code === "destination_failed";
    if (isBucketsFault && toInfrastructureFault(error) === undefined) {
      return { outcome: { kind: "failed", error: toJobError(error) } };
    }
    return { outcome: { kind: "unknown" }, fault: error };
  }
}

async function putOne(
  { storage, links, allowConnections: allow }: DeliverJobDeps,
  job: CompletedJob,
  file: FileRef & ResultNames,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const { connection } = job.destination!;
  const link = await links.ofResult(job, job.destination!, file);
  await traced("PUT", { kind: "client" }, async (span) => {
    span?.setAttributes({ "http.request.method": "PUT", ...targetAttributes(link.url) });
    const open = async () => {
      const opened = await storage.open(file.key);
      if (opened === undefined) throw new PackshotError("unavailable", "The result is not in storage; try again.");
      return opened.stream;
    };
    await putFile({ link, connection, open }, { allow, triesMax: 1, ...limits });
  });
}

/** Also tells the settler of a batch's row whose result has come to its bucket. */
async function changeJob(
  deps: DeliverJobDeps,
  transition: string,
  ref: JobRef,
  change: (job: Job) => CompletedJob,
): Promise<CompletedJob> {
  const { log, nowMs, onCommit } = deps;
  const eventId = uuidv7(nowMs());
  return await log.transact<CompletedJob>(transition, async () => {
    const { value: before, sequence } = await readJob(deps, ref);
    const after = change(before);
    if (after === before) return { done: after };
    const now = nowMs();
    const isStoredNow = deliveryOf(after)?.status === "stored";
    const record = endedJobWrite(after, { expected: sequence, nowMs: now });
    const isNews = isStoredNow && after.batch !== undefined;
    return {
      writes: isNews ? [record, eventWrite(jobDeliveredEvent(after, eventId, now))] : [record],
      result: (firstSequence) => {
        onCommit(after.accountId, firstSequence);
        return after;
      },
    };
  });
}
