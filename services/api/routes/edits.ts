import { PackshotError } from "@packshot/domain/errors.ts";
import type { IdempotencyRecord } from "@packshot/domain/idempotency.ts";
import { isEnded, type Job, type Metadata } from "@packshot/domain/job.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { type EditParameters, isToolId, type ToolId, toolIds, tools } from "@packshot/domain/tools.ts";
import type { ValidateFunction } from "ajv";
import { mediaTypeOf } from "../http/request-body.ts";
import type { ApiResponse, Call, Handlers } from "../http/call.ts";
import type { Contract } from "../http/contract.ts";
import { type EditForm, withEditForm } from "../http/edit-form.ts";
import { validationError, invalidRequest } from "../http/validation-messages.ts";
import { unflattenFields } from "../http/unflatten-fields.ts";
import { parsePreferWait } from "../http/prefer-header.ts";
import type { JobView } from "../followers/job-view.ts";
import { type CreateEditDeps, createEdit, type EditOrder } from "../use-cases/edits/create-edit.ts";
import { idempotencyKeyOf, type SingleFlight, replayedHeader } from "../idempotency/idempotency-key.ts";
import type { EditSource } from "../use-cases/edits/store-source.ts";
import { isPast } from "../use-cases/jobs/read-job.ts";
import { waitForJob } from "../use-cases/jobs/wait-for-job.ts";
import type { JobResponses } from "./job-response.ts";

export interface EditRouteDeps extends CreateEditDeps {
  readonly contract: Contract;
  readonly once: SingleFlight;
  readonly view: JobView;
  readonly answers: JobResponses;
  readonly maxPixels: number;
  /** Segmentation models whose weights are in place. */
  readonly models: () => readonly { readonly name: string }[];
}

const metadataBytesMax = 2048;
const noSource = "imageUrl or uploadSessionId is required";

interface EditFields {
  readonly imageUrl?: string;
  readonly uploadSessionId?: string;
  readonly parameters?: EditParameters;
  readonly metadata?: Metadata;
}

export function editHandlers(parts: EditRouteDeps): Handlers {
  const validators = validatorsOf(parts.contract);

  function checked(tool: ToolId, fields: unknown, hasFile: boolean): EditFields {
    const validate = validators[tool];
    if (!validate(fields)) throw validationError(validate.errors, "field");
    const edit = fields as EditFields;
    const sources = [edit.imageUrl, edit.uploadSessionId, hasFile || undefined].filter(
      (source) => source !== undefined,
    );
    if (sources.length === 0) throw invalidRequest(noSource);
    if (sources.length > 1) throw invalidRequest("Give one source: imageUrl, uploadSessionId or the file image.");
    if (Buffer.byteLength(JSON.stringify(edit.metadata ?? {})) > metadataBytesMax) {
      throw invalidRequest(`"metadata" may have ${metadataBytesMax} bytes.`, { field: "metadata" });
    }
    refuseUnknownModel(edit.parameters?.model);
    return edit;
  }

  /** A version, `name@2`, is the model server's to know. */
  function refuseUnknownModel(model: string | undefined): void {
    if (model === undefined) return;
    const names = parts.models().map(({ name }) => name);
    if (names.includes(model.split("@")[0]!)) return;
    throw invalidRequest(`There is no model "${model}" here; there are ${names.join(", ") || "none"}.`, {
      field: "parameters.model",
    });
  }

  async function submit(call: Call, order: EditOrder, reference: string): Promise<ApiResponse> {
    const { caller, headers } = call;
    const who = { accountId: caller.account.accountId, live: caller.key.live };
    const claim = idempotencyKeyOf(who, headers["idempotency-key"], {
      operation: "createEdit",
      tool: order.tool,
      parameters: order.parameters,
      metadata: order.metadata,
      source: reference,
    });
    const replay = (record: IdempotencyRecord) => answerReplay(parts, call, record);
    return await parts.once.run(
      claim,
      async () => {
        const accepted = await createEdit(parts, caller, order, claim);
        if (accepted.kind === "replayed") return await replay(accepted.record);
        const { job, sequence } = accepted;
        parts.view.committed(job.accountId, sequence);
        return await answerWaiting(parts, call, job, { status: 202, body: parts.answers.created(job) });
      },
      replay,
    );
  }

  return {
    async createEdit(call) {
      const tool = call.path.tool_id!;
      if (!isToolId(tool)) throw new PackshotError("not_found", `There is no tool "${tool}".`);
      if (mediaTypeOf(call.request) !== "multipart/form-data") {
        const edit = checked(tool, call.body, false);
        const source = sourceOf(edit);
        const { parameters = {}, metadata = {} } = edit;
        return await submit(call, { tool, source, parameters, metadata }, referenceOf(source));
      }
      const fileBytesMax = call.caller.account.limits.maxFileSizeBytes;
      return await withEditForm(call.request, { fileBytesMax, maxPixels: parts.maxPixels }, async (form) => {
        const edit = checked(tool, fieldsOf(form, tool), form.file !== undefined);
        const source = form.file === undefined ? sourceOf(edit) : ({ kind: "file", ...form.file } as const);
        const { parameters = {}, metadata = {} } = edit;
        return await submit(call, { tool, source, parameters, metadata }, referenceOf(source));
      });
    },
  };
}

