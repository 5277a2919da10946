/**
 * Links to files in customers' buckets, for whoever moves their bytes: workers ask for them, and
 * processes that hold the master key make them directly.
 */

import type { Msg, Subscription } from "@nats-io/transport-node";
import type {
  BucketConnection,
  BucketLink,
  BucketLinkAnswer,
  BucketLinkRequest,
} from "@packshot/domain/connections/bucket-connection.ts";
import {
  type BucketFile,
  parseBucketUrl,
  type ResultNames,
  resultKey,
} from "@packshot/domain/connections/bucket-key.ts";
import { isLayerName, isVariationName } from "@packshot/domain/edits/tools.ts";
import { isJobErrorCode, type JobErrorCode, PackshotError } from "@packshot/domain/errors.ts";
import { isUuid } from "@packshot/domain/ids.ts";
import { firstOutputName, isEnded, type Job } from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import type { BucketSigner } from "@packshot/platform/buckets/bucket-signer.ts";
import type { Seal } from "@packshot/platform/crypto/seal.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { Realm } from "../../access/caller.ts";
import { findConnection, signerOf } from "./find-connection.ts";

interface FileToPut extends ResultNames {
  readonly contentType: string;
  readonly bytes: number;
}

export interface BucketLinks {
  /** To get the file at `s3://<connection>/<key>`. Throws `source_unreachable` when the connection is gone. */
  ofSource(realm: Realm, imageUrl: string): Promise<BucketLink>;
  /** To put a result of this type and length. Throws `destination_failed` when the connection is gone. */
  ofResult(realm: Realm, destination: BucketFile, file: FileToPut): Promise<BucketLink>;
}

export interface BucketLinksDeps {
  readonly log: Log;
  readonly seal: Seal;
  readonly logger: Logger;
}

export function createBucketLinks({ log, seal, logger }: BucketLinksDeps): BucketLinks {
  async function signerFor(realm: Realm, name: string, code: JobErrorCode): Promise<BucketSigner> {
    const connection = await findConnection({ log }, realm, name);
    if (connection === undefined) {
      const next = code === "destination_failed" ? "deliver the job again" : "send the edit again";
      const message = `Connection "${name}" no longer exists: create it anew (POST /v1/connections), and ${next}.`;
      throw new PackshotError(code, message);
    }
    return open(connection, code);
  }

  function open(connection: BucketConnection, code: JobErrorCode): BucketSigner {
    try {
      return signerOf(seal, connection);
    } catch (error) {
      const { accountId, id } = connection;
      logger.error({ err: error, accountId, connectionId: id }, "no master key opens the credentials of a connection");
      const message = `The credentials of the connection "${connection.name}" cannot be opened: set them again.`;
      throw new PackshotError(code, message);
    }
  }

  return {
    async ofSource(realm, imageUrl) {
      const { connection, key } = parseBucketUrl(imageUrl);
      return await (await signerFor(realm, connection, "source_unreachable")).signGet(key);
    },

    async ofResult(realm, destination, { name, isFirst, ...file }) {
      const signer = await signerFor(realm, destination.connection, "destination_failed");
      return await signer.signPut(resultKey(destination, file.contentType, { name, isFirst }), file);
    },
  };
}

/**
 * Answers workers that ask for links to customers' buckets. A worker gets links only of jobs as the log has them: of the
 * photo and the background picture of one that has not ended, of the destination of the attempt that runs.
 */

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
    if (request.kind !== "result" && request.kind !== "further-result") {
      const source = job[request.kind];
      if (source?.kind !== "url")
        throw new PackshotError("source_unreachable", `The job's ${request.kind} has no link.`);
      return await links.ofSource(job, source.imageUrl);
    }
    const { attemptId, contentType, bytes } = request;
    if (job.status !== "processing" || job.attemptId !== attemptId || job.destination === undefined) {
      throw new PackshotError("destination_failed", "Another attempt runs, or the job has no destination.");
    }
    if (request.kind === "result") {
      const first = { name: firstOutputName(job), isFirst: true };
      return await links.ofResult(job, job.destination, { contentType, bytes, ...first });
    }
    const { name } = request;
    const { outputs = [] } = job.parameters;
    if (!isVariationName(name) && !isLayerName(name) && !outputs.some((output) => output.name === name))
      throw new PackshotError("destination_failed", "The job has no result of that name.");
    return await links.ofResult(job, job.destination, { contentType, bytes, name });
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
