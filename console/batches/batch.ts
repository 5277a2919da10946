import type { components } from "@packshot/sdk/generated/openapi.ts";

export type Batch = components["schemas"]["Batch"];

export interface BatchPage {
  readonly data: readonly Batch[];
  readonly nextCursor?: string;
}

/** It has not ended: its counts change. */
export function isGoing({ finishedAt, status }: Batch): boolean {
  return finishedAt === null && status !== "paused";
}

/** Rows of which nothing more will come in this try. */
export function endedRows({ counts }: Batch): number {
  return counts.completed + counts.failed + counts.skipped + counts.cancelled;
}
