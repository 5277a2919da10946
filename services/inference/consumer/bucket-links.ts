/**
 * Links to files in customers' buckets, which API processes make: a worker has no key that opens credentials. It asks when
 * the bytes are about to move, so a link lives for minutes however long the job has waited.
 */
import type { NatsConnection } from "@nats-io/transport-node";
import type {
  BucketLink,
  BucketLinkAnswer,
  BucketLinkRequest,
} from "@packshot/domain/connections/bucket-connection.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { jitteredBackoffMs, pause } from "@packshot/platform/flow/pause.ts";

const answerTimeoutMs = 5_000;
const firstPauseMs = 250;
const pauseMsMax = 5_000;

/** No API process answered. It is no fault of the job, which is requeued. */
export class LinksUnavailable extends Error {
  constructor(cause: unknown) {
    super("no API process makes links to customers' buckets", { cause });
    this.name = "LinksUnavailable";
  }
}

export interface LinkWait {
  /** How long to ask again while nobody answers. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** Throws the job's error, `LinksUnavailable`, or the reason of `signal`. */
export type AskForLink = (request: BucketLinkRequest, wait: LinkWait) => Promise<BucketLink>;

export function createAskForLink({ connection }: { readonly connection: NatsConnection }): AskForLink {
  async function ask(request: BucketLinkRequest): Promise<BucketLinkAnswer> {
    const message = await connection.request(subjects.bucketLink, JSON.stringify(request), {
      timeout: answerTimeoutMs,
    });
    return message.json<BucketLinkAnswer>();
  }

  return async (request, { waitMs, signal }) => {
    const endsAtMs = Date.now() + waitMs;
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted();
      const answer = await ask(request).catch((error: unknown) => ({ unanswered: error }));
      if ("link" in answer) return answer.link;
      if ("error" in answer && answer.error.code !== "unavailable") {
        throw new PackshotError(answer.error.code, answer.error.message);
      }
      if (Date.now() >= endsAtMs) throw new LinksUnavailable("error" in answer ? answer.error : answer.unanswered);
      await pause(jitteredBackoffMs(tries, { firstMs: firstPauseMs, maxMs: pauseMsMax }), signal);
    }
  };
}
