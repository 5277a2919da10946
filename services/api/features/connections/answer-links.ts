/**
 * Answers workers that ask for links to customers' buckets. A worker gets links only of jobs as the log has them: of the
 * photo and the background picture of one that has not ended, of the destination of the attempt that runs.
 */
import type { Msg, Subscription } from "@nats-io/transport-node";
import type { BucketLink, BucketLinkAnswer, BucketLinkRequest } from "@packshot/domain/connections/bucket-link.ts";
import { isJobErrorCode, PackshotError } from "@packshot/domain/errors.ts";
import { isUuid } from "@packshot/domain/ids.ts";
import { isEnded, type Job } from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Log } from "@packshot/log/log.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { BucketLinks } from "./bucket-links.ts";

/** Each request goes to one of the API processes. */
const queue = "api";
/** An answer to another subject could overwrite a record: this process may publish those. */
const inboxPrefix = "_INBOX";

export interface LinkAnswersDeps {
  readonly log: Log;
  readonly links: BucketLinks;
  readonly logger: Logger;
}

export function createLinkAnswers({ log, links, logger }: LinkAnswersDeps): Component {
  let subscription: Subscription | undefined;
  const inFlight = new Set<Promise<void>>();

  async function linkFor(request: BucketLinkRequest): Promise<BucketLink> {
    const { accountId, jobId } = request;
    const { value: job } = isUuid(accountId) && isUuid(jobId) ? await readJob(accountId, jobId) : { value: undefined };
    if (job === undefined || isEnded(job)) throw new PackshotError("source_unreachable", "The job has ended.");
    if (request.kind !== "result") {
      const source = job[request.kind];
      if (source?.kind !== "url")
        throw new PackshotError("source_unreachable", `The job's ${request.kind} has no link.`);
      return await links.ofSource(job, source.imageUrl);
    }
    const { attemptId, contentType, bytes } = request;
    if (job.status !== "processing" || job.attemptId !== attemptId || job.destination === undefined) {
      throw new PackshotError("destination_failed", "Another attempt runs, or the job has no destination.");
    }
    return await links.ofResult(job, job.destination, { contentType, bytes });
  }

  function readJob(accountId: string, jobId: string) {
    return log.read<Job>(subjects.job(accountId, jobId));
  }

  async function answer(message: Msg): Promise<BucketLinkAnswer> {
    try {
      return { link: await linkFor(message.json<BucketLinkRequest>()) };
    } catch (error) {
      if (error instanceof PackshotError && (isJobErrorCode(error.code) || error.code === "invalid_request")) {
        const code = isJobErrorCode(error.code) ? error.code : "source_unreachable";
        return { error: { code, message: error.message } };
      }
      logger.warn({ err: error }, "no link to a customer's bucket was made");
      return { error: { code: "unavailable", message: "A link cannot be made now." } };
    }
  }

  function respond(message: Msg): void {
    if (message.reply?.startsWith(inboxPrefix) !== true) return;
    const responding: Promise<void> = answer(message)
      .then((response) => void message.respond(JSON.stringify(response)))
      .catch(() => {})
      .finally(() => inFlight.delete(responding));
    inFlight.add(responding);
  }

  return {
    name: "bucket links",
    async start() {
      subscription = log.connection.subscribe(subjects.bucketLink, {
        queue,
        callback: (error, message) => {
          if (error === null) respond(message);
        },
      });
    },
    async stop() {
      await subscription?.drain();
      subscription = undefined;
      await Promise.all(inFlight);
    },
  };
}
