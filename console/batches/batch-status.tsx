import "./batches.css";
import type { components } from "@packshot/sdk/generated/openapi.ts";
import { Badge } from "../components/badge.tsx";
import { formatDuration } from "../components/format.ts";

const kinds = { validating: "muted", running: "warn", paused: "warn", completed: "ok", cancelled: "muted" } as const;
const pauseReasons = {
  requested: "paused",
  insufficient_credits: "paused: credits are used up",
  api_disabled: "paused: the account is suspended",
} as const;

export function BatchStatus({ batch: { status, pausedBy } }: { readonly batch: Batch }) {
  return <Badge kind={kinds[status]}>{pausedBy === null ? status : pauseReasons[pausedBy]}</Badge>;
}

interface BatchProgressProps {
  readonly batch: Batch;
  /** Without the rate and the time left. */
  readonly isShort?: boolean;
}

export function BatchProgress({ batch, isShort = false }: BatchProgressProps) {
  const { rows, rowsPerHour, secondsLeft, status } = batch;
  if (status === "validating") return <span role="status">The rows are being read.</span>;
  const ended = endedRows(batch);
  const text = `${ended.toLocaleString("en")} of ${rows.toLocaleString("en")} rows`;
  const rate = rowsPerHour === null ? undefined : `${rowsPerHour.toLocaleString("en")} rows an hour`;
  const left = secondsLeft === null ? undefined : `${formatDuration(secondsLeft * 1_000)} left`;
  return (
    <span className="batch-progress">
      <progress value={ended} max={Math.max(1, rows)} aria-label="Rows that have ended" />
      <span>{[text, ...(isShort ? [] : [rate, left])].filter(Boolean).join(", ")}</span>
    </span>
  );
}

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
function endedRows({ counts }: Batch): number {
  return counts.completed + counts.failed + counts.skipped + counts.cancelled;
}
