import type { Job } from "@packshot/sdk";
import { Badge } from "../components/badge.tsx";

const kinds = { queued: "muted", processing: "warn", completed: "ok", failed: "danger", cancelled: "muted" } as const;

export function JobStatus({ job }: { readonly job: Pick<Job, "status" | "report" | "review"> }) {
  return (
    <>
      <Badge kind={kinds[job.status]}>{job.status}</Badge> <ReviewState job={job} />
    </>
  );
}

const verdictKinds = { approved: "ok", rejected: "danger" } as const;

function ReviewState({ job: { report, review } }: { readonly job: Pick<Job, "report" | "review"> }) {
  if (review !== null) return <Badge kind={verdictKinds[review.verdict]}>{review.verdict}</Badge>;
  return report?.quality === "review" ? <Badge kind="warn">review</Badge> : null;
}

export function isUnfinished({ status }: Pick<Job, "status">): boolean {
  return status === "queued" || status === "processing";
}
