import type { NewWebhook, WebhookWithSecret } from "@packshot/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { CheckField, TextField } from "../components/field.tsx";
import { Select } from "../components/select.tsx";
import { useApi } from "../session/session.tsx";
import { DestinationFields, type DestinationTexts, destinationOf, emptyDestination } from "./destination-fields.tsx";

interface NewWebhookDialogProps {
  readonly onClose: () => void;
  readonly onMade: (webhook: WebhookWithSecret) => void;
}

export function NewWebhookDialog({ onClose, onMade }: NewWebhookDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  const [fields, setFields] = useState<Fields>(emptyFields);
  const make = useMutation({
    mutationFn: async () => api.packshot.webhooks.create(requestOf(fields)),
    async onSuccess(webhook) {
      onMade(webhook);
      await queries.invalidateQueries({ queryKey: ["webhooks"] });
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    make.mutate();
  }

  return (
    <Dialog title="Register a webhook" closeLabel="Cancel" onClose={onClose}>
      <form onSubmit={submit}>
        <ReceiverFields fields={fields} onChange={(change) => setFields({ ...fields, ...change })} />
        <LimitFields fields={fields} onChange={(change) => setFields({ ...fields, ...change })} />
        {make.error !== null && <ErrorNote error={make.error} />}
        <div className="dialog-actions">
          <Button kind="primary" type="submit" isBusy={make.isPending} isDisabled={fields.events.length === 0}>
            Register
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type Format = NonNullable<NewWebhook["format"]>;

interface Fields {
  readonly destination: DestinationTexts;
  readonly description: string;
  readonly events: readonly EventKind[];
  readonly format: Format;
  /** Empty: any number. */
  readonly maxPerSecond: string;
  readonly maxConcurrent: string;
}

function requestOf({ destination, events, maxPerSecond, maxConcurrent, ...fields }: Fields): NewWebhook {
  return {
    ...fields,
    ...destinationOf(destination),
    events: [...events],
    maxPerSecond: maxPerSecond === "" ? null : Number(maxPerSecond),
    maxConcurrent: maxConcurrent === "" ? null : Number(maxConcurrent),
  };
}

interface FieldsProps {
  readonly fields: Fields;
  readonly onChange: (change: Partial<Fields>) => void;
}

function ReceiverFields({ fields: { destination, description, events, format }, onChange }: FieldsProps) {
  const toggle = (kind: EventKind, isChosen: boolean) =>
    onChange({ events: eventKinds.filter((other) => (other === kind ? isChosen : events.includes(other))) });
  return (
    <>
      <DestinationFields
        texts={destination}
        onChange={(change) => onChange({ destination: { ...destination, ...change } })}
      />
      <TextField
        label="What it is for"
        name="description"
        maxLength={500}
        value={description}
        onChange={(value) => onChange({ description: value })}
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
      <Select
        label="Payload format"
        value={format}
        options={formats}
        onChange={(chosen) => onChange({ format: chosen as Format })}
      />
    </>
  );
}

function LimitFields({ fields: { maxPerSecond, maxConcurrent }, onChange }: FieldsProps) {
  return (
    <>
      <TextField
        label="Requests a second, at most"
        hint="1 to 100; empty: any number. Further events wait."
        type="number"
        name="maxPerSecond"
        min={1}
        max={100}
        value={maxPerSecond}
        onChange={(value) => onChange({ maxPerSecond: value })}
      />
      <TextField
        label="Requests at once, at most"
        hint="1 to 256; empty: 256."
        type="number"
        name="maxConcurrent"
        min={1}
        max={256}
        value={maxConcurrent}
        onChange={(value) => onChange({ maxConcurrent: value })}
      />
    </>
  );
}

const formats: readonly { readonly value: Format; readonly label: string }[] = [
  { value: "packshot", label: "Packshot" },
  { value: "cloudevents", label: "CloudEvents 1.0" },
];

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

const emptyFields: Fields = {
  destination: emptyDestination,
  description: "",
  events: eventKinds,
  format: "packshot",
  maxPerSecond: "",
  maxConcurrent: "",
};
