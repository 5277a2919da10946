import type { CreatedJob, Job } from "@packshot/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { randomId } from "../api/api.ts";
import { Button } from "../components/button.tsx";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { useToast } from "../components/toast.tsx";
import { useDecision, type Verdict } from "../review/decisions.ts";
import { itemOfJob } from "../review/review-queue.ts";
import { Link } from "../router/link.tsx";
import { navigate } from "../router/location.ts";
import { useApi } from "../session/session.tsx";
import { isUnfinished } from "./job-status.tsx";

export function JobActions({ job }: { readonly job: Job }) {
  const api = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const readAgain = () => queries.invalidateQueries({ queryKey: ["jobs"] });

  const repeat = useMutation({
    mutationFn: () =>
      api.json<CreatedJob>({
        method: "POST",
        path: `/v1/jobs/${encodeURIComponent(job.id)}/repeat`,
        idempotencyKey: randomId(),
      }),
    async onSuccess({ id }) {
      await readAgain();
      toast("The edit runs again");
      navigate(`/jobs/${id}`);
    },
  });
  const cancel = useMutation({
    mutationFn: () => api.packshot.jobs.cancel(job.id),
    async onSuccess(cancelled) {
      queries.setQueryData(["job", job.id], cancelled);
      await readAgain();
      toast("The job was cancelled");
    },
  });
  const remove = useMutation({
    mutationFn: () => api.packshot.jobs.delete(job.id),
    async onSuccess() {
      navigate("/jobs");
      await readAgain();
      toast("The job and its files were deleted");
    },
  });
  const error = repeat.error ?? cancel.error ?? remove.error;

  return (
    <div>
      <div className="bar">
        <Button kind="primary" isBusy={repeat.isPending} onClick={() => repeat.mutate()}>
          Run again
        </Button>
        {isUnfinished(job) && (
          <Button isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel
          </Button>
        )}
        <ConfirmButton
          label="Delete"
          title="Delete this job?"
          confirmLabel="Delete the job"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
        >
          <p>Its photo, its result and its record are removed at once. An unfinished job is cancelled first.</p>
        </ConfirmButton>
      </div>
      {error !== null && <ErrorNote error={error} />}
    </div>
  );
}

/** For a doubtful job. A rejected one has no result that could be approved. */
export function ReviewActions({ job }: { readonly job: Job }) {
  const queries = useQueryClient();
  const readAgain = () => void queries.invalidateQueries({ queryKey: ["job", job.id] });
  const decision = useDecision({ onDecided: readAgain });
  const decide = (verdict: Verdict) => decision.mutate({ item: itemOfJob(job), verdict });
  return (
    <div>
      <div className="bar">
        {job.review === null && (
          <Button isBusy={decision.isPending} onClick={() => decide("approved")}>
            Approve
          </Button>
        )}
        <ConfirmButton
          label="Reject"
          title="Reject this result?"
          confirmLabel="Reject it"
          isBusy={decision.isPending}
          onConfirm={() => decide("rejected")}
        >
          <p>Its files are removed at once.</p>
        </ConfirmButton>
        <Link to="/review">All doubtful cut-outs</Link>
      </div>
      {decision.error !== null && <ErrorNote error={decision.error} />}
    </div>
  );
}

/** For a job whose result is not in its bucket. */
export function DeliverAgain({ job: { id } }: { readonly job: Job }) {
  const api = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const deliver = useMutation({
    mutationFn: () => api.packshot.jobs.deliver(id),
    onSuccess(job) {
      queries.setQueryData(["job", id], job);
      toast(job.destination?.status === "stored" ? "Your bucket has the result" : "Your bucket refused it again");
    },
  });
  return (
    <div>
      <Button isBusy={deliver.isPending} onClick={() => deliver.mutate()}>
        Deliver again
      </Button>
      {deliver.error !== null && <ErrorNote error={deliver.error} />}
    </div>
  );
}
