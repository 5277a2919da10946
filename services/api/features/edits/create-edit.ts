import type { BucketFile, KeyValues } from "@packshot/domain/bucket-key.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import type { Job, Metadata } from "@packshot/domain/job.ts";
import { storageKeys } from "@packshot/domain/storage-keys.ts";
import type { EditParameters, ToolId } from "@packshot/domain/tools.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { activeSpan, jobIdAttribute, traced, traceField } from "@packshot/platform/telemetry/tracing.ts";
import { type Accept, type AcceptOutcome, newJob } from "./accept-request.ts";
import { type Caller, realmOf } from "../../access/caller.ts";
import { assertSameRequest, type IdempotencyKey } from "../../idempotency/idempotency-key.ts";
import { applyPreset } from "../presets/apply-preset.ts";
import { resolveDestination } from "./resolve-destination.ts";
import { backgroundSource } from "./background-source.ts";
import { type EditSource, type StoreSourceDeps, storeSource } from "./store-source.ts";

export interface CreateEditDeps extends StoreSourceDeps {
  readonly accept: Accept;
  /** Throws `unavailable` while the log should take no further jobs. */
  readonly assertAccepting: () => void;
  readonly logger: Logger;
}

export interface NewEdit {
  readonly tool: ToolId;
  readonly source: EditSource;
  /** A picture behind the product that the parameters do not name. */
  readonly background?: EditSource;
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
}

/**
 * Makes a job of an edit: stores its source, debits its credits and queues it, all or nothing. Throws what storing the
 * source and accepting the job throw, `idempotency_key_reused`, and `invalid_request` for a preset that is not there.
 */
export async function createEdit(
  deps: CreateEditDeps,
  { caller, edit: given, idempotencyKey }: CreateEditInput,
): Promise<AcceptOutcome> {
  deps.assertAccepting();
  const { key, account } = caller;
  const edit = await applyPreset(deps, realmOf(caller), given);
  const { accountId } = account;
  const now = deps.nowMs();
  const jobId = uuidv7(now);
  activeSpan()?.setAttribute(jobIdAttribute, jobId);
  const destination = await resolveDestination(deps, { caller, jobId, edit });
  const sources = await storeSources(deps, { caller, jobId, edit });
  const { tool, parameters, metadata } = edit;
  const job = newJob({
    ...sources,
    ...(destination === undefined ? {} : { destination }),
    id: jobId,
    accountId,
    live: key.live,
    tool,
    parameters,
    metadata,
    maxFileSizeBytes: account.limits.maxFileSizeBytes,
    createdAt: isoTime(now),
  });
  try {
    const outcome = await traced("accept", {}, () =>
      deps.accept(accountId, { job: { ...job, ...traceField() }, idempotency: idempotencyKey }),
    );
    if (outcome.kind === "replayed") {
      await removeSource(deps, { accountId, jobId });
      assertSameRequest(outcome.record, idempotencyKey!);
    }
    return outcome;
  } catch (error) {
    // After `unavailable` the job may be there and need its source; if it is not, the sweep removes the source.
    if (error instanceof PackshotError && error.code !== "unavailable") await removeSource(deps, { accountId, jobId });
    throw error;
  }
}

async function storeSources(
  deps: CreateEditDeps,
  { caller, jobId, edit }: { readonly caller: Caller; readonly jobId: string; readonly edit: NewEdit },
): Promise<Pick<Job, "source" | "background">> {
  const { accountId } = caller.account;
  const background = backgroundSource(edit);
  const source = await storeSource(deps, { caller, key: storageKeys.source(accountId, jobId), source: edit.source });
  if (background === undefined) return { source };
  try {
    const key = storageKeys.background(accountId, jobId);
    return { source, background: await storeSource(deps, { caller, key, source: background }) };
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
