/** Settings are kept as a preset of the account, whose name edits of programs may give too, and such presets deleted. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../components/button.tsx";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { TextField } from "../components/field.tsx";
import { useToast } from "../components/toast.tsx";
import { useApi } from "../session/session.tsx";
import type { EditRequest } from "./edit.ts";

interface PresetActionsProps {
  /** Without what was chosen on a single photo. */
  readonly request: EditRequest;
  /** The preset that the form has was deleted. */
  readonly onDeleted: () => void;
}

export function PresetActions({ request, onDeleted }: PresetActionsProps) {
  const [isSaving, setSaving] = useState(false);
  if (request.preset !== undefined) return <DeletePreset name={request.preset} onDeleted={onDeleted} />;
  return (
    <div>
      <Button isDisabled={Object.keys(request.parameters).length === 0} onClick={() => setSaving(true)}>
        Save as a preset
      </Button>
      {isSaving && <SavePreset request={request} onClose={() => setSaving(false)} />}
    </div>
  );
}

function SavePreset({ request, onClose }: { readonly request: EditRequest; readonly onClose: () => void }) {
  const { packshot } = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const [name, setName] = useState("");
  const { tool, parameters } = request;
  const save = useMutation({
    mutationFn: () => packshot.presets.put(name, { tool, parameters: { ...parameters } }),
    async onSuccess() {
      onClose();
      toast(`The preset ${name} is saved`);
      await queries.invalidateQueries({ queryKey: ["presets"] });
    },
  });
  return (
    <Dialog title="Save as a preset" closeLabel="Cancel" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <TextField
          label="Name"
          hint="Small letters, digits, - and _. A preset of this name is replaced."
          name="preset"
          placeholder="catalog-white"
          pattern="[a-z0-9][a-z0-9_\-]*"
          maxLength={63}
          required
          autoComplete="off"
          spellCheck={false}
          value={name}
          onChange={setName}
        />
        {save.error !== null && <ErrorNote error={save.error} />}
        <Button kind="primary" type="submit" isBusy={save.isPending}>
          Save
        </Button>
      </form>
    </Dialog>
  );
}

function DeletePreset({ name, onDeleted }: { readonly name: string; readonly onDeleted: () => void }) {
  const { packshot } = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => packshot.presets.delete(name),
    async onSuccess() {
      onDeleted();
      toast(`The preset ${name} was deleted`);
      await queries.invalidateQueries({ queryKey: ["presets"] });
    },
  });
  return (
    <div>
      <ConfirmButton
        label="Delete this preset"
        title={`Delete the preset ${name}?`}
        confirmLabel="Delete the preset"
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>Edits that name it are refused. Those that were made with it keep what they are.</p>
      </ConfirmButton>
      {remove.error !== null && <ErrorNote error={remove.error} />}
    </div>
  );
}
