/** Puts a finished result into the customer's bucket, from our storage: the edit's memory is free by then. */
import type { FileRef, ProcessingJob } from "@packshot/domain/job.ts";
import { putFile } from "@packshot/platform/buckets/put-file.ts";
import type { AllowList } from "@packshot/platform/outbound/address-guard.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { targetAttributes, traced } from "@packshot/platform/telemetry/tracing.ts";
import type { AskForLink } from "./bucket-links.ts";

export interface ResultDeliveryDeps {
  readonly storage: Storage;
  readonly allowConnections: AllowList;
  readonly askForLink: AskForLink;
  /** Of one try. */
  readonly destinationTimeoutMs: number;
  /** For tests. */
  readonly firstPauseMs?: number;
}

/** The edit is done already, so an API that starts anew is waited for. */
const linkWaitMs = 60_000;

/** Does nothing for a job without a destination. Throws `destination_failed`, or what `AskForLink` throws. */
export async function deliverResult(
  { storage, allowConnections: allow, askForLink, destinationTimeoutMs: timeoutMs, ...retry }: ResultDeliveryDeps,
  { job, result, signal }: { readonly job: ProcessingJob; readonly result: FileRef; readonly signal: AbortSignal },
): Promise<void> {
  if (job.destination === undefined) return;
  const { connection } = job.destination;
  const { accountId, id: jobId, attemptId } = job;
  const { contentType, bytes } = result;
  const request = { kind: "result", accountId, jobId, attemptId, contentType, bytes } as const;
  const link = await askForLink(request, { waitMs: linkWaitMs, signal });
  await traced("PUT", { kind: "client" }, async (span) => {
    span?.setAttributes({ "http.request.method": "PUT", ...targetAttributes(link.url) });
    const { firstPauseMs } = retry;
    const limits = { allow, timeoutMs, signal, ...(firstPauseMs === undefined ? {} : { firstPauseMs }) };
    await putFile({ link, connection, open: () => openResult(storage, result) }, limits);
  });
}

async function openResult(storage: Storage, { key }: FileRef) {
  const opened = await storage.open(key);
  if (opened === undefined) throw new Error(`the result ${key} is not in storage`);
  return opened.stream;
}
