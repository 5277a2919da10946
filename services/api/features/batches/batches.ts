/**
 * Batches of a catalog. `rows/` says what a row is and where rows and their outcomes lie, `read/` reads and checks a file of them, `photos/`
 * and `done/` look up what is known of them before, `run/` makes them jobs and settles those, and `report/` tells what became of them.
 */

import type { Batch } from "@packshot/domain/batches/batch.ts";
import { batchRate } from "@packshot/domain/batches/batch-changes.ts";
import { isPoor, type LookVerdict, lookVerdicts, verdictOf } from "@packshot/domain/batches/photo-look.ts";
import { sourceRules } from "@packshot/domain/edits/poor-source.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { IdempotencyRecord } from "@packshot/domain/jobs/job.ts";
import { realmOf } from "../../access/caller.ts";
import type { Core, Feature } from "../../core/core.ts";
import { type ApiResponse, type Call, type Handlers, resourceUrl, type Schemas } from "../../http/call.ts";
import { replayedHeader } from "../../http/headers.ts";
import { idempotencyKeyOf, type RunOnce } from "../../http/idempotency.ts";
import type { BucketLinks } from "../connections/bucket-links.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { type BatchChange, changeBatch, listBatches, readBatch } from "./batch-actions.ts";
import type { BatchDefaults } from "./batch-defaults.ts";
import { type BatchFileDeps, batchFileHandlers } from "./batch-files.ts";
import { type CreateBatchDeps, createBatch, type NewBatch } from "./create-batch.ts";
import { createDoneRows } from "./done/done-rows.ts";
import { createPrepareRows, createSkipDoneRows } from "./done/skip-done-rows.ts";
import { type DryRun, type DryRunDeps, dryRunBatch } from "./dry-run-batch.ts";
import { createLookAtPhotos, type LookedRow } from "./photos/look-at-photos.ts";
import { createLookUpUploads } from "./photos/look-up-uploads.ts";
import { createCheckFile } from "./read/check-file.ts";
import { createOutcomeFiles, type OutcomeFiles } from "./rows/outcome-files.ts";
import type { SampleSize } from "./rows/row-sample.ts";
import { createRowSegments, type RowSegments } from "./rows/row-segments.ts";
import { createBatchView } from "./run/batch-view.ts";
import { createCompleteJobs } from "./run/complete-jobs.ts";
import { createBatchExpiry } from "./run/expire-batches.ts";
import { createCancelJobs, createFeeder } from "./run/feeder.ts";
import { createHandOut, createTakeRows } from "./run/hand-out.ts";
import { createReadInput } from "./run/read-input.ts";
import { createSettler } from "./run/settle-rows.ts";

export type BatchHandlerDeps = CreateBatchDeps &
  DryRunDeps &
  BatchFileDeps & {
    readonly runOnce: RunOnce;
    readonly publicUrl: string;
  };

type BatchBody = Schemas["Batch"];

interface BatchFields extends BatchDefaults {
  readonly items?: readonly object[];
  readonly uploadSessionId?: string;
  readonly onExisting?: "skip" | "redo";
  readonly dryRun?: boolean;
  readonly look?: Partial<SampleSize>;
}

function batchHandlers(deps: BatchHandlerDeps): Handlers {
  const { nowMs, publicUrl } = deps;
  const urlOf = (batchId: string) => resourceUrl(publicUrl, "batches", batchId);
  const bodyOf = (batch: Batch) => batchBody(batch, urlOf(batch.id), nowMs());

  function replay({ status, body, subjectId }: IdempotencyRecord): ApiResponse {
    return { status, body, headers: { Location: urlOf(subjectId), ...replayedHeader } };
  }

  const change = (verb: BatchChange) => async (call: Call) => {
    const batch = await changeBatch(deps, verb, { caller: call.caller, batchId: call.path.id! });
    return { status: 200, body: bodyOf(batch) };
  };

  return {
    ...batchFileHandlers(deps),

    async listBatches({ caller, query }) {
      const beforeId = query.cursor === undefined ? {} : { beforeId: (query.cursor as string).toLowerCase() };
      const page = await listBatches(deps, { realm: realmOf(caller), limit: query.limit as number, ...beforeId });
      const data = page.batches.map(bodyOf);
      return { status: 200, body: page.nextId === undefined ? { data } : { data, nextCursor: page.nextId } };
    },

    async createBatch({ caller, body, headers, signal }) {
      const fields = body as BatchFields;
      const { uploadSessionId, dryRun = false, look, ...others } = fields;
      const newBatch: NewBatch = uploadSessionId === undefined ? others : { ...others, uploadId: uploadSessionId };
      if (dryRun) {
        const sample = { ...sampleDefault, ...look };
        return { status: 200, body: dryRunBody(await dryRunBatch(deps, { caller, newBatch, sample, signal })) };
      }
      if (look !== undefined)
        throw new PackshotError("invalid_request", '"look" is for a dry run: give "dryRun", too.');
      const request = { operation: "createBatch", ...fields };
      const idempotencyKey = idempotencyKeyOf(realmOf(caller), headers["idempotency-key"], request);
      return await deps.runOnce(
        idempotencyKey,
        async () => {
          const outcome = await createBatch(deps, { caller, newBatch, idempotencyKey, responseBody: bodyOf });
          if (outcome.kind === "replayed") return replay(outcome.record);
          const { batch } = outcome;
          return { status: 202, body: bodyOf(batch), headers: { Location: urlOf(batch.id) } };
        },
        async (record) => replay(record),
      );
    },

    async getBatch(call) {
      const batch = await readBatch(deps, { realm: realmOf(call.caller), batchId: call.path.id! });
      return { status: 200, body: bodyOf(batch) };
    },

    pauseBatch: change("pause"),
    resumeBatch: change("resume"),
    cancelBatch: change("cancel"),
    retryBatch: change("retry"),
  };
}

