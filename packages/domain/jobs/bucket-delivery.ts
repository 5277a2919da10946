/**
 * The delivery of a completed job's result to the customer's bucket. A bucket that does not take it fails the delivery and
 * not the job: the edit is done and charged, its result is in our storage until the job expires, and until then a client may
 * have it delivered again.
 */
import { type BucketFile, placedFile, resultKey } from "../connections/bucket-key.ts";
import { type JobError, PackshotError } from "../errors.ts";
import { isoTime } from "../ids.ts";
import { type BucketDelivery, type CompletedJob, firstOutputName, type Job, type PlacedResult } from "./job.ts";

/** Per job; the worker's delivery is the first. */
export const deliveriesMax = 20;

/** Where a result went, and whether it is there. */
export interface DeliveredFile extends BucketFile {
  readonly status: BucketDelivery["status"];
  /** Why it is not there; null: it is. */
  readonly error: JobError | null;
}

/** undefined: the job has not completed, or has no destination. */
export function deliveryOf(job: Job): BucketDelivery | undefined {
  return job.status === "completed" ? job.delivery : undefined;
}

/** undefined: as with `deliveryOf`. */
export function deliveredFile(job: Job): DeliveredFile | undefined {
  const delivery = deliveryOf(job);
  if (job.status !== "completed" || job.destination === undefined || delivery === undefined) return undefined;
  const { status } = delivery;
  return {
    ...placedFile(job.destination, job.result.contentType, firstOutputName(job)),
    status,
    error: delivery.status === "failed" ? delivery.error : null,
  };
}

/** undefined: the job makes one file. */
export function placedResults({ results, destination }: CompletedJob): readonly PlacedResult[] | undefined {
  if (destination === undefined) return results;
  return results?.map((file, index) => {
    const names = { name: file.name, isFirst: index === 0 };
    return { ...file, destinationKey: resultKey(destination, file.contentType, names) };
  });
}

export interface DeliveryStart {
  /** This delivery's. */
  readonly id: string;
  readonly nowMs: number;
  /** When another may begin even if this one was not ended: its process has died. */
  readonly untilMs: number;
}

/**
 * The job with one more delivery, which runs; the same job: its result is stored already. The delivery counts from its start,
 * so that no client has more of them by breaking off. Throws `not_deliverable` and `delivery_in_progress`.
 */
export function startDelivery(job: Job, { id, nowMs, untilMs }: DeliveryStart): CompletedJob {
  if (job.destination === undefined) throw notDeliverable("The job has no destination.");
  if (job.status !== "completed") throw notDeliverable(`The job is ${job.status}: it has no result to deliver.`);
  const delivery = deliveryOf(job)!;
  if (delivery.status === "stored") return job;
  if (job.review?.verdict === "rejected") throw notDeliverable("The job was rejected: its result has been removed.");
  const { attempts, running } = delivery;
  // An answer of the log was lost.
  if (running?.id === id) return job;
  if (running !== undefined && Date.parse(running.until) > nowMs) {
    throw new PackshotError("delivery_in_progress", "The result is being delivered already.");
  }
  if (attempts >= deliveriesMax) {
    throw notDeliverable(`The delivery was tried ${attempts} times, as often as it may be: download the result.`);
  }
  return { ...job, delivery: { ...delivery, attempts: attempts + 1, running: { id, until: isoTime(untilMs) } } };
}

/** `unknown`: we could not go on, so it does not count. */
export type DeliveryOutcome = { readonly kind: "stored" | "unknown" } | { readonly kind: "failed"; error: JobError };

/** The job after the delivery `id`; the same job: there is nothing to change. */
export function endDelivery(job: CompletedJob, id: string, outcome: DeliveryOutcome): CompletedJob {
  const { delivery } = job;
  if (delivery?.status !== "failed") return job;
  const { running, ...rest } = delivery;
  // Whichever delivery brought it: the bucket has it.
  if (outcome.kind === "stored") return { ...job, delivery: { status: "stored", attempts: rest.attempts } };
  if (running?.id !== id) return job;
  if (outcome.kind === "failed") return { ...job, delivery: { ...rest, error: outcome.error } };
  return { ...job, delivery: { ...rest, attempts: rest.attempts - 1 } };
}

function notDeliverable(message: string): PackshotError {
  return new PackshotError("not_deliverable", message);
}
