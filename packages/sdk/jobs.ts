import { type Download, download } from "./download.ts";
import { PackshotError } from "./packshot-error.ts";
import type { PhotoSource } from "./photo-source.ts";
import type { CreatedJob, Job, JobFilter, ReviewedJob, ReviewItem } from "./schemas.ts";
import { type OwnMask, withMask } from "./submit-edit.ts";
import type { Transport, Waiting } from "./transport.ts";
import { paginate } from "./transport.ts";
import { type WaitOptions, waitForJob } from "./wait-for-job.ts";

interface JobPage {
  readonly data: readonly Job[];
  readonly nextCursor?: string;
}

interface ReviewOptions extends Waiting {
  readonly batch?: ReviewItem["batch"];
}

interface RepeatOptions extends Waiting {
  /** Your own matte of the photo: a file or bytes, an address, or an upload session. */
  readonly mask?: PhotoSource;
  /** true aligns its edge with the photo's. */
  readonly refine?: boolean;
  /** One of your own makes a program that was restarted repeat its request, within 24 hours. */
  readonly idempotencyKey?: string;
}

export function createJobs(transport: Transport) {
  const path = (id: string, rest = "") => `/v1/jobs/${encodeURIComponent(id)}${rest}`;

  function review(verb: "approve" | "reject", id: string, { batch, ...waiting }: ReviewOptions): Promise<ReviewedJob> {
    return transport.json({ method: "POST", path: path(id, `/${verb}`), json: batch && { batch }, ...waiting });
  }

  return {
    /** Newest first; expired and deleted ones are not among them. */
    list({ metadata = {}, ...filter }: JobFilter = {}, waiting: Waiting = {}): AsyncIterable<Job> {
      const wanted = Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`metadata.${name}`, value]));
      return paginate((cursor) =>
        transport.json<JobPage>({
          method: "GET",
          path: "/v1/jobs",
          query: { ...filter, ...wanted, cursor },
          ...waiting,
        }),
      );
    },
    get: (id: string, waiting: Waiting = {}): Promise<Job> =>
      transport.json({ method: "GET", path: path(id), ...waiting }),
    /** Resolves with the ended job, whatever its end; `edit` rejects when it failed. */
    wait: (id: string, options: WaitOptions = {}): Promise<Job> => waitForJob(transport, id, options),
    cancel: (id: string, waiting: Waiting = {}): Promise<Job> =>
      transport.json({ method: "POST", path: path(id, "/cancel"), ...waiting }),
    /**
     * Puts the result of a completed job into its bucket again, and resolves with the job: its `destination.status` says whether
     * the bucket took it. A result that is there already is not sent.
     */
    deliver: (id: string, waiting: Waiting = {}): Promise<Job> =>
      transport.json({ method: "POST", path: path(id, "/deliver"), ...waiting }),
    /** A person has looked at the result. `batch`: its row, for when the job itself has expired. */
    approve: (id: string, options: ReviewOptions = {}): Promise<ReviewedJob> => review("approve", id, options),
    /** Removes the result. Credits come back only where the plan allows it: `review.creditsRefunded`. */
    reject: (id: string, options: ReviewOptions = {}): Promise<ReviewedJob> => review("reject", id, options),
    /**
     * Runs the edit again, and does not wait for it. With a `mask` of your own in the place of its matte, the first repeat of a
     * completed job is free.
     */
    async repeat(id: string, { mask, refine, ...options }: RepeatOptions = {}): Promise<CreatedJob> {
      const { idempotencyKey = crypto.randomUUID(), ...waiting } = options;
      const send = (maskImage?: OwnMask) =>
        transport.json<CreatedJob>({
          method: "POST",
          path: path(id, "/repeat"),
          ...(maskImage === undefined ? {} : { json: { parameters: { maskImage, refine } } }),
          idempotencyKey,
          ...waiting,
        });
      return mask === undefined ? await send() : await withMask(transport, mask, { idempotencyKey, ...waiting }, send);
    },
    /** With its files; an unfinished one is cancelled first. */
    delete: (id: string, waiting: Waiting = {}): Promise<void> =>
      transport.send({ method: "DELETE", path: path(id), ...waiting }),
    /**
     * Rejects with `job_cancelled` or the job's own error where it has no result, with `no_shadow` where it has no shadow, with
     * the file's own error where one of `outputs` failed, and with `not_found` where it has no result or layer of that name.
     */
    async download(job: Job, part: ResultPart | ResultName = "result", waiting: Waiting = {}): Promise<Download> {
      return await download(transport, linkOf(job, part), waiting);
    },
  };
}

export type Jobs = ReturnType<typeof createJobs>;

/** `shadow`: of a `mask` with `keepShadow`, or the layer of that name; `photo` and `matte`: of a doubtful cut-out. */
export type ResultPart = "result" | "thumbnail" | "shadow" | "photo" | "matte";

/** As `results` of a job with several has it, or `layers`. A file of `outputs` goes before a part of the same name. */
export type ResultName = NonNullable<Job["results"]>[number]["name"];

function linkOf(job: Job, part: string): string {
  const parts: Readonly<Record<string, string | null | undefined>> = {
    result: job.resultUrl,
    thumbnail: job.thumbnailUrl,
    shadow: job.shadowUrl,
    photo: job.photoUrl,
    matte: job.matteUrl,
  };
  const { results = [], layers = [] } = job;
  const file = results.find(({ name }) => name === part);
  if (file?.error !== undefined) throw errorOf(file.error, job.id);
  const ownPart = Object.hasOwn(parts, part) ? parts[part] : undefined;
  const link = file?.url ?? ownPart ?? layers.find(({ name }) => name === part)?.url;
  if (typeof link === "string") return link;
  if (job.status !== "completed") throw jobError(job);
  if (part !== "shadow") throw new PackshotError("not_found", `The job has no result "${part}".`, { jobId: job.id });
  throw new PackshotError("no_shadow", "The job has no shadow of its own.", { jobId: job.id });
}

function errorOf({ code, message, retryable }: NonNullable<Job["error"]>, jobId: string): PackshotError {
  return new PackshotError(code, message, { jobId, retryable });
}

/** Why a job has no result. */
export function jobError({ id, status, error }: Job): PackshotError {
  if (error !== null) return errorOf(error, id);
  if (status === "cancelled") return new PackshotError("job_cancelled", "The job was cancelled.", { jobId: id });
  return new PackshotError("job_not_finished", `The job is ${status}.`, { jobId: id });
}
