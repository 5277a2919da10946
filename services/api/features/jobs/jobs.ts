import type { ReportSummary } from "@packshot/domain/edits/edit-report.ts";
import type { ToolId } from "@packshot/domain/edits/tools.ts";
import type { JobStatus } from "@packshot/domain/jobs/job.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { realmOf } from "../../access/caller.ts";
import type { Core, Feature } from "../../core/core.ts";
import type { Call, Handlers } from "../../http/call.ts";
import { parsePreferWait } from "../../http/headers.ts";
import { createStreamSlots, type StreamSlots } from "../../http/slots.ts";
import type { BucketLinks } from "../connections/bucket-links.ts";
import { type DeliverJobDeps, deliverJob } from "./deliver-job.ts";
import { createJanitor } from "./janitor.ts";
import { cancelJob, deleteJob, type EndJobDeps, type JobRef, jobNotFound, readJob, waitForJob } from "./job-actions.ts";
import { eventStreamType, streamJobEvents } from "./job-events.ts";
import { createJobResponses, type JobResponses } from "./job-response.ts";
import { createJobView, type JobView } from "./job-view.ts";
import { createKeeper } from "./keeper.ts";
import { listJobs } from "./list-jobs.ts";
import { type RemoveFilesDeps, removeFiles } from "./remove-files.ts";
import { createRepairSweep } from "./repair.ts";
import { createUnsettledRefunds, type UnsettledRefunds } from "./unsettled-refunds.ts";

export interface JobHandlerDeps extends EndJobDeps, DeliverJobDeps, RemoveFilesDeps {
  readonly storage: Pick<Storage, "open" | "deletePrefix">;
  readonly deliverySlots: StreamSlots;
  readonly view: JobView;
  readonly responses: JobResponses;
}

/** Each holds a socket, a subscription and a timer for as long as its job waits: days, where the queue is paused. */
const eventStreamLimits = { what: "event streams of jobs", streamsMax: 4_096, streamsPerAccountMax: 128 };

export function jobHandlers(deps: JobHandlerDeps): Handlers {
  const { responses } = deps;
  const eventStreams = createStreamSlots(eventStreamLimits);
  return {
    async listJobs({ caller, query }) {
      const { jobs, nextId } = await listJobs(deps, {
        realm: realmOf(caller),
        filter: {
          status: query.status as JobStatus | undefined,
          tool: query.tool as ToolId | undefined,
          quality: query.quality as ReportSummary["quality"] | undefined,
          reviewed: query.reviewed as boolean | undefined,
          createdAfterMs: query.createdAfter === undefined ? undefined : Date.parse(query.createdAfter as string),
          batch: query.batch === undefined ? undefined : (query.batch as string).toLowerCase(),
          metadata: metadataFilter(query),
        },
        beforeId: query.cursor === undefined ? undefined : (query.cursor as string).toLowerCase(),
        limit: query.limit as number,
      });
      const data = await Promise.all(jobs.map(responses.job));
      return { status: 200, body: nextId === undefined ? { data } : { data, nextCursor: nextId } };
    },

    async getJob(call) {
      const { value } = await readJob(deps, jobRef(call));
      const seconds = parsePreferWait(call.headers.prefer);
      if (seconds === undefined) return { status: 200, body: await responses.job(value) };
      const job = await waitForJob(deps, { job: value, waitMs: seconds * 1000, signal: call.signal });
      if (job === undefined) throw jobNotFound();
      return { status: 200, body: await responses.job(job), headers: { "Preference-Applied": `wait=${seconds}` } };
    },

    async cancelJob(call) {
      return { status: 200, body: await responses.job(await cancelJob(deps, jobRef(call))) };
    },

    async deliverJob(call) {
      const ref = jobRef(call);
      const release = deps.deliverySlots.acquire(ref.realm);
      try {
        return { status: 200, body: await responses.job(await deliverJob(deps, ref)) };
      } finally {
        release();
      }
    },

    async deleteJob(call) {
      const deleted = await deleteJob(deps, jobRef(call));
      if (deleted !== undefined) await removeFiles(deps, deleted);
      return { status: 204 };
    },

    async streamJobEvents(call) {
      const { value } = await readJob(deps, jobRef(call));
      // A HEAD request gets the headers and no stream.
      if (call.request.method === "HEAD") return { status: 200, headers: { "Content-Type": eventStreamType } };
      const release = eventStreams.acquire(realmOf(call.caller));
      try {
        await streamJobEvents(deps, call, value);
      } finally {
        release();
      }
      return "sent";
    },
  };
}

function jobRef({ caller, path }: Call): JobRef {
  return { realm: realmOf(caller), jobId: path.id! };
}

/** `metadata.sku=A1` in the query filters by that entry. */
function metadataFilter(query: Readonly<Record<string, unknown>>): Record<string, string> {
  const prefix = "metadata.";
  return Object.fromEntries(
    Object.entries(query)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), String(value)]),
  );
}

/** Limits deliveries to customers' buckets that clients ask for again: a bucket may hold one up for a minute. */
const deliverySlots = { what: "deliveries of results", streamsMax: 32, streamsPerAccountMax: 4 } as const;

export interface Jobs extends EndJobDeps {
  readonly view: JobView;
  readonly responses: JobResponses;
  readonly refunds: UnsettledRefunds;
}

export function createJobs(core: Core, { links }: { links: BucketLinks }): { jobs: Jobs } & Feature {
  const { log, storage, publicUrl, readiness } = core;
  const refunds = createUnsettledRefunds(core);
  const view = createJobView({ ...core, onRefund: refunds.note });
  const responses = createJobResponses({ storage, publicUrl });
  readiness.require("jobs", view.lag);
  const jobs: Jobs = {
    log,
    nowMs: core.nowMs,
    retentionMs: core.retentionMs,
    onCommit: view.committed,
    onRefund: refunds.note,
    refunds,
    view,
    responses,
  };
  return {
    jobs,
    handlers: jobHandlers({
      ...core,
      ...jobs,
      links,
      deliverySlots: createStreamSlots(deliverySlots),
    }),
    components: [
      view,
      createKeeper({ ...core, onRefunds: core.countCredits }),
      createJanitor(core),
      createRepairSweep({ ...core, jobs: view }),
    ],
  };
}
