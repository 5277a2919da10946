import {
  type BucketFile,
  baseNameOf,
  fillKey,
  hasPlaceholder,
  type KeyValues,
} from "@packshot/domain/connections/bucket-key.ts";
import { contradictionOf } from "@packshot/domain/edits/contradictions.ts";
import { assertEngine, type EngineRules, jobEngine } from "@packshot/domain/edits/engine.ts";
import {
  mapPictures,
  mapPicturesAsync,
  type PicturePart,
  type Pictures,
  picturesOf,
} from "@packshot/domain/edits/pictures.ts";
import { assertPipeline } from "@packshot/domain/edits/pipeline.ts";
import type { EditParameters, ToolId } from "@packshot/domain/edits/tools.ts";
import { ofField, PackshotError } from "@packshot/domain/errors.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import type { Job, JobSource, Metadata } from "@packshot/domain/jobs/job.ts";
import { sandboxProblem } from "@packshot/domain/jobs/sandbox-outcome.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { activeSpan, jobIdAttribute, traced, traceField } from "@packshot/platform/telemetry/tracing.ts";
import { type Caller, realmOf } from "../../access/caller.ts";
import { assertSameRequest, type IdempotencyKey } from "../../http/idempotency.ts";
import { invalidRequest } from "../../http/validation-messages.ts";
import { assertConnection } from "../connections/find-connection.ts";
import { applyOutputPresets, applyPreset } from "../presets/preset-actions.ts";
import { type ReadUploadDeps, readUpload } from "../uploads/upload-actions.ts";
import { type Accept, type AcceptOutcome, newJob } from "./accept-request.ts";
import {
  type EditSource,
  fieldOfPicture,
  pictureSources,
  type StoreSourceDeps,
  sourceOfJob,
  storeSource,
} from "./edit-source.ts";

export interface CreateEditDeps extends StoreSourceDeps {
  readonly accept: Accept;
  /** Throws `unavailable` while the log should take no further jobs. */
  readonly assertAccepting: () => void;
  readonly logger: Logger;
  /** Versions of the pipeline that running workers have. */
  readonly pipelines: () => readonly string[];
  readonly engines: (live: boolean) => EngineRules;
}

/** With pictures that the parameters do not name. */
export interface NewEdit extends Pictures<EditSource> {
  readonly tool: ToolId;
  readonly source: EditSource;
  readonly parameters: EditParameters;
  /** Id of one of the account's presets: it fills in what the edit does not give. */
  readonly preset?: string;
  readonly metadata: Metadata;
  /** As the request names it: the key may have placeholders. */
  readonly destination?: BucketFile;
  /** Values of placeholders, where they are not those of the edit itself. */
  readonly keyValues?: Pick<KeyValues, "ref" | "batchId">;
}

export interface CreateEditInput {
  readonly caller: Caller;
  readonly edit: NewEdit;
  readonly idempotencyKey: IdempotencyKey | undefined;
  /** The job that is run again with another mask: if its free repeat is left, this one is free. */
  readonly freeRepeatOf?: string | undefined;
}

/**
 * Makes a job of an edit: stores its source, debits its credits and queues it, all or nothing. Throws what storing the
 * source and accepting the job throw, `idempotency_key_reused`, `pipeline_not_available`, `engine_not_available`, and `invalid_request` for a preset that
 * is not there, for parameters that exclude each other, and for a test edit that asks for a failure that there is not.
 */
export async function createEdit(
  deps: CreateEditDeps,
  { caller, edit: given, idempotencyKey, freeRepeatOf }: CreateEditInput,
): Promise<AcceptOutcome> {
  deps.assertAccepting();
  const { key, account } = caller;
  const edit = await applyOutputPresets(deps, realmOf(caller), await applyPreset(deps, realmOf(caller), given));
  if (edit.parameters.pipeline !== undefined) assertPipeline(deps.pipelines(), edit.parameters.pipeline);
  const contradiction = contradictionOf(edit.tool, edit.parameters);
  if (contradiction !== undefined) throw invalidRequest(contradiction.message, { field: contradiction.field });
  if (!key.live) assertSandboxWords(edit);
  const engines = deps.engines(key.live);
  assertEngine(edit.parameters, engines);
  const { accountId } = account;
  const now = deps.nowMs();
  const jobId = uuidv7(now);
  activeSpan()?.setAttribute(jobIdAttribute, jobId);
  const destination = await resolveDestination(deps, { caller, jobId, edit });
  const sources = await storeSources(deps, { caller, jobId, edit });
  const { tool, parameters, metadata } = edit;
  const draft = {
    ...sources,
    destination,
    id: jobId,
    accountId,
    live: key.live,
    tool,
    ...jobEngine(tool, parameters, engines),
    metadata,
    maxFileSizeBytes: account.limits.maxFileSizeBytes,
    createdAt: isoTime(now),
  };
  const job = newJob(draft, account.limits);
  try {
    const outcome = await traced("accept", {}, () =>
      deps.accept(accountId, {
        job: { ...job, ...traceField() },
        idempotency: idempotencyKey,
        freeRepeatOf,
      }),
    );
    if (outcome.kind === "replayed") {
      assertSameRequest(outcome.record, idempotencyKey!);
      await removeSource(deps, { accountId, jobId });
    }
    return outcome;
  } catch (error) {
    // After `unavailable` the job may be there and need its source; if it is not, the sweep removes the source.
    if (error instanceof PackshotError && error.code !== "unavailable") await removeSource(deps, { accountId, jobId });
    throw error;
  }
}

