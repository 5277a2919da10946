import { engineOf, sceneEngines } from "@packshot/domain/edits/engine.ts";
import { mapPictureFiles } from "@packshot/domain/edits/pictures.ts";
import { inputTypes, isToolId, type Tool, toolIds, tools } from "@packshot/domain/edits/tools.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { IdempotencyRecord } from "@packshot/domain/jobs/job.ts";
import { isEnded, type Job } from "@packshot/domain/jobs/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { createContestedKeys } from "@packshot/platform/flow/contested-keys.ts";
import { isHeicInstalled } from "@packshot/platform/images/heic-support.ts";
import { createImageInspector, type InspectImageFor } from "@packshot/platform/images/image-inspector.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { traced } from "@packshot/platform/telemetry/tracing.ts";
import { type Caller, realmOf } from "../../access/caller.ts";
import type { ListToolModels } from "../../catalog/tool-models.ts";
import type { Core, Feature } from "../../core/core.ts";
import type { ApiResponse, Call, Handlers } from "../../http/call.ts";
import {
  type EditFormLimits,
  formOverheadBytesMax,
  formsFolder,
  sweepStaleForms,
  withEditForm,
} from "../../http/edit-form.ts";
import { parsePreferWait, replayedHeader } from "../../http/headers.ts";
import { idempotencyKeyOf, type RunOnce } from "../../http/idempotency.ts";
import { countRequest, type RateLimit } from "../../http/rate-limit.ts";
import { mediaTypeOf } from "../../http/request-body.ts";
import { createFormSlots, type FormSlots } from "../../http/slots.ts";
import { isExpired, readJob, waitForJob } from "../jobs/job-actions.ts";
import type { JobResponses } from "../jobs/job-response.ts";
import type { JobView } from "../jobs/job-view.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { afterRefunds } from "../jobs/unsettled-refunds.ts";
import { createCommitAccepts } from "./accept-batch.ts";
import { type AcceptForwarder, createAcceptForwarder } from "./accept-forwarder.ts";
import { createAcceptQueue, timeAccepts } from "./accept-queue.ts";
import { type CreateEditDeps, createEdit, editOfJob, type NewEdit, type OwnMask, remaskedEdit } from "./create-edit.ts";
import { createEditRequestReader, type EditRequestReaderDeps } from "./edit-request.ts";
import { assertSourceRoom, type EditSource } from "./edit-source.ts";

