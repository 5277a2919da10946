import type { Prices } from "../edits/price.ts";
import { type ToolId, toolIds } from "../edits/tools.ts";

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
  readonly maxPresets: number;
  readonly maxConnections: number;
  /**
   * Bytes of photos that wait: sources of jobs that have not ended, and, counted apart, of open upload sessions.
   */
  readonly maxWaitingBytes: number;
  /** Batches that may be unfinished at once. */
  readonly maxBatches: number;
  /** How long a batch keeps its rows and results after its end. */
  readonly batchHours: number;
  /** Rejected jobs that are refunded in a UTC day; absent of an account that was opened before v0.2.0: none. */
  readonly reviewRefundsPerDay?: number;
  /** Credits that each file of an edit's `outputs` costs after the first; absent: `defaultPrices`. */
  readonly creditsPerFurtherOutput?: number;
  /** Credits that each scene costs that an image model paints; absent: `defaultPrices`. */
  readonly creditsPerGeneratedScene?: number;
}

/** Where a plan or an account names none. */
export const defaultPrices: Prices = {
  creditsPerFurtherOutput: 1,
  /** An image model takes a GPU for about as long as a processor takes for four scenes. */
  creditsPerGeneratedScene: 4,
};

/** What an account pays. */
export function pricesOf(limits: Partial<Prices>): Prices {
  return {
    creditsPerFurtherOutput: limits.creditsPerFurtherOutput ?? defaultPrices.creditsPerFurtherOutput,
    creditsPerGeneratedScene: limits.creditsPerGeneratedScene ?? defaultPrices.creditsPerGeneratedScene,
  };
}

const MiB = 1024 * 1024;

/**
 * The operator's own plans come from configuration and may replace these. Their `rateLimitPerHour` counts reads, too, so it is ten
 * times the edits that a plan is meant for, 1,000 an hour of `starter`: clients poll.
 */
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
      maxBatches: 10,
      batchHours: 72,
      reviewRefundsPerDay: 0,
      ...defaultPrices,
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
      maxBatches: 10,
      batchHours: 72,
      reviewRefundsPerDay: 0,
      ...defaultPrices,
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
      maxBatches: 10,
      batchHours: 72,
      reviewRefundsPerDay: 0,
      ...defaultPrices,
    },
    creditsPerPeriod: 100_000,
    tools: toolIds,
  },
];
