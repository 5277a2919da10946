/** Puts a finished result into the customer's bucket, from our storage: the edit's memory is free by then. */
import type { BucketLinkRequest } from "@packshot/domain/connections/bucket-connection.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { FileRef, ProcessingJob, ResultFile } from "@packshot/domain/jobs/job.ts";
import { putFile } from "@packshot/platform/buckets/put-file.ts";
import type { AllowList } from "@packshot/platform/outbound/address-guard.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { targetAttributes, traced } from "@packshot/platform/telemetry/tracing.ts";
import type { AskForLink } from "./bucket-links.ts";

export interface ResultDeliveryDeps {
  readonly storage: Storage;
  readonly allowConnections: AllowList;
  readonly askForLink: AskForLink;
  /** Limits one try. */
  readonly destinationTimeoutMs: number;
  /** For tests. */
  readonly firstPauseMs?: number;
}

/** The edit is done already, so an API that starts anew is waited for. */
const linkWaitMs = 60_000;

export interface ResultDelivery {
  readonly job: ProcessingJob;
  /** With a name: one beside the first. */
  readonly result: FileRef & Partial<ResultFile>;
  /** The job's. */
  readonly signal: AbortSignal;
  /** Ends the transfer as failed. */
  readonly putSignal: AbortSignal;
}

/** Throws `destination_failed`, what `AskForLink` or the storage throws, or the reason of `signal`. */
export async function deliverResult(deps: ResultDeliveryDeps, delivery: ResultDelivery): Promise<void> {
  const { storage, allowConnections: allow, askForLink, destinationTimeoutMs: timeoutMs, firstPauseMs } = deps;
  const { job, result, signal, putSignal } = delivery;
  if (job.destination === undefined) return;
  const { connection } = job.destination;
  const { accountId, id: jobId, attemptId } = job;
  const { contentType, bytes, name } = result;
  const put = { accountId, jobId, attemptId, contentType, bytes };
  const request: BucketLinkRequest =
    name === undefined ? { kind: "result", ...put } : { kind: "further-result", name, ...put };
  const link = await askForLink(request, { waitMs: linkWaitMs, signal });
  await traced("PUT", { kind: "client" }, async (span) => {
    span?.setAttributes({ "http.request.method": "PUT", ...targetAttributes(link.url) });
    const limits = { allow, timeoutMs, firstPauseMs };
    try {
      const either = AbortSignal.any([signal, putSignal]);
      await putFile({ link, connection, open: () => openResult(storage, result) }, { ...limits, signal: either });
    } catch (error) {
      if (signal.aborted || error !== putSignal.reason) throw error;
      const message = `The bucket of the connection "${connection}" took longer than the job had left.`;
      throw new PackshotError("destination_failed", message);
    }
  });
}

async function openResult(storage: Storage, { key }: FileRef) {
  const opened = await storage.open(key);
  if (opened === undefined) throw new Error(`the result ${key} is not in storage`);
  return opened.stream;
}
