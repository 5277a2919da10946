import { PackshotError } from "@packshot/domain/errors.ts";
import type { IdempotencyRecord } from "@packshot/domain/jobs/idempotency.ts";
import { isEnded, type Job } from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { isToolId } from "@packshot/domain/edits/tools.ts";
import type { InspectImageFor } from "@packshot/platform/images/image-inspector.ts";
import { realmOf } from "../../access/caller.ts";
import type { ApiResponse, Call, Handlers } from "../../http/call.ts";
import { type EditFormLimits, formOverheadBytesMax, withEditForm } from "../../http/edit-form.ts";
import type { FormSlots } from "../../http/form-slots.ts";
import { parsePreferWait } from "../../http/prefer-header.ts";
import { countRequest, type RateLimit } from "../../http/rate-limit.ts";
import { mediaTypeOf } from "../../http/request-body.ts";
import { idempotencyKeyOf } from "../../idempotency/idempotency-key.ts";
import type { RunOnce } from "../../idempotency/run-once.ts";
import type { JobView } from "../jobs/job-view.ts";
import { type CreateEditDeps, createEdit, type NewEdit } from "./create-edit.ts";
import { assertSourceRoom } from "./edit-source.ts";
import type { EditSource } from "./edit-source.ts";
import { editOfJob } from "./create-edit.ts";
import { isExpired, readJob } from "../jobs/job-actions.ts";
import { waitForJob } from "../jobs/job-actions.ts";
import { createEditRequestReader, type EditRequestReaderDeps } from "./edit-request.ts";
import type { JobResponses } from "../jobs/job-response.ts";
import { replayedHeader } from "../../http/replayed-header.ts";

export interface EditRouteDeps extends CreateEditDeps, EditRequestReaderDeps {
  readonly runOnce: RunOnce;
  readonly view: JobView;
  readonly responses: JobResponses;
  readonly maxPixels: number;
  /** In turns by account. */
  readonly inspectImage: InspectImageFor;
  readonly formSlots: FormSlots;
  /** Counts the edits of test keys. */
  readonly testEditRate: RateLimit;
}

export function editHandlers(deps: EditRouteDeps): Handlers {
  const requests = createEditRequestReader(deps);

  /** `discardSource` is called when the request no longer needs its form's file: a wait for the job may take long. */
  async function submit(
    call: Call,
    edit: NewEdit,
    discardSource: () => Promise<void> = async () => {},
  ): Promise<ApiResponse> {
    const { caller, headers } = call;
    const idempotencyKey = idempotencyKeyOf(realmOf(caller), headers["idempotency-key"], {
      operation: "createEdit",
      tool: edit.tool,
      parameters: edit.parameters,
      preset: edit.preset,
      metadata: edit.metadata,
      source: sourceFingerprint(edit.source),
      ...(edit.destination === undefined ? {} : { destination: edit.destination }),
    });
    const replay = async (record: IdempotencyRecord) => {
      await discardSource();
      return await replayResponse(deps, call, record);
    };
    return await deps.runOnce(
      idempotencyKey,
      async () => {
        const outcome = await createEdit(deps, { caller, edit, idempotencyKey });
        if (outcome.kind === "replayed") return await replay(outcome.record);
        await discardSource();
        const { job, sequence } = outcome;
        deps.view.committed(job.accountId, sequence);
        return await waitIfPreferred(deps, call, job, { status: 202, body: deps.responses.created(job) });
      },
      replay,
    );
  }

  return {
    async repeatJob(call) {
      const { account, key } = call.caller;
      if (!key.live) await countRequest(deps.testEditRate, { account, live: false }, call.response);
      const { value: job } = await readJob(deps, { realm: realmOf(call.caller), jobId: call.path.id! });
      return await submit(call, editOfJob(job));
    },

    async createEdit(call) {
      const tool = call.path.tool_id!;
      if (!isToolId(tool)) throw new PackshotError("not_found", `Tool "${tool}" not found.`);
      const { account, key } = call.caller;
      if (!key.live) await countRequest(deps.testEditRate, { account, live: false }, call.response);
      if (mediaTypeOf(call.request) !== "multipart/form-data") {
        return await submit(call, requests.fromJson(tool, call.body));
      }
      const limits: EditFormLimits = {
        fileBytesMax: call.caller.account.limits.maxFileSizeBytes,
        maxPixels: deps.maxPixels,
        inspectImage: (...question) => deps.inspectImage(account.accountId, ...question),
        acquireSlot: (bytes: number) => deps.formSlots.acquire(realmOf(call.caller), bytes),
      };
      const contentLength = call.headers["content-length"];
      // A repeated request must reach the record of its key, however full the account is.
      if (call.headers["idempotency-key"] === undefined) {
        await assertSourceRoom(deps, call.caller, Math.max(1, Number(contentLength ?? 0) - formOverheadBytesMax));
      }
      await deps.storage.assertRoom(Number(contentLength ?? limits.fileBytesMax));
      return await withEditForm(call.request, limits, (form) =>
        submit(call, requests.fromForm(tool, form), form.discard),
      );
    },
  };
}

/** Stands for the source in the request's fingerprint. */
function sourceFingerprint(source: EditSource): string {
  if (source.kind === "url") return `url:${source.imageUrl}`;
  if (source.kind === "job") return `job:${source.jobId}`;
  return source.kind === "upload" ? `upload:${source.uploadId}` : `file:${source.sha256}`;
}

async function replayResponse(deps: EditRouteDeps, call: Call, record: IdempotencyRecord): Promise<ApiResponse> {
  const { value: job } = await deps.log.read<Job>(subjects.job(call.caller.account.accountId, record.subjectId));
  if (job === undefined || isExpired(job, deps.nowMs())) {
    throw new PackshotError("job_expired", "The job of this Idempotency-Key has been cleaned up: use a new key.");
  }
  const response = await waitIfPreferred(deps, call, job, { status: record.status, body: record.body });
  return { ...response, headers: { ...response.headers, ...replayedHeader } };
}

/** With `Prefer: wait=N`, the job if it ends within N seconds; `created` otherwise. */
async function waitIfPreferred(deps: EditRouteDeps, call: Call, job: Job, created: ApiResponse): Promise<ApiResponse> {
  const seconds = parsePreferWait(call.headers.prefer);
  const headers: Record<string, string> = { Location: deps.responses.statusUrl(job.id) };
  if (seconds === undefined) return { ...created, headers };
  headers["Preference-Applied"] = `wait=${seconds}`;
  const current = await waitForJob(deps, { job, waitMs: seconds * 1000, signal: call.signal });
  if (current === undefined || !isEnded(current)) return { ...created, headers };
  return { status: 200, body: await deps.responses.job(current), headers };
}
