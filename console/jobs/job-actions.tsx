import type { CreatedJob, Job } from "@packshot/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { randomId } from "../api/api.ts";
import { Button } from "../components/button.tsx";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { useToast } from "../components/toast.tsx";
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
