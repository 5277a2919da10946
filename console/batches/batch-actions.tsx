import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Button } from "../components/button.tsx";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { useToast } from "../components/toast.tsx";
import { useApi } from "../session/session.tsx";
import type { Batch } from "./batch-status.tsx";

type Action = "pause" | "resume" | "cancel" | "retry";

const done: Readonly<Record<Action, string>> = {
  pause: "The batch pauses",
  resume: "The batch goes on",
  cancel: "The batch was cancelled",
  retry: "The failed rows are edited again",
};

export function BatchActions({ batch }: { readonly batch: Batch }) {
  const api = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const change = useMutation({
    mutationFn: (action: Action) =>
      api.json<Batch>({ method: "POST", path: `/v1/batches/${encodeURIComponent(batch.id)}/${action}` }),
    async onSuccess(changed, action) {
      queries.setQueryData(["batch", batch.id], changed);
      toast(done[action]);
      await queries.invalidateQueries({ queryKey: ["batches"] });
    },
  });
  const { status, counts } = batch;
  const isUnfinished = status === "running" || status === "paused" || status === "validating";
  const mayRetry = status === "completed" && counts.failed > 0;
  if (!isUnfinished && !mayRetry) return null;
  return (
    <div>
      <div className="bar">
        {status === "running" && (
          <Button isBusy={change.isPending} onClick={() => change.mutate("pause")}>
            Pause
          </Button>
        )}
        {status === "paused" && (
          <Button kind="primary" isBusy={change.isPending} onClick={() => change.mutate("resume")}>
            Resume
          </Button>
        )}
        {mayRetry && (
          <Button kind="primary" isBusy={change.isPending} onClick={() => change.mutate("retry")}>
            Retry {counts.failed.toLocaleString("en")} failed {counts.failed === 1 ? "row" : "rows"}
          </Button>
        )}
        {isUnfinished && (
          <ConfirmButton
            label="Cancel"
            title="Cancel this batch?"
            confirmLabel="Cancel the batch"
            isBusy={change.isPending}
            onConfirm={() => change.mutate("cancel")}
          >
            <p>No further row becomes a job, and jobs that have not ended are cancelled. What has completed is kept.</p>
          </ConfirmButton>
        )}
      </div>
      {change.error !== null && <ErrorNote error={change.error} />}
    </div>
  );
}
