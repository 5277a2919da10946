import type { NewWebhook, WebhookWithSecret } from "@packshot/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { CheckField, TextField } from "../components/field.tsx";
import { useApi } from "../session/session.tsx";

interface NewWebhookDialogProps {
  readonly onClose: () => void;
  readonly onMade: (webhook: WebhookWithSecret) => void;
}

export function NewWebhookDialog({ onClose, onMade }: NewWebhookDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  const [url, setUrl] = useState("");
  const [description, setDescription] = useState("");
  const [events, setEvents] = useState<readonly EventKind[]>(eventKinds);
  const make = useMutation({
    mutationFn: () => api.packshot.webhooks.create({ url: url.trim(), events: [...events], description }),
    async onSuccess(webhook) {
      onMade(webhook);
      await queries.invalidateQueries({ queryKey: ["webhooks"] });
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    make.mutate();
  }

  const toggle = (kind: EventKind, isChosen: boolean) =>
    setEvents(eventKinds.filter((other) => (other === kind ? isChosen : events.includes(other))));
  return (
    <Dialog title="Register a webhook" closeLabel="Cancel" onClose={onClose}>
      <form onSubmit={submit}>
        <TextField
          label="Address"
          hint="HTTPS, and reachable from the internet, unless the operator allows others."
          type="url"
          name="url"
          placeholder="https://shop.example/hooks/packshot"
          required
          value={url}
          onChange={setUrl}
        />
        <TextField
          label="What it is for"
          name="description"
          maxLength={500}
          value={description}
          onChange={setDescription}
        />
        <fieldset>
          <legend>Events</legend>
          {eventKinds.map((kind) => (
            <CheckField
              key={kind}
              label={kind}
              isChecked={events.includes(kind)}
              onChange={(isChosen) => toggle(kind, isChosen)}
            />
          ))}
        </fieldset>
        {make.error !== null && <ErrorNote error={make.error} />}
        <div className="dialog-actions">
          <Button kind="primary" type="submit" isBusy={make.isPending} isDisabled={events.length === 0}>
            Register
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

export type EventKind = NonNullable<NewWebhook["events"]>[number];

/** What a webhook may choose; webhook.test always comes. */
const eventKinds: readonly EventKind[] = [
  "job.completed",
  "job.failed",
  "job.cancelled",
  "job.reviewed",
  "batch.progress",
  "batch.completed",
  "webhook.disabled",
];
