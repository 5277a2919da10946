/** Jobs: their operations, the copy that lists them, and what settles, expires and repairs them. */
import type { Core, Feature } from "../../core/core.ts";
import { createStreamSlots } from "../../http/stream-slots.ts";
import type { BucketLinks } from "../connections/bucket-links.ts";
import { createJanitor } from "./janitor.ts";
import type { EndJobDeps } from "./job-actions.ts";
import { createJobResponses, type JobResponses } from "./job-response.ts";
import { createJobView, type JobView } from "./job-view.ts";
import { jobHandlers } from "./jobs.ts";
import { createKeeper } from "./keeper.ts";
import { createRepairSweep } from "./repair.ts";

/** Limits deliveries to customers' buckets that clients ask for again: a bucket may hold one up for a minute. */
const deliverySlots = { what: "deliveries of results", streamsMax: 32, streamsPerAccountMax: 4 } as const;

export interface Jobs extends EndJobDeps {
  readonly view: JobView;
  readonly responses: JobResponses;
}

export function createJobs(core: Core, { links }: { links: BucketLinks }): { jobs: Jobs } & Feature {
  const { log, storage, publicUrl, readiness } = core;
  const view = createJobView(core);
  const responses = createJobResponses({ storage, publicUrl });
  readiness.require("jobs", view.lag);
  const jobs: Jobs = {
    log,
    nowMs: core.nowMs,
    retentionMs: core.retentionMs,
    onCommit: view.committed,
    view,
    responses,
  };
  return {
    jobs,
    handlers: jobHandlers({ ...core, ...jobs, links, deliverySlots: createStreamSlots(deliverySlots) }),
    components: [
      view,
      createKeeper({ ...core, onRefunds: core.countCredits }),
      createJanitor(core),
      createRepairSweep({ ...core, jobs: view }),
    ],
  };
}
