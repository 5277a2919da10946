import type { JobStatus } from "@packshot/domain/job.ts";
import type { ToolId } from "@packshot/domain/tools.ts";
import type { Call, Handlers } from "../http/call.ts";
import { parsePreferWait } from "../http/prefer-header.ts";
import type { JobView } from "../followers/job-view.ts";
import { cancelJob, type EndJobDeps } from "../use-cases/jobs/cancel-job.ts";
import { deleteJob } from "../use-cases/jobs/delete-job.ts";
import { noSuchJob, readJob } from "../use-cases/jobs/read-job.ts";
import { waitForJob } from "../use-cases/jobs/wait-for-job.ts";
import { streamJobEvents } from "./job-events.ts";
import type { JobResponses } from "./job-response.ts";

export interface JobRouteDeps extends EndJobDeps {
  readonly view: JobView;
  readonly answers: JobResponses;
}

/** A list waits no longer than this to see what this process itself committed. */
const ownWritesTimeoutMs = 5_000;

export function jobHandlers(parts: JobRouteDeps): Handlers {
  const { log, view, answers, nowMs } = parts;
  return {
    async listJobs({ caller, query }) {
      const { accountId } = caller.account;
      await view.reached(view.committedSequence(accountId), ownWritesTimeoutMs);
      const { jobs, hasMore } = view.list(accountId, {
        live: caller.key.live,
        status: query.status as JobStatus | undefined,
        tool: query.tool as ToolId | undefined,
        createdAfterMs: query.createdAfter === undefined ? undefined : Date.parse(query.createdAfter as string),
        metadata: metadataOf(query),
        beforeId: query.cursor === undefined ? undefined : (query.cursor as string).toLowerCase(),
        limit: query.limit as number,
      });
      const data = await Promise.all(jobs.map(answers.job));
      const last = jobs.at(-1);
      return { status: 200, body: hasMore && last !== undefined ? { data, nextCursor: last.id } : { data } };
    },

    async getJob(call) {
      const { value } = await readJob(log, call.caller, call.path.id!, nowMs());
      const seconds = parsePreferWait(call.headers.prefer);
      if (seconds === undefined) return { status: 200, body: await answers.job(value) };
      const job = await waitForJob(parts, value, seconds * 1000, call.signal);
      if (job === undefined) throw noSuchJob();
      return { status: 200, body: await answers.job(job), headers: { "Preference-Applied": `wait=${seconds}` } };
    },

    async cancelJob({ caller, path }) {
      return { status: 200, body: await answers.job(await cancelJob(parts, caller, path.id!)) };
    },

    async deleteJob({ caller, path }) {
      await deleteJob(parts, caller, path.id!);
      return { status: 204 };
    },

    async streamJobEvents(call: Call) {
      const { value } = await readJob(log, call.caller, call.path.id!, nowMs());
      // Asked for the headers alone, a stream has none of what would send them.
      if (call.request.method === "HEAD") return { status: 200, headers: { "Content-Type": "text/event-stream" } };
      await streamJobEvents(parts, call, value);
      return "sent";
    },
  };
}

function metadataOf(query: Readonly<Record<string, unknown>>): Record<string, string> {
  const prefix = "metadata.";
  return Object.fromEntries(
    Object.entries(query)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), String(value)]),
  );
}
