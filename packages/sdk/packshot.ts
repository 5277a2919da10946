/** The client. `new Packshot({apiKey, baseUrl}).edit("mask", file)` uploads, waits and gives the result as a stream. */

import {
  type AccountCalls,
  type Audit,
  type Connections,
  createAccount,
  createAudit,
  createConnections,
  createPresets,
  type Presets,
} from "./account.ts";
import { type Batches, createBatches } from "./batches.ts";
import { type Download, download } from "./download.ts";
import { createJobs, type Jobs, jobError } from "./jobs.ts";
import type { PhotoSource } from "./photo-source.ts";
import type { CreatedJob, Job, NamedTheme, Tool, ToolId } from "./schemas.ts";
import { type EditOptions, submitEdit } from "./submit-edit.ts";
import { createTransport, paginate, type Transport, type Waiting } from "./transport.ts";
import { createUploads, type Uploads } from "./uploads.ts";
import { type WaitOptions, waitForJob } from "./wait-for-job.ts";
import { createWebhooks, type Webhooks } from "./webhooks.ts";

export type { ArchivePart, NewBatch, WaitForBatchOptions } from "./batches.ts";
export type { Download } from "./download.ts";
export { type ClientErrorCode, type ErrorCode, PackshotError } from "./packshot-error.ts";
export type { PhotoSource } from "./photo-source.ts";
export type * from "./schemas.ts";
export type { EditOptions } from "./submit-edit.ts";
export type { Waiting } from "./transport.ts";
export type { JobProgress, WaitOptions } from "./wait-for-job.ts";
export { verifyWebhook } from "./webhooks.ts";

export interface PackshotOptions {
  /** `ps_live_…` or `ps_test_…`. In a page it is anybody's who opens the page: give it one that expires soon. */
  readonly apiKey: string;
  /** Where the service is, `https://packshot.example`. */
  readonly baseUrl: string;
  /** Limits one try of a request, until its response has been read; default: 60 seconds, 15 minutes with a photo. */
  readonly timeoutMs?: number;
  /** Tries after the first; 4. 0: none. */
  readonly retriesMax?: number;
  /** The longest `Retry-After` that is waited for, a minute; after a longer one the error is thrown with it. */
  readonly retryAfterMsMax?: number;
  /** In place of the global one. */
  readonly fetch?: typeof fetch;
}

/** An edit that has completed. */
export interface EditedPhoto {
  readonly job: Job;
  /** The finished image. */
  download(waiting?: Waiting): Promise<Download>;
  /** A WebP of at most 512 pixels per side. */
  thumbnail(waiting?: Waiting): Promise<Download>;
}

export class Packshot {
  readonly account: AccountCalls;
  readonly audit: Audit;
  readonly batches: Batches;
  readonly connections: Connections;
  readonly jobs: Jobs;
  readonly presets: Presets;
  readonly tools: Tools;
  readonly uploads: Uploads;
  readonly webhooks: Webhooks;
  readonly #transport: Transport;

  constructor(options: PackshotOptions) {
    const { baseUrl, apiKey, timeoutMs = 60_000, retriesMax = 4, retryAfterMsMax = 60_000 } = options;
    if (!/^https?:\/\//i.test(baseUrl)) throw new TypeError("baseUrl must be like https://packshot.example");
    // The browser's fetch must be called as a function of its window.
    const request = options.fetch ?? ((...given: Parameters<typeof fetch>) => fetch(...given));
    this.#transport = createTransport({
      baseUrl: baseUrl.replace(/\/+$/, ""),
      apiKey,
      timeoutMs,
      retriesMax,
      retryAfterMsMax,
      fetch: request,
    });
    this.account = createAccount(this.#transport);
    this.audit = createAudit(this.#transport);
    this.batches = createBatches(this.#transport);
    this.connections = createConnections(this.#transport);
    this.jobs = createJobs(this.#transport);
    this.presets = createPresets(this.#transport);
    this.tools = createTools(this.#transport);
    this.uploads = createUploads(this.#transport);
    this.webhooks = createWebhooks(this.#transport);
  }

  /**
   * Sends an edit and waits for its end. Rejects with the job's error when it fails. An abort ends the wait and leaves the
   * job as it is: cancel it with `jobs.cancel`.
   */
  async edit<Id extends ToolId>(
    tool: Id,
    source: PhotoSource,
    options: EditOptions<Id> & WaitOptions = {},
  ): Promise<EditedPhoto> {
    const { id } = await submitEdit(this.#transport, tool, source, options);
    const job = await waitForJob(this.#transport, id, options);
    const { resultUrl, thumbnailUrl } = job;
    if (resultUrl === null || thumbnailUrl === null) throw jobError(job);
    return {
      job,
      download: (waiting) => download(this.#transport, resultUrl, waiting),
      thumbnail: (waiting) => download(this.#transport, thumbnailUrl, waiting),
    };
  }

  /** Sends an edit and does not wait: a webhook, or `jobs.wait`, tells its end. */
  async submit<Id extends ToolId>(tool: Id, source: PhotoSource, options: EditOptions<Id> = {}): Promise<CreatedJob> {
    return await submitEdit(this.#transport, tool, source, options);
  }
}

export function createTools(transport: Transport) {
  return {
    list: (waiting: Waiting = {}): AsyncIterable<Tool> =>
      paginate(() => transport.json<{ data: readonly Tool[] }>({ method: "GET", path: "/v1/tools", ...waiting })),
    get: (id: ToolId, waiting: Waiting = {}): Promise<Tool> =>
      transport.json({ method: "GET", path: `/v1/tools/${encodeURIComponent(id)}`, ...waiting }),
    /** Named themes for ai-bg, each with a picture. */
    themes: (waiting: Waiting = {}): AsyncIterable<NamedTheme> =>
      paginate(() =>
        transport.json<{ data: readonly NamedTheme[] }>({ method: "GET", path: "/v1/themes", ...waiting }),
      ),
  };
}

export type Tools = ReturnType<typeof createTools>;
