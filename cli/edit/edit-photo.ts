/** One photo: sent, waited for and written, and tried again where that may help. */
import { createHash, randomUUID } from "node:crypto";
import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { type ErrorCode, errorCatalog } from "@packshot/domain/errors.ts";
import { type EditedPhoto, type Packshot, PackshotError } from "@packshot/sdk/packshot.ts";
import type { EditSettings } from "../client/edit-settings.ts";
import { CommandError } from "../command-line/command.ts";
import type { Photo, PhotoFile } from "./photo.ts";
import type { FailedFile, ResultFolder } from "./result-folder.ts";

export interface EditPhotoDeps {
  readonly client: Packshot;
  readonly settings: EditSettings;
  readonly folder: ResultFolder;
  readonly retriesMax: number;
  readonly force: boolean;
  readonly signal: AbortSignal;
  onRetry(photo: Photo, error: PackshotError, afterMs: number): void;
}

export type PhotoOutcome =
  | {
      readonly kind: "edited";
      readonly file: string;
      readonly shadow?: string;
      readonly further?: readonly string[];
      /** Files of `outputs` that could not be made. */
      readonly failedFiles?: readonly FailedFile[];
      readonly job: EditedPhoto["job"];
    }
  /** In an earlier run. */
  | {
      readonly kind: "done";
      readonly file: string;
      readonly quality?: string;
      readonly reasons?: readonly string[];
      readonly failedFiles?: readonly FailedFile[];
    }
  /** There was a file of that name. */
  | { readonly kind: "occupied"; readonly file: string }
  | { readonly kind: "failed"; readonly code: string; readonly message: string };

const fileNameMax = 200;

