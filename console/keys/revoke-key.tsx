import type { ApiKey } from "@packshot/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { CheckField } from "../components/field.tsx";
import { useToast } from "../components/toast.tsx";
import { useApi } from "../session/session.tsx";

interface RevokeKeyProps {
  readonly apiKey: ApiKey;
  /** It is the key that this tab is signed in with. */
  readonly isOwn: boolean;
}

export function RevokeKey({ apiKey, isOwn }: RevokeKeyProps) {
  const { packshot } = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const [withDescendants, setWithDescendants] = useState(false);
  const revoke = useMutation({
    mutationFn: () => packshot.account.keys.revoke(apiKey.id, { withDescendants }),
    async onSuccess() {
      toast(`The key “${apiKey.name}” was revoked`);
      await queries.invalidateQueries({ queryKey: ["keys"] });
    },
  });
  return (
    <div>
      <ConfirmButton
        label="Revoke"
        title={`Revoke the key “${apiKey.name}”?`}
        confirmLabel="Revoke the key"
        isBusy={revoke.isPending}
        onConfirm={() => revoke.mutate()}
      >
        <p>Whoever uses it is refused at once.{isOwn && " It may be the key of this tab: then you are signed out."}</p>
        <CheckField
          label="Revoke the keys that it made, too"
          hint="For a key that has leaked."
          isChecked={withDescendants}
          onChange={setWithDescendants}
        />
      </ConfirmButton>
      {revoke.error !== null && <ErrorNote error={revoke.error} />}
    </div>
  );
}
