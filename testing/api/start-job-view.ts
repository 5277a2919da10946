import { uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { createJobView, type JobView } from "../../services/api/features/jobs/job-view.ts";

const catchUpTimeoutMs = 60_000;

export interface CatchingUpJobView extends JobView {
  /** Resolves when the view has read what was committed, of this account's stream, before this call. */
  catchUp(accountId: string): Promise<void>;
}

/** The job view of an API process, alone. */
export async function startJobView(log: Log): Promise<CatchingUpJobView> {
  const view = createJobView({ log, logger: createLogger({ name: "test", level: "error" }), nowMs: Date.now });
  await view.start();
  return {
    ...view,
    async catchUp(accountId) {
      const subject = subjects.job(accountId, uuidv7());
      const { firstSequence } = await log.commit("test", [{ subject, value: null, ttlSeconds: 600 }]);
      view.committed(accountId, firstSequence);
      if (!(await view.caughtUp(accountId, catchUpTimeoutMs))) throw new Error("the job view lags");
    },
  };
}
