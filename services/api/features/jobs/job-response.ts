/** A job as clients see it. */
import { deliveredFile, deliveryOf, placedResults } from "@packshot/domain/jobs/bucket-delivery.ts";
import { downloadName, type FileRef, isEnded, type Job, type ResultPart } from "@packshot/domain/jobs/job.ts";
import { batchOfJob, linkResults } from "@packshot/domain/webhooks/envelope.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { resourceUrl, type Schemas } from "../../http/call.ts";

export type JobBody = Schemas["Job"];
export type CreatedJobBody = Schemas["CreatedJob"];

export interface JobResponses {
  job(job: Job): Promise<JobBody>;
  created(job: Job): CreatedJobBody;
  statusUrl(jobId: string): string;
}

/** A failed or cancelled job costs nothing. */
function creditsOf(job: Job): number {
  if (job.status === "failed" || job.status === "cancelled") return 0;
  return job.creditsCharged - (job.status === "completed" ? (job.review?.creditsRefunded ?? 0) : 0);
}

/** Until the job has completed, its key may have `{ext}`. */
function destinationOf(job: Job): JobBody["destination"] {
  if (job.destination === undefined) return null;
  const attempts = deliveryOf(job)?.attempts ?? 0;
  return { ...job.destination, status: null, error: null, ...deliveredFile(job), attempts };
}

export function createJobResponses({ storage, publicUrl }: { storage: Storage; publicUrl: string }): JobResponses {
  const statusUrl = (jobId: string) => resourceUrl(publicUrl, "jobs", jobId);
  return {
    statusUrl,
    created: (job) => ({
      id: job.id,
      tool: job.tool,
      status: "queued",
      createdAt: job.createdAt,
      statusUrl: statusUrl(job.id),
      creditsCharged: job.creditsCharged,
    }),
    async job(job) {
      const ended = isEnded(job) ? job : undefined;
      const completed = job.status === "completed" ? job : undefined;
      const sign = async (file: FileRef, part: string) =>
        await storage.signGet(file.key, {
          expiresAtMs: Date.parse(completed!.expiresAt),
          contentType: file.contentType,
          filename: downloadName(job.tool, job.id, file, part),
        });
      const files = completed?.review?.verdict === "rejected" ? undefined : completed;
      const link = async (part: ResultPart) => {
        const file = part === "photo" || part === "matte" ? files?.proof?.[part] : files?.[part];
        return file && (await sign(file, part));
      };
      const [resultUrl, thumbnailUrl, shadowUrl, photoUrl, matteUrl] = await Promise.all([
        link("result"),
        link("thumbnail"),
        link("shadow"),
        link("photo"),
        link("matte"),
      ]);
      return {
        id: job.id,
        tool: job.tool,
        status: job.status,
        live: job.live,
        createdAt: job.createdAt,
        startedAt: job.startedAt,
        finishedAt: ended?.finishedAt ?? null,
        statusUrl: statusUrl(job.id),
        resultUrl: resultUrl ?? null,
        ...(files && (await linkResults({ ...files, results: placedResults(files) }, sign))),
        thumbnailUrl: thumbnailUrl ?? null,
        shadowUrl,
        photoUrl,
        matteUrl,
        expiresAt: ended?.expiresAt ?? null,
        destination: destinationOf(job),
        error: job.status === "failed" ? job.error : null,
        parameters: job.parameters as unknown as JobBody["parameters"],
        metadata: job.metadata,
        batch: job.batch === undefined ? undefined : batchOfJob(job.batch),
        creditsCharged: creditsOf(job),
        review: completed?.review ?? null,
        repeatOf: job.repeatOf,
        timings: completed?.timings ?? null,
        pipeline: completed?.pipeline,
        report: (completed?.report ?? null) as JobBody["report"],
      };
    },
  };
}
