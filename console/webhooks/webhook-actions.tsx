import type { Webhook } from "@packshot/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../components/button.tsx";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { SecretOnce } from "../components/secret-once.tsx";
import { useToast } from "../components/toast.tsx";
import { navigate } from "../router/location.ts";
import { useApi } from "../session/session.tsx";

export function WebhookActions({ webhook }: { readonly webhook: Webhook }) {
  const [secret, setSecret] = useState<string>();
  const { test, change, rotate, remove } = useWebhookChanges(webhook.id, setSecret);
  const isEnabled = webhook.status === "enabled";
  const error = test.error ?? change.error ?? rotate.error ?? remove.error;

  return (
    <div>
      <div className="bar">
        <Button kind="primary" isBusy={test.isPending} onClick={() => test.mutate()}>
          Send a test event
        </Button>
        <Button isBusy={change.isPending} onClick={() => change.mutate(!isEnabled)}>
          {isEnabled ? "Disable" : "Enable"}
        </Button>
        <ConfirmButton
          label="Rotate the secret"
          title="Rotate the signing secret?"
          confirmLabel="Rotate it"
          kind="primary"
          isBusy={rotate.isPending}
          onConfirm={() => rotate.mutate()}
        >
          <p>Deliveries are signed with both secrets for 24 hours. Then the old one stops working.</p>
        </ConfirmButton>
        <ConfirmButton
          label="Delete"
          title="Delete this webhook?"
          confirmLabel="Delete the webhook"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
        >
          <p>Deliveries that are still due are abandoned.</p>
        </ConfirmButton>
      </div>
      {error !== null && <ErrorNote error={error} />}
      {secret !== undefined && (
        <SecretOnce title="The new signing secret" what="secret" secret={secret} onClose={() => setSecret(undefined)}>
          <p>Your server should take the old one too for the next 24 hours. This one is shown only now.</p>
        </SecretOnce>
      )}
    </div>
  );
}

function useWebhookChanges(id: string, onSecret: (secret: string) => void) {
  const { packshot } = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const test = useMutation({
    mutationFn: () => packshot.webhooks.test(id),
    async onSuccess() {
      toast("A test event is sent");
      await queries.invalidateQueries({ queryKey: ["deliveries", id] });
    },
  });
  const change = useMutation({
    mutationFn: (enabled: boolean) => packshot.webhooks.update(id, { enabled }),
    async onSuccess(changed) {
      // A read that began before the change would show the former state again.
      await queries.cancelQueries({ queryKey: ["webhook", id] });
      queries.setQueryData(["webhook", id], changed);
      toast(changed.status === "enabled" ? "The webhook is enabled" : "The webhook is disabled");
      await queries.invalidateQueries({ queryKey: ["webhooks"] });
    },
  });
  const rotate = useMutation({
    mutationFn: () => packshot.webhooks.rotateSecret(id),
    onSuccess: (rotated) => onSecret(rotated.secret),
  });
  const remove = useMutation({
    mutationFn: () => packshot.webhooks.delete(id),
    async onSuccess() {
      navigate("/webhooks");
      toast("The webhook was deleted");
      await queries.invalidateQueries({ queryKey: ["webhooks"] });
    },
  });
  return { test, change, rotate, remove };
}
