import { formatDuration } from "../components/format-duration.ts";
import "./batches.css";
import { type Batch, endedRows } from "./batch.ts";

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
