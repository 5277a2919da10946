/** Accounts: keys, usage, the ledger and its archive, the audit log, export and erasure. */
import type { Core, Feature } from "../../core/core.ts";
import type { Jobs } from "../jobs/jobs-feature.ts";
import { accountDataHandlers } from "./account-data.ts";
import { accountHandlers } from "./account.ts";
import { createEraser, type Eraser } from "./eraser.ts";
import { createLedgerArchiver } from "./ledger-archive.ts";

export function createAccounts(core: Core, jobs: Jobs): { eraser: Eraser } & Feature {
  const eraser = createEraser({ ...core, ...jobs });
  return {
    eraser,
    handlers: {
      ...accountHandlers(core),
      ...accountDataHandlers({ ...core, jobBody: jobs.responses.job, eraser }),
    },
    components: [createLedgerArchiver(core), eraser],
  };
}
