/** For workers of tests whose jobs have nothing to do with customers' buckets. */
import { parseAllowList } from "@packshot/platform/outbound/address-guard.ts";
import type { JobRunnerDeps } from "../../services/inference/consumer/job-runner.ts";

export const noBuckets: Pick<JobRunnerDeps, "allowConnections" | "askForLink" | "destinationTimeoutMs"> = {
  allowConnections: parseAllowList([]),
  askForLink: async () => {
    throw new Error("this test has no buckets");
  },
  destinationTimeoutMs: 1_000,
};
