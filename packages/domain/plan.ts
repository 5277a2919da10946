import { type ToolId, toolIds } from "./tools.ts";

export interface Plan {
  readonly name: string;
  readonly limits: PlanLimits;
  readonly creditsPerPeriod: number;
  readonly tools: readonly ToolId[];
}

export interface PlanLimits {
  readonly maxFileSizeBytes: number;
  /** Requests of every kind: a wait, an event stream and the PUT of an upload's bytes count once each. */
  readonly rateLimitPerHour: number;
  /** The account's window: jobs that may be queued or processing at once. Further jobs wait. */
  readonly concurrentJobs: number;
  readonly maxQueuedJobs: number;
  readonly maxApiKeys: number;
  readonly maxWebhooks: number;
  /** Absent in records and plans of an earlier version: fifty. */
  readonly maxPresets?: number;
  /** Absent in records and plans of an earlier version: ten. */
  readonly maxConnections?: number;
  /**
   * Bytes of photos that wait: sources of jobs that have not ended, and, counted apart, of open upload sessions. Absent in
   * records and plans of an earlier version: a thousand files of the largest size.
   */
  readonly maxWaitingBytes?: number;
  /** Batches that may be unfinished at once. Absent in records and plans of an earlier version: ten. */
  readonly maxBatches?: number;
  /** How long a batch keeps its rows and results after its end. Absent: three days. */
  readonly batchHours?: number;
}

/** With what is absent. */
export function batchLimits({ maxBatches = 10, batchHours = 72 }: PlanLimits): {
  readonly maxBatches: number;
  readonly batchHours: number;
} {
  return { maxBatches, batchHours };
}

const MiB = 1024 * 1024;

const presetsDefault = 50;

export function presetsMax({ maxPresets }: PlanLimits): number {
  return maxPresets ?? presetsDefault;
}

const connectionsDefault = 10;

export function connectionsMax({ maxConnections }: PlanLimits): number {
  return maxConnections ?? connectionsDefault;
}

/** The operator's own plans come from configuration and may replace these. */
export const builtInPlans: readonly Plan[] = [
  {
    name: "dev",
    limits: {
      maxFileSizeBytes: 100 * MiB,
      rateLimitPerHour: 1_000_000,
      concurrentJobs: 64,
      maxQueuedJobs: 100_000,
      maxApiKeys: 20,
      maxWebhooks: 100,
      maxConnections: 100,
      maxPresets: 500,
      maxWaitingBytes: 100_000 * MiB,
    },
    creditsPerPeriod: 1_000_000,
    tools: toolIds,
  },
  {
    name: "starter",
    limits: {
      maxFileSizeBytes: 25 * MiB,
      rateLimitPerHour: 10_000,
      concurrentJobs: 8,
      maxQueuedJobs: 5_000,
      maxApiKeys: 5,
      maxWebhooks: 10,
      maxConnections: 10,
      maxPresets: 50,
      maxWaitingBytes: 25_000 * MiB,
    },
    creditsPerPeriod: 1_000,
    tools: toolIds,
  },
  {
    name: "pro",
    limits: {
      maxFileSizeBytes: 100 * MiB,
      rateLimitPerHour: 200_000,
      concurrentJobs: 64,
      maxQueuedJobs: 100_000,
      maxApiKeys: 20,
      maxWebhooks: 100,
      maxConnections: 100,
      maxPresets: 500,
      maxWaitingBytes: 100_000 * MiB,
    },
    creditsPerPeriod: 100_000,
    tools: toolIds,
  },
];
