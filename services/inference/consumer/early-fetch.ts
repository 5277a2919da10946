/**
 * Fetches the `imageUrl` of jobs that must wait while they wait, so that a link that lives for minutes still serves a
 * job that starts in an hour. Best effort: what is not fetched here (busy, killed, unreachable) is fetched when the job runs.
 */
import { isEnded, type Job, type QueuedJob } from "@packshot/domain/job.ts";
import { files, subjects } from "@packshot/domain/subjects.ts";
import type { JobPlace } from "@packshot/domain/wait.ts";
import type { Component } from "@packshot/platform/lifecycle/run.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { readWaits } from "@packshot/platform/nats/wait-reader.ts";
import type { AllowList } from "@packshot/platform/outbound/address-guard.ts";
import { fetchSource } from "@packshot/platform/outbound/guarded-fetch.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { isTestSource } from "./test-job.ts";

export interface EarlyFetchParts {
  readonly log: Log;
  readonly storage: Storage;
  readonly allowSources: AllowList;
  readonly sourceTimeoutMs: number;
  readonly logger: Logger;
}

/** Pictures that one worker fetches at once. */
const fetchesMax = 4;

export function createEarlyFetch(parts: EarlyFetchParts): Component {
  const { log, storage, logger } = parts;
  const stopping = new AbortController();

  async function fetchFor({ accountId, jobId }: JobPlace): Promise<void> {
    const subject = subjects.job(accountId, jobId);
    const { value: job } = await log.read<Job>(subject);
    if (job?.status !== "queued" || job.source.kind !== "url" || isTestSource(job)) return;
    const key = files.source(accountId, jobId);
    await store(job, key, job.source.imageUrl);
    // It may have ended meanwhile, and the janitor have been here: nothing stays behind.
    const { value: now } = await log.read<Job>(subject);
    if (now === undefined || isEnded(now)) await storage.deletePrefix(key);
  }

  async function store(job: QueuedJob, key: string, imageUrl: string): Promise<void> {
    const { stream } = await fetchSource(imageUrl, {
      allow: parts.allowSources,
      bytesMax: job.maxFileSizeBytes,
      timeoutMs: parts.sourceTimeoutMs,
      signal: stopping.signal,
    });
    await storage.write(key, stream, { bytesMax: job.maxFileSizeBytes });
  }

  async function fetchForEver(): Promise<void> {
    for await (const place of readWaits(log.connection, stopping.signal)) {
      if (place.sourceIsUrl !== true) continue;
      await fetchFor(place).catch((error: unknown) =>
        logger.debug({ err: error, jobId: place.jobId }, "not fetched early: the run will fetch"),
      );
    }
  }

  return {
    name: "early-fetch",

    async start() {
      for (let i = 0; i < fetchesMax; i++) {
        void fetchForEver().catch((error: unknown) => logger.warn({ err: error }, "sources are not fetched early"));
      }
    },

    async stop() {
      stopping.abort();
    },
  };
}
