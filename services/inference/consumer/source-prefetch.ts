/**
 * Prefetches the `imageUrl` of waiting jobs, so that a link that lives for minutes still serves a job that starts in an
 * hour. Best effort: a source that is not prefetched (worker busy, killed, host unreachable) is fetched when the job
 * runs.
 */

import type { QueueEntry } from "@packshot/domain/accounts/queue-entry.ts";
import { isEnded, type Job, type QueuedJob } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { readWaits } from "@packshot/log/follow/wait-reader.ts";
import type { Log } from "@packshot/log/log.ts";
import type { StateStream } from "@packshot/log/nats/state-streams.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { traced } from "@packshot/platform/telemetry/tracing.ts";
import { fetchJobSource, isSandboxSource, type JobSourceDeps } from "./fetch-job-source.ts";

export interface SourcePrefetchDeps extends JobSourceDeps {
  readonly log: Log;
  readonly storage: Storage;
  readonly logger: Logger;
}

/** Sources that one worker prefetches at once: an equal part for each state stream, of which there are four at most. */
const fetchesMax = 4;

export function createSourcePrefetch(deps: SourcePrefetchDeps): Component {
  const { log, storage, logger } = deps;
  const stopping = new AbortController();

  async function prefetch({ accountId, jobId }: QueueEntry): Promise<void> {
    const subject = subjects.job(accountId, jobId);
    const { value: job } = await log.read<Job>(subject);
    if (job?.status !== "queued" || job.source.kind !== "url" || isSandboxSource(job)) return;
    const key = storageKeys.source(accountId, jobId);
    await store(job, key, job.source.imageUrl);
    // If the job has ended meanwhile, the janitor may be done with its files and would never delete this one.
    const { value: now } = await log.read<Job>(subject);
    if (now === undefined || isEnded(now)) await storage.deletePrefix(key);
  }

  async function store(job: QueuedJob, key: string, imageUrl: string): Promise<void> {
    // The account counts so many bytes for it.
    const bytesMax = job.sourceBytes;
    await storage.assertRoom(bytesMax);
    const request = { job, part: "source", imageUrl, bytesMax, signal: stopping.signal } as const;
    await fetchJobSource(deps, request, (stream) => storage.write(key, stream, { bytesMax }));
  }

  async function prefetchLoop({ state }: StateStream): Promise<void> {
    for await (const waiting of readWaits({ connection: log.connection, state }, stopping.signal)) {
      if (waiting.sourceIsUrl !== true) continue;
      const options = { kind: "consumer", parent: waiting.traceparent } as const;
      await traced("prefetch source", options, () => prefetch(waiting)).catch((error: unknown) =>
        logger.debug({ err: error, jobId: waiting.jobId }, "not prefetched: the source is fetched when the job runs"),
      );
    }
  }

  return {
    name: "source-prefetch",

    async start() {
      for (let i = 0; i < fetchesMax; i++) {
        const stream = log.stateStreams[i % log.stateStreams.length]!;
        void prefetchLoop(stream).catch((error: unknown) =>
          logger.warn({ err: error }, "sources are no longer prefetched"),
        );
      }
    },

    async stop() {
      stopping.abort();
    },
  };
}