/** Rejects with a PackshotError or CommandError where no other photo would fare better, and with the signal's reason. */
export function createEditPhoto(deps: EditPhotoDeps): (photo: Photo) => Promise<PhotoOutcome> {
  const { client, settings, folder, retriesMax, force, signal } = deps;

  /** The same edit has the same key in each run, so that one which was accepted is found again and not paid twice. */
  function keyOf(photo: Photo, failures: number): string {
    if (force) return randomUUID();
    const edit = JSON.stringify([photo.fingerprint, settings.hash, failures]);
    return `cli-${createHash("sha256").update(edit).digest("hex").slice(0, 40)}`;
  }

  async function tryOnce(photo: Photo, idempotencyKey: string): Promise<PhotoOutcome> {
    const source = photo.kind === "file" ? await openPhoto(photo) : photo.address;
    // The same in each run, wherever it was started: a request that differs would need another key.
    const metadata = { photo: photo.label.slice(-fileNameMax) };
    const edited = await client.edit(settings.tool, source, { ...settings.options, metadata, idempotencyKey, signal });
    // Before the result, whose record says that the photo is done.
    const shadow = await saveShadow(photo, edited.job);
    const further = await saveFurther(photo, edited.job);
    const companions = { ...(shadow !== undefined && { shadow }), ...(further.length > 0 && { further }) };
    const file = await folder.save(photo, await edited.download({ signal }));
    const { quality, reasons } = edited.job.report ?? {};
    const failed = failedFilesOf(edited.job);
    const failedFiles = failed.length > 0 && { failedFiles: failed };
    folder.record(photo, {
      settings: settings.hash,
      file,
      jobId: edited.job.id,
      ...companions,
      ...failedFiles,
      ...(quality !== undefined && { quality }),
      ...(reasons !== undefined && reasons.length > 0 && { reasons }),
    });
    return { kind: "edited", file, ...companions, ...failedFiles, job: edited.job };
  }

  /** The photo's own, where `keepShadow` found one. */
  async function saveShadow(photo: Photo, job: EditedPhoto["job"]): Promise<string | undefined> {
    if (job.shadowUrl === undefined) return undefined;
    return await folder.save(photo, await client.jobs.download(job, "shadow", { signal }), "shadow");
  }

  /** What an edit with `variations` or `outputs` made beside the first result, and one with `layers`. */
  async function saveFurther(photo: Photo, job: EditedPhoto["job"]): Promise<string[]> {
    const files: string[] = [];
    const made = (job.results ?? []).slice(1).filter(({ error }) => error === undefined);
    for (const { name } of [...made, ...(job.layers ?? [])]) {
      files.push(await folder.save(photo, await client.jobs.download(job, name, { signal }), name));
    }
    return files;
  }

  async function edit(photo: Photo, failures: number): Promise<PhotoOutcome> {
    let idempotencyKey = keyOf(photo, failures);
    for (let tries = 1; ; tries += 1) {
      try {
        return await tryOnce(photo, idempotencyKey);
      } catch (thrown) {
        signal.throwIfAborted();
        if (thrown instanceof CommandError) throw thrown;
        const error = (await hasChanged(photo))
          ? new PackshotError("photo_changed", "It changed while it was sent.")
          : asPackshotError(thrown);
        const next = nextTry(error, tries, retriesMax);
        if (next.kind === "stop") throw error;
        if (next.kind === "give-up") {
          const { code, message } = error;
          // The next run makes another edit of it only where the service has ended this one.
          if (error.jobId !== undefined) folder.record(photo, { settings: settings.hash, code });
          return { kind: "failed", code, message };
        }
        if (!next.sameEdit) idempotencyKey = randomUUID();
        if (next.afterMs > 0) deps.onRetry(photo, error, next.afterMs);
        await delay(next.afterMs, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
  }

  return async (photo) => {
    const state = folder.stateOf(photo, settings.hash);
    if (state.kind === "wanted") return await edit(photo, state.failures);
    if (force) return await edit(photo, 0);
    if (state.kind === "occupied") return state;
    const { file = "", quality, reasons, failedFiles } = state.record;
    const known = { ...(quality && { quality }), ...(reasons && { reasons }), ...(failedFiles && { failedFiles }) };
    return { kind: "done", file, ...known };
  };
}

function failedFilesOf({ results = [] }: EditedPhoto["job"]): FailedFile[] {
  return results.flatMap(({ name, error }) => {
    return error === undefined ? [] : [{ name, code: error.code, message: error.message }];
  });
}

async function openPhoto({ path }: PhotoFile): Promise<Blob> {
  return await openAsBlob(path).catch((error: NodeJS.ErrnoException) => {
    throw new PackshotError("photo_unreadable", `It cannot be read (${error.code ?? error.message}).`);
  });
}

/** Whoever reads a file that somebody writes gets an error that looks like one of the connection. */
async function hasChanged(photo: Photo): Promise<boolean> {
  if (photo.kind !== "file") return false;
  const now = await stat(photo.path).catch(() => undefined);
  return now === undefined || now.size !== photo.bytes || now.mtimeMs !== photo.modifiedMs;
}

/** A download that broke off, or a file that went away while it was sent. */
function asPackshotError(error: unknown): PackshotError {
  if (error instanceof PackshotError) return error;
  const { message } = error as Error;
  return new PackshotError("connection_failed", `The connection broke off: ${message}.`, { cause: error });
}

/** Whether a photo is tried again after an error, when, and as what: decisions over plain data. */
export interface TryError {
  readonly code: string;
  /** Only when a job has ended with this error. */
  readonly jobId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** As the service says of a job's error; absent: as the catalog has it. */
  readonly retryable?: boolean | undefined;
}

export type NextTry =
  /** `sameEdit`: with the same idempotency key, so that an edit which was accepted is found again. */
  | { readonly kind: "again"; readonly afterMs: number; readonly sameEdit: boolean }
  | { readonly kind: "give-up" }
  /** No other photo would fare better. */
  | { readonly kind: "stop" };

const firstDelayMs = 1_000;
const delayMsMax = 30_000;

const concernsAll: ReadonlySet<string> = new Set([
  ...["unauthenticated", "insufficient_credits", "api_disabled", "scope_missing", "tool_not_available"],
]);
/** The edit of this key is over, without a result that could be fetched. */
const isOver: ReadonlySet<string> = new Set(["job_expired", "job_deleted", "job_cancelled", "idempotency_key_reused"]);
const connection: ReadonlySet<string> = new Set(["connection_failed", "timed_out"]);

/** @param tries how often the photo was tried, this one counted */
export function nextTry(error: TryError, tries: number, retriesMax: number): NextTry {
  const { code, jobId, retryAfterMs } = error;
  if (concernsAll.has(code)) return { kind: "stop" };
  const isLast = tries > retriesMax;
  if (isOver.has(code)) return isLast ? { kind: "give-up" } : { kind: "again", afterMs: 0, sameEdit: false };
  const isGone = connection.has(code);
  // A proxy's page, perhaps of the minute in which the service is started again.
  const isForeign = code === "invalid_response";
  if (!isGone && !isForeign && !isRetryable(error)) return { kind: "give-up" };
  if (isLast) return { kind: isGone ? "stop" : "give-up" };
  const afterMs = retryAfterMs ?? Math.min(delayMsMax, firstDelayMs * 2 ** (tries - 1));
  return { kind: "again", afterMs, sameEdit: jobId === undefined };
}

function isRetryable({ code, retryable }: TryError): boolean {
  if (retryable !== undefined) return retryable;
  return Object.hasOwn(errorCatalog, code) && errorCatalog[code as ErrorCode].retryable;
}
