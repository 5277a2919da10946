/**
 * Sandbox jobs, made with a test key, take the same path as live jobs. Only inference is replaced, and a source is
 * fetched only when the job does not name a sandbox source.
 */
import { setTimeout } from "node:timers/promises";
import { PackshotError } from "@packshot/domain/errors.ts";
import { sandboxOutcome } from "@packshot/domain/jobs/sandbox-outcome.ts";
import type { JobRunner } from "./job-runner.ts";

/** A sandbox job asks to stay `queued`: it is requeued and its message is acked. */
export class StaysQueued extends Error {}

/** Runs live jobs with `live`. Runs sandbox jobs as their magic input asks, otherwise with `sandbox`. */
export function withSandboxJobs({ live, sandbox }: { live: JobRunner; sandbox: JobRunner }): JobRunner {
  return {
    async run(job, signal, onStage, releaseWhile = (wait) => wait(), mayDeliver) {
      if (job.live) return await live.run(job, signal, onStage, releaseWhile, mayDeliver);
      const outcome = sandboxOutcome(job);
      if (outcome.kind === "failed") throw new PackshotError(outcome.code, outcome.message);
      if (outcome.kind === "queued") throw new StaysQueued();
      const waitMs =
        outcome.kind === "processing" ? Date.parse(job.deadlineAt) - Date.now() + 1_000 : outcome.processingMs;
      await releaseWhile(() => setTimeout(Math.max(0, waitMs), undefined, { signal }));
      return await sandbox.run(job, signal, onStage, releaseWhile, mayDeliver);
    },
  };
}
