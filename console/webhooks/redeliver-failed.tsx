import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { useToast } from "../components/toast.tsx";
import { useApi } from "../session/session.tsx";

const dayMs = 24 * 3600 * 1000;

export function RedeliverFailed({ webhookId }: { readonly webhookId: string }) {
  const { packshot } = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const redeliver = useMutation({
    mutationFn: () => packshot.webhooks.redeliverFailed(webhookId, new Date(Date.now() - dayMs)),
    async onSuccess({ redelivered, left }) {
      toast(`${redelivered} are sent again${left > 0 ? `; ${left} are more than the plan allows now` : ""}`);
      await queries.invalidateQueries({ queryKey: ["deliveries", webhookId] });
    },
  });
  return (
    <>
      <ConfirmButton
        label="Resend what failed"
        title="Resend what failed in the last 24 hours?"
        confirmLabel="Resend"
        kind="primary"
        isBusy={redeliver.isPending}
        onConfirm={() => redeliver.mutate()}
      >
        <p>Every delivery whose last attempt failed for good is sent again. Each counts as a request of the plan.</p>
      </ConfirmButton>
      {redeliver.error !== null && <ErrorNote error={redeliver.error} />}
    </>
  );
}
