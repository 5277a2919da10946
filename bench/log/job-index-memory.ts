import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { uuidv7 } from "@packshot/domain/ids.ts";
import type { Job } from "@packshot/domain/jobs/job.ts";
import { createJobIndex } from "../../services/api/features/jobs/job-index.ts";
import { queuedJob } from "../../testing/log/job-records.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Heap and memory outside it that the index takes for each of so many jobs, accepted one after another. */
export function bytesPerJob(jobs: number, accounts: number): number {
  const accountIds = Array.from({ length: accounts }, () => uuidv7());
  const nowMs = Date.now();
  const before = usedBytes();
  const index = createJobIndex({ nowMs });
  for (let i = 0; i < jobs; i++) {
    const accountId = accountIds[i % accounts]!;
    const job: Job = queuedJob({ id: uuidv7(nowMs + i), accountId, metadata: { sku: `K-${i}`, shop: "berlin" } });
    index.put(job);
  }
  const bytes = usedBytes() - before;
  // The index must live until here.
  if (index.queuedBefore(accountIds[0]!, { id: uuidv7(nowMs + jobs), live: true }) === 0) throw new Error("no jobs");
  return bytes / jobs;
}

function usedBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
