/** Batches: their operations, and what reads, hands out, settles and expires their rows. */
import type { Core, Feature } from "../../core/core.ts";
import type { Jobs } from "../jobs/jobs-feature.ts";
import { batchHandlers } from "./batches.ts";
import type { BucketLinks } from "../connections/bucket-links.ts";
import { createBatchView } from "./batch-view.ts";
import { createCancelJobs } from "./cancel-jobs.ts";
import { createCheckFile } from "./check-file.ts";
import { createCompleteJobs } from "./complete-jobs.ts";
import { createDoneRows } from "./done-rows.ts";
import { createBatchExpiry } from "./expire-batches.ts";
import { createFeeder } from "./feeder.ts";
import { createHandOut } from "./hand-out.ts";
import { createOutcomeFiles } from "./outcome-files.ts";
import { createPrepareRows } from "./complete-jobs.ts";
import { createReadInput } from "./read-input.ts";
import { createRowSegments } from "./row-segments.ts";
import { createSettler } from "./settle-rows.ts";
import { createSkipDoneRows } from "./skip-done-rows.ts";
import { createTakeRows } from "./take-rows.ts";

export function createBatches(core: Core, jobs: Jobs, { links }: { links: BucketLinks }): Feature {
  const { log, storage, logger, nowMs, countCredits: onDebits } = core;
  const deps = { ...core, links, onDebits };
  const view = createBatchView({ log, logger });
  const segments = createRowSegments(storage);
  const outcomes = createOutcomeFiles(storage);
  const doneRows = createDoneRows({ log, storage, logger, nowMs });
  const skipDoneRows = createSkipDoneRows({ ...deps, doneRows, prepareRows: createPrepareRows(deps) });
  const prepareRows = createCompleteJobs({ ...deps, prepareRows: skipDoneRows });
  const takeRows = createTakeRows({ segments, outcomes });
  // One of the process: each reading takes a thread.
  const checkFile = createCheckFile({ storage });
  return {
    handlers: batchHandlers({ ...deps, view: jobs.view, segments, outcomes, checkFile }),
    components: [
      view,
      createSettler({ ...deps, outcomes, noteDone: doneRows.note }),
      createFeeder({
        ...deps,
        view,
        handOut: createHandOut({ ...deps, takeRows, prepareRows }),
        readInput: createReadInput({ ...deps, segments, checkFile }),
        cancelJobs: createCancelJobs(jobs),
      }),
      createBatchExpiry({ ...deps, view }),
    ],
  };
}
