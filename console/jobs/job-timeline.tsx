/** What a job did when: its wait, then each stage where it began and how long it took. */

import { labelOfStage, stageOfPart } from "@packshot/domain/jobs/stages.ts";
import type { Job } from "@packshot/sdk";
import { formatDuration } from "../components/format.ts";
import "./jobs.css";

interface Span {
  /** A stage's, as in `timings`, or that of the wait. */
  readonly name: string;
  readonly label: string;
  readonly beginsMs: number;
  readonly lastsMs: number;
  readonly kind: "wait" | "stage" | "part";
}

/**
 * Stages follow each other in the order in which the worker ran them, which is that of `timings`. Parts follow their stage there, and
 * run within its time.
 */
export function jobSpans({ createdAt, startedAt, timings }: Pick<Job, "createdAt" | "startedAt" | "timings">): Span[] {
  if (startedAt === null) return [];
  const waitedMs = Math.max(0, Date.parse(startedAt) - Date.parse(createdAt));
  const wait = { name: "wait", label: "Waiting for a worker", beginsMs: 0, lastsMs: waitedMs, kind: "wait" } as const;
  const spans: Span[] = [wait];
  let endsMs = waitedMs;
  let partBeginsMs = waitedMs;
  for (const [name, lastsMs = 0] of Object.entries(timings ?? {})) {
    if (name === "total") continue;
    const isPart = stageOfPart(name) !== undefined;
    const beginsMs = isPart ? partBeginsMs : endsMs;
    spans.push({ name, label: labelOfStage(name), beginsMs, lastsMs, kind: isPart ? "part" : "stage" });
    partBeginsMs = isPart ? beginsMs + lastsMs : beginsMs;
    if (!isPart) endsMs += lastsMs;
  }
  return spans;
}

/** @param stage what a worker does now, in words */
export function JobTimeline({ job, stage }: { readonly job: Job; readonly stage: string | undefined }) {
  const spans = jobSpans(job);
  const wholeMs = Math.max(1, ...spans.map(({ beginsMs, lastsMs }) => beginsMs + lastsMs));
  if (job.status === "queued") return <p>Waiting for a worker.</p>;
  if (job.status === "processing") {
    return <p role="status">{stage === undefined ? "Processing." : `${stage}.`}</p>;
  }
  if (spans.length === 0) return <p>Ended before a worker started it.</p>;
  return (
    <ol className="job-stages">
      {spans.map(({ name, label, beginsMs, lastsMs, kind }) => (
        <li key={name} className={kind === "part" ? "job-stage-part" : undefined}>
          <span>{label}</span>
          <span className="job-stage-track" aria-hidden="true">
            <span
              className={kind === "wait" ? "job-stage-bar waiting" : "job-stage-bar"}
              style={{
                display: "block",
                marginLeft: `${(100 * beginsMs) / wholeMs}%`,
                width: `${(100 * lastsMs) / wholeMs}%`,
              }}
            />
          </span>
          <span className="number">{formatDuration(lastsMs)}</span>
        </li>
      ))}
    </ol>
  );
}