function assertSandboxWords({ source, metadata }: NewEdit): void {
  const problem = sandboxProblem(source.kind === "url" ? source.imageUrl : undefined, metadata);
  if (problem !== undefined) throw invalidRequest(problem.message, { field: problem.field });
}

async function storeSources(
  deps: CreateEditDeps,
  { caller, jobId, edit }: { readonly caller: Caller; readonly jobId: string; readonly edit: NewEdit },
): Promise<Pick<Job, "source" | PicturePart>> {
  const { accountId } = caller.account;
  const pictures = pictureSources(edit);
  const source = await storeSource(deps, { caller, key: storageKeys.source(accountId, jobId), source: edit.source });
  try {
    const stored = await mapPicturesAsync(pictures, async (picture, part) => {
      const key = storageKeys.picture(accountId, jobId, part);
      return await storeSource(deps, { caller, key, source: picture }).catch((error: unknown) => {
        throw ofField(error, fieldOfPicture(part, edit.parameters));
      });
    });
    return { source, ...stored };
  } catch (error) {
    await removeSource(deps, { accountId, jobId });
    throw error;
  }
}

async function removeSource(
  { storage, logger }: CreateEditDeps,
  { accountId, jobId }: { accountId: string; jobId: string },
): Promise<void> {
  await storage
    .deletePrefix(storageKeys.job(accountId, jobId))
    .catch((error: unknown) => logger.warn({ err: error, jobId }, "a refused edit's source stays until the sweep"));
}

/** The edit that a job ran, to be run again: with its seed, and with its model once it has completed. */
export function editOfJob(job: Job): NewEdit {
  const { id, tool, parameters, metadata, destination } = job;
  return {
    tool,
    parameters,
    metadata,
    source: sourceOfJob(id, job.source),
    // What the parameters name may be gone, as an upload session.
    ...mapPictures(picturesOf<JobSource>(job), (picture) => sourceOfJob(id, picture)),
    destination,
  };
}

/** The edit that a job ran, with a mask of the caller's own in the place of the matte that it had. Whoever drew it has seen the photo. */
export function remaskedEdit(job: Job, { maskImage, refine }: OwnMask): NewEdit {
  const { mask: _, ...edit } = editOfJob(job);
  const { onPoorSource: __, ...parameters } = edit.parameters;
  return { ...edit, parameters: { ...parameters, maskImage, refine: refine ?? parameters.refine } };
}

export interface OwnMask {
  readonly maskImage: NonNullable<EditParameters["maskImage"]>;
  readonly refine?: boolean;
}

/**
 * The destination with all that is known of its key; `{output}` and `{ext}` stay until the result is known. `ref` is the
 * metadata's entry of that name, unless the edit brings another one. Throws `invalid_request`.
 */
async function resolveDestination(
  deps: ReadUploadDeps,
  { caller, jobId, edit }: { readonly caller: Caller; readonly jobId: string; readonly edit: NewEdit },
): Promise<BucketFile | undefined> {
  const { destination, keyValues = {}, metadata, tool, parameters } = edit;
  if (destination === undefined) return undefined;
  const { connection, key: template } = destination;
  const ref = keyValues.ref ?? metadata.ref;
  const name = hasPlaceholder(template, "name") ? await sourceName(deps, caller, edit) : undefined;
  const output = parameters.outputs?.[0]?.name;
  const key = fillKey(template, { tool, jobId, ref, name, output, batchId: keyValues.batchId });
  await assertConnection(deps, realmOf(caller), { name: connection, field: "destination.connection" });
  return { connection, key };
}

async function sourceName(deps: ReadUploadDeps, caller: Caller, { source }: NewEdit): Promise<string | undefined> {
  if (source.kind === "url") return baseNameOf(source.imageUrl);
  // The destination of a job has no placeholder of its photo any more.
  if (source.kind === "job") return undefined;
  if (source.kind === "file") return source.filename === undefined ? undefined : baseNameOf(source.filename);
  return baseNameOf((await readUpload(deps, { realm: realmOf(caller), uploadId: source.uploadId })).filename);
}