/** The contract's EditRequest with the parameters of one tool, and without its union of sources: that has words of its own. */
function validatorsOf(contract: Contract): Record<ToolId, ValidateFunction> {
  const { oneOf: _, ...request } = contract.document.components.schemas.EditRequest as {
    oneOf: unknown;
    properties: Record<string, object>;
  };
  const of = (tool: ToolId) =>
    contract.compile({ ...request, properties: { ...request.properties, parameters: tools[tool].parameters } });
  return Object.fromEntries(toolIds.map((tool) => [tool, of(tool)])) as Record<ToolId, ValidateFunction>;
}

/** Names from outside become members by `fromEntries`, which knows no special ones. */
function fieldsOf(form: EditForm, tool: ToolId): object {
  const named = Object.entries(form.fields);
  const below = (prefix: string) =>
    named.filter(([name]) => name.startsWith(prefix)).map(([name, text]) => [name.slice(prefix.length), text] as const);
  const isSource = (name: string) => name === "imageUrl" || name === "uploadSessionId";
  const flat = named.filter(([name]) => !isSource(name) && !/^(metadata|parameters)\./.test(name));
  return {
    ...Object.fromEntries(named.filter(([name]) => isSource(name))),
    parameters: unflattenFields([...flat, ...below("parameters.")], tools[tool].parameters),
    metadata: Object.fromEntries(below("metadata.")),
  };
}

function sourceOf({ imageUrl, uploadSessionId }: EditFields): EditSource {
  if (imageUrl === undefined) return { kind: "upload", uploadId: uploadSessionId! };
  if (!URL.canParse(imageUrl)) throw invalidRequest('"imageUrl" is not a URL.', { field: "imageUrl" });
  return { kind: "url", imageUrl };
}

function referenceOf(source: EditSource): string {
  if (source.kind === "url") return `url:${source.imageUrl}`;
  return source.kind === "upload" ? `upload:${source.uploadId}` : `file:${source.sha256}`;
}

async function answerReplay(parts: EditRouteDeps, call: Call, record: IdempotencyRecord): Promise<ApiResponse> {
  const { value: job } = await parts.log.read<Job>(subjects.job(call.caller.account.accountId, record.subjectId));
  if (job === undefined || isPast(job, parts.nowMs())) {
    throw new PackshotError("job_expired", "The job of this Idempotency-Key has been cleaned up: use a new key.");
  }
  const answer = await answerWaiting(parts, call, job, { status: record.status, body: record.body });
  return { ...answer, headers: { ...answer.headers, ...replayedHeader } };
}

/** With `Prefer: wait=N` the finished job, else the creation's answer. */
async function answerWaiting(parts: EditRouteDeps, call: Call, job: Job, created: ApiResponse): Promise<ApiResponse> {
  const seconds = parsePreferWait(call.headers.prefer);
  const headers: Record<string, string> = { Location: parts.answers.statusUrl(job.id) };
  if (seconds === undefined) return { ...created, headers };
  headers["Preference-Applied"] = `wait=${seconds}`;
  const ended = await waitForJob(parts, job, seconds * 1000, call.signal);
  if (ended === undefined || !isEnded(ended)) return { ...created, headers };
  return { status: 200, body: await parts.answers.job(ended), headers };
}
