import type { Job } from "@packshot/sdk";
import { Badge } from "../components/badge.tsx";

const kinds = { queued: "muted", processing: "warn", completed: "ok", failed: "danger", cancelled: "muted" } as const;

export function JobStatus({ job }: { readonly job: Pick<Job, "status" | "report"> }) {
  return (
    <>
      <Badge kind={kinds[job.status]}>{job.status}</Badge>
      {job.report?.quality === "review" && (
        <>
          {" "}
          <Badge kind="warn">review</Badge>
        </>
      )}
    </>
  );
}

export function isUnfinished({ status }: Pick<Job, "status">): boolean {
  return status === "queued" || status === "processing";
}
