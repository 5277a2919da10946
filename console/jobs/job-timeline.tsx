/** What a job did when: its wait, then each stage where it began and how long it took. */
import type { Job } from "@packshot/sdk";
import { formatDuration } from "../components/format.ts";
import "./jobs.css";

interface Span {
  readonly name: string;
  readonly beginsMs: number;
  readonly lastsMs: number;
  readonly isWaiting: boolean;
}

const words: Readonly<Record<string, string>> = {
  fetchSource: "Fetch the photo",
  decode: "Decode",
  prepare: "Prepare",
  predict: "Network",
  refine: "Refine the edge",
  foreground: "Edge colors",
  mask: "Mask",
  "ai-shadows": "Shadow",
  "ai-bg": "Scene",
  encode: "Encode",
  storeResult: "Store",
  storeDestination: "Store in bucket",
};

/** Stages follow each other in the order in which the worker ran them, which is that of `timings`. */
function jobSpans({ createdAt, startedAt, timings }: Pick<Job, "createdAt" | "startedAt" | "timings">): Span[] {
  if (startedAt === null) return [];
  const waitedMs = Math.max(0, Date.parse(startedAt) - Date.parse(createdAt));
  const spans: Span[] = [{ name: "Wait for a worker", beginsMs: 0, lastsMs: waitedMs, isWaiting: true }];
  let beginsMs = waitedMs;
  for (const [stage, lastsMs = 0] of Object.entries(timings ?? {})) {
    if (stage === "total") continue;
    spans.push({ name: words[stage] ?? stage, beginsMs, lastsMs, isWaiting: false });
    beginsMs += lastsMs;
  }
  return spans;
}

export function JobTimeline({ job, stage }: { readonly job: Job; readonly stage: string | undefined }) {
  const spans = jobSpans(job);
  const wholeMs = Math.max(1, ...spans.map(({ beginsMs, lastsMs }) => beginsMs + lastsMs));
  if (job.status === "queued") return <p>Waiting for a worker.</p>;
  if (job.status === "processing") {
    return <p role="status">{stage === undefined ? "Processing." : `Now: ${words[stage] ?? stage}`}</p>;
  }
  if (spans.length === 0) return <p>Ended before a worker started it.</p>;
  return (
    <ol className="job-stages">
      {spans.map(({ name, beginsMs, lastsMs, isWaiting }) => (
        <li key={name}>
          <span>{name}</span>
          <span className="job-stage-track" aria-hidden="true">
            <span
              className={isWaiting ? "job-stage-bar waiting" : "job-stage-bar"}
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