export interface EditHandlerDeps extends CreateEditDeps, EditRequestReaderDeps {
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

function editHandlers(deps: EditHandlerDeps): Handlers {
  const requests = createEditRequestReader(deps);

  /** `discardSource` is called when the request no longer needs its form's file: a wait for the job may take long. */
  async function submit(
    call: Call,
    edit: NewEdit,
    discardSource: () => Promise<void> = async () => {},
    freeRepeatOf?: string,
  ): Promise<ApiResponse> {
    const { caller, headers } = call;
    const idempotencyKey = idempotencyKeyOf(realmOf(caller), headers["idempotency-key"], {
      operation: "createEdit",
      tool: edit.tool,
      parameters: edit.parameters,
      preset: edit.preset,
      metadata: edit.metadata,
      source: sourceFingerprint(edit.source),
      ...mapPictureFiles((part) => edit[part] && sourceFingerprint(edit[part])),
      destination: edit.destination,
    });
    const replay = async (record: IdempotencyRecord) => {
      await discardSource();
      return await replayResponse(deps, call, record);
    };
    return await deps.runOnce(
      idempotencyKey,
      async () => {
        const outcome = await createEdit(deps, { caller, edit, idempotencyKey, freeRepeatOf });
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
      const { parameters } = call.body as { readonly parameters?: OwnMask };
      if (parameters === undefined) return await submit(call, editOfJob(job));
      return await submit(call, remaskedEdit(job, parameters), undefined, job.id);
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

async function replayResponse(deps: EditHandlerDeps, call: Call, record: IdempotencyRecord): Promise<ApiResponse> {
  const { value: job } = await deps.log.read<Job>(subjects.job(call.caller.account.accountId, record.subjectId));
  if (job === undefined || isExpired(job, deps.nowMs())) {
    throw new PackshotError("job_expired", "The job of this Idempotency-Key has been cleaned up: use a new key.");
  }
  const response = await waitIfPreferred(deps, call, job, { status: record.status, body: record.body });
  return { ...response, headers: { ...response.headers, ...replayedHeader } };
}

/** With `Prefer: wait=N`, the job if it ends within N seconds; `created` otherwise. */
async function waitIfPreferred(
  deps: EditHandlerDeps,
  call: Call,
  job: Job,
  created: ApiResponse,
): Promise<ApiResponse> {
  const seconds = parsePreferWait(call.headers.prefer);
  const headers: Record<string, string> = { Location: deps.responses.statusUrl(job.id) };
  if (seconds === undefined) return { ...created, headers };
  headers["Preference-Applied"] = `wait=${seconds}`;
  const current = await waitForJob(deps, { job, waitMs: seconds * 1000, signal: call.signal });
  if (current === undefined || !isEnded(current)) return { ...created, headers };
  return { status: 200, body: await deps.responses.job(current), headers };
}

export type Edits = EditHandlerDeps;

export function createEdits(core: Core, { view, responses, refunds }: Jobs): { edits: Edits } & Feature {
  const forwarder = createAccepting(core, responses);
  const inspector = createImageInspector({ folder: formsFolder, logger: core.logger });
  const forms: Component = { name: "forms", start: sweepStaleForms, stop: async () => {} };
  const edits: Edits = {
    ...core,
    view,
    responses,
    accept: afterRefunds(timeAccepts(forwarder.accept, core.metrics), refunds),
    inspectImage: (...question) => traced("inspect image", {}, () => inspector.inspectImage(...question)),
    formSlots: createFormSlots(core.formLimits),
  };
  return {
    edits,
    handlers: { ...editHandlers(edits), ...toolHandlers(core) },
    components: [forms, inspector, forwarder],
  };
}

/** An accept passes the forwarder, then the queue, then a batch. */
function createAccepting(core: Core, responses: JobResponses): AcceptForwarder {
  const { log, records, nowMs, metrics, accountMutex, countCredits } = core;
  const contested = createContestedKeys({ nowMs });
  const commit = createCommitAccepts({
    log,
    records,
    nowMs,
    responseBody: responses.created,
    onDebits: countCredits,
    onConflict(accountId) {
      metrics.onConflict();
      contested.recordConflict(accountId);
    },
  });
  const { isContested } = contested;
  const streamIndexOf = (accountId: string) => log.streamOf(subjects.account(accountId)).index;
  const acceptHere = createAcceptQueue({ commit, accountMutex, isContested, streamIndexOf, onBatch: metrics.onBatch });
  return createAcceptForwarder({ log, acceptHere, nowMs, onForward: metrics.onForward });
}

export interface ToolHandlerDeps {
  readonly maxPixels: number;
  readonly models: ListToolModels;
  readonly pipelines: () => readonly string[];
  readonly engines: Core["engines"];
}

function toolHandlers({ maxPixels, models, pipelines, engines }: ToolHandlerDeps): Handlers {
  const enginesNow = (live: boolean) => sceneEngines.filter((one) => one === "renderer" || engines(live).hasImageModel);
  const toolBody = (tool: Tool, { account: { limits }, key }: Caller) => ({
    ...tool,
    ...(tool.id === "ai-bg"
      ? { engines: enginesNow(key.live), autoEngine: engineOf(tool.id, {}, engines(key.live))! }
      : {}),
    inputTypes: isHeicInstalled() ? [...inputTypes, "image/heic"] : inputTypes,
    maxFileSizeBytes: limits.maxFileSizeBytes,
    maxPixels,
    models: models(),
    pipelines: [...pipelines()],
  });
  return {
    listTools: async ({ caller }) => ({
      status: 200,
      body: { data: toolIds.map((id) => toolBody(tools[id], caller)) },
    }),
    async getTool({ caller, path }) {
      const id = path.tool_id!;
      if (!isToolId(id)) throw new PackshotError("not_found", `Tool "${id}" not found.`);
      return { status: 200, body: toolBody(tools[id], caller) };
    },
  };
}
