/** Composes what works on batches: feeder, settler and expiry, and the files that they share with the routes. */
import type { LedgerEntry } from "@packshot/domain/ledger.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { FollowerDeps } from "@packshot/platform/nats/follower.ts";
import type { FollowerLag } from "@packshot/platform/nats/follower-lag.ts";
import type { AllowList } from "@packshot/platform/outbound/address-guard.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { BucketLinks } from "../connections/bucket-links.ts";
import type { ListToolModels, ModelIdentity } from "../../catalog/tool-models.ts";
import type { RateLimit } from "../../http/rate-limit.ts";
import type { AccountDeps } from "../../records/commit-account.ts";
import { createBatchView } from "./batch-view.ts";
import { type CancelJobsDeps, createCancelJobs } from "./cancel-jobs.ts";
import { type CheckFile, createCheckFile } from "./check-file.ts";
import { createCompleteJobs } from "./complete-jobs.ts";
import { createDoneRows } from "./done-rows.ts";
import { createBatchExpiry } from "./expire-batches.ts";
import { createFeeder } from "./feeder.ts";
import { createHandOut } from "./hand-out.ts";
import { createOutcomeFiles, type OutcomeFiles } from "./outcome-files.ts";
import { createPrepareRows } from "./complete-jobs.ts";
import { createReadInput } from "./read-input.ts";
import { createRowSegments, type RowSegments } from "./row-segments.ts";
import { createSettler } from "./settle-rows.ts";
import { createSkipDoneRows } from "./skip-done-rows.ts";
import { createTakeRows } from "./take-rows.ts";

export interface BatchesDeps extends AccountDeps {
  readonly storage: Storage;
  readonly logger: Logger;
  readonly models: ListToolModels;
  readonly modelIdentity: ModelIdentity;
  readonly links: BucketLinks;
  readonly allowSources: AllowList;
  readonly allowConnections: AllowList;
  readonly sourceTimeoutMs: number;
  /** Throws `unavailable` while the log should take no further jobs. */
  readonly assertAccepting: () => void;
  readonly testEditRate: RateLimit;
  readonly jobs: CancelJobsDeps;
  readonly bypassFrom: NonNullable<FollowerDeps["bypassFrom"]>;
  readonly lag: FollowerLag;
  readonly onDebits: (entries: readonly LedgerEntry[]) => void;
}

export interface Batches {
  readonly components: readonly Component[];
  readonly files: {
    readonly segments: RowSegments;
    readonly outcomes: OutcomeFiles;
    /** One of the process: each reading takes a thread. */
    readonly checkFile: CheckFile;
  };
}

export function createBatches(deps: BatchesDeps): Batches {
  const { log, storage, logger, nowMs, bypassFrom, lag } = deps;
  const view = createBatchView({ log, logger });
  const segments = createRowSegments(storage);
  const outcomes = createOutcomeFiles(storage);
  const doneRows = createDoneRows({ log, storage, logger, nowMs });
  const skipDoneRows = createSkipDoneRows({ ...deps, doneRows, prepareRows: createPrepareRows(deps) });
  const prepareRows = createCompleteJobs({ ...deps, prepareRows: skipDoneRows });
  const takeRows = createTakeRows({ segments, outcomes });
  const checkFile = createCheckFile({ storage });
  return {
    files: { segments, outcomes, checkFile },
    components: [
      view,
      createSettler({ log, logger, storage, outcomes, noteDone: doneRows.note, nowMs, bypassFrom, lag }),
      createFeeder({
        ...{ log, logger, view },
        handOut: createHandOut({ ...deps, takeRows, prepareRows }),
        readInput: createReadInput({ ...deps, segments, checkFile }),
        cancelJobs: createCancelJobs(deps.jobs),
      }),
      createBatchExpiry({ log, logger, storage, view, nowMs }),
    ],
  };
}