/** Photos whose looks take some seconds, and tell what most of a batch is like. */
const sampleDefault: SampleSize = { photos: 10, seed: 0 };

function dryRunBody({ rowsOfTool, priced: _, broken, looked, ...summary }: DryRun): Schemas["BatchDryRun"] {
  const problem = broken === null ? null : { code: "invalid_request", ...broken };
  const faultsOmitted = summary.faulty - summary.faults.length;
  const counted = { ...summary, faults: [...summary.faults], faultsOmitted, tools: rowsOfTool };
  return { dryRun: true, error: problem, ...counted, photos: photosBody(looked) };
}

function photosBody(looked: readonly LookedRow[]): Schemas["BatchPhotos"] {
  const reports = looked.flatMap(({ answer }) => ("report" in answer ? [answer.report] : []));
  const failing = reports.flatMap(({ source }) => source.checks.filter(({ passed }) => !passed));
  const rows = looked.map(({ row, answer }) => {
    const { quality = null, reasons = [], source = null } = "report" in answer ? answer.report : {};
    return {
      line: row.line,
      ref: row.ref,
      verdict: verdictOf(answer, row.parameters.onPoorSource),
      quality,
      reasons: [...reasons],
      source: source as Schemas["SourceReport"] | null,
      error: "error" in answer ? answer.error : "unseen" in answer ? answer.unseen : null,
    };
  });
  const countOf = (verdict: LookVerdict) => rows.filter((row) => row.verdict === verdict).length;
  const named = Object.keys(sourceRules).map((name) => [name, failing.filter((check) => check.name === name).length]);
  return {
    sampled: looked.length,
    lookedAt: reports.length,
    poor: reports.filter(isPoor).length,
    checks: Object.fromEntries(named) as Schemas["BatchPhotos"]["checks"],
    verdicts: Object.fromEntries(
      lookVerdicts.map((verdict) => [verdict, countOf(verdict)]),
    ) as Schemas["BatchPhotos"]["verdicts"],
    rows,
  };
}

function batchBody(batch: Batch, statusUrl: string, nowMs: number): BatchBody {
  const { id, status, live, tool, parameters, onExisting, rows, counts, createdAt, finishedAt, expiresAt } = batch;
  return {
    id,
    status,
    live,
    tool,
    onExisting,
    rows,
    counts,
    createdAt,
    finishedAt,
    expiresAt,
    statusUrl,
    pausedBy: batch.status === "paused" ? batch.pausedBy : null,
    error: batch.status === "cancelled" ? batch.error : null,
    parameters: parameters as BatchBody["parameters"],
    destination: batch.destination,
    try: batch.try,
    creditsCharged: batch.credits,
    deliveriesFailed: batch.deliveriesFailed ?? 0,
    ...batchRate(batch, nowMs),
  };
}

/** Files of batches, for other features: their reads share limits, which are the process's. */
export interface Batches {
  readonly segments: RowSegments;
  readonly outcomes: OutcomeFiles;
}

export function createBatches(core: Core, jobs: Jobs, { links }: { links: BucketLinks }): Batches & Feature {
  const { log, storage, logger, nowMs, countCredits: onDebits } = core;
  const deps = { ...core, links, onDebits };
  const view = createBatchView({ log, logger });
  const segments = createRowSegments(storage);
  const outcomes = createOutcomeFiles(storage);
  const doneRows = createDoneRows({ log, storage, logger, nowMs });
  const prepareRows = createPrepareRows(deps);
  const skipDoneRows = createSkipDoneRows({ ...deps, doneRows, prepareRows });
  const { isPipelineGone, isImageModelGone } = core.processes;
  const completeJobs = createCompleteJobs({ ...deps, isPipelineGone, isImageModelGone, skipDoneRows });
  const takeRows = createTakeRows({ segments, outcomes });
  // One of the process: each reading takes a thread.
  const checkFile = createCheckFile({ storage });
  const looks = createLookAtPhotos(deps);
  const lookUpUploads = createLookUpUploads(deps);
  return {
    segments,
    outcomes,
    handlers: batchHandlers({
      ...deps,
      view: jobs.view,
      refunds: jobs.refunds,
      segments,
      outcomes,
      checkFile,
      looks,
      lookUpUploads,
    }),
    components: [
      looks,
      view,
      createSettler({ ...deps, outcomes, noteDone: doneRows.note }),
      createFeeder({
        ...deps,
        view,
        handOut: createHandOut({ ...deps, takeRows, completeJobs }),
        readInput: createReadInput({ ...deps, segments, checkFile }),
        cancelJobs: createCancelJobs(jobs),
      }),
      createBatchExpiry({ ...deps, view }),
    ],
  };
}
