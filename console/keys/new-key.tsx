import type { ApiKey, CreatedApiKey } from "@packshot/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { CheckField, TextField } from "../components/field.tsx";
import { Select } from "../components/select.tsx";
import { useSession } from "../session/session.tsx";

type Scope = ApiKey["scopes"][number];

interface NewKeyDialogProps {
  readonly onClose: () => void;
  readonly onMade: (key: CreatedApiKey) => void;
}

const scopeLabels: Readonly<Record<Scope, string>> = {
  edits: "create, cancel and delete edits, uploads and presets, and read them",
  read: "read everything but webhooks and keys",
  webhooks: "read and change webhooks, and see their deliveries",
  keys: "make and revoke keys, change connections, export and delete the account",
};
const allScopes = Object.keys(scopeLabels) as readonly Scope[];

export function NewKeyDialog({ onClose, onMade }: NewKeyDialogProps) {
  const { session } = useSession();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [kind, setKind] = useState(session?.isTest === true ? "test" : "live");
  const [scopes, setScopes] = useState<readonly Scope[]>(["edits", "read"]);
  const [expiresOn, setExpiresOn] = useState("");
  const make = useMutation({
    mutationFn: () =>
      session!.api.packshot.account.keys.create({
        name: name.trim(),
        live: kind === "live",
        scopes: [...scopes],
        expiresAt: expiresOn === "" ? null : new Date(`${expiresOn}T23:59:59`).toISOString(),
      }),
    async onSuccess(key) {
      onMade(key);
      await queries.invalidateQueries({ queryKey: ["keys"] });
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    make.mutate();
  }

  return (
    <Dialog title="Make a key" closeLabel="Cancel" onClose={onClose}>
      <form onSubmit={submit}>
        <TextField
          label="What it is for"
          name="name"
          placeholder="shop backend"
          maxLength={100}
          required
          value={name}
          onChange={setName}
        />
        {session?.isTest !== true && (
          <Select
            label="Kind"
            hint="A test key's edits are free and run on no model."
            value={kind}
            options={[
              { value: "live", label: "Live" },
              { value: "test", label: "Test" },
            ]}
            onChange={setKind}
          />
        )}
        <ScopeFields scopes={scopes} onChange={setScopes} />
        <TextField
          label="Last day"
          hint="The key stops working after it. Empty: it works until it is revoked."
          type="date"
          name="expires"
          value={expiresOn}
          onChange={setExpiresOn}
        />
        {make.error !== null && <ErrorNote error={make.error} />}
        <div className="dialog-actions">
          <Button kind="primary" type="submit" isBusy={make.isPending} isDisabled={scopes.length === 0}>
            Make it
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ScopeFieldsProps {
  readonly scopes: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}

function ScopeFields({ scopes, onChange }: ScopeFieldsProps) {
  const toggle = (scope: Scope, isChosen: boolean) =>
    onChange(allScopes.filter((other) => (other === scope ? isChosen : scopes.includes(other))));
  return (
    <fieldset>
      <legend>What it may do</legend>
      {allScopes.map((scope) => (
        <CheckField
          key={scope}
          label={scope}
          hint={scopeLabels[scope]}
          isChecked={scopes.includes(scope)}
          onChange={(isChosen) => toggle(scope, isChosen)}
        />
      ))}
    </fieldset>
  );
}
