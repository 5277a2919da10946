/** The account's API keys: made (the secret is shown once) and revoked here. */
import type { ApiKey, CreatedApiKey } from "@packshot/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { listAll } from "../api/api.ts";
import { Badge } from "../components/badge.tsx";
import { Button } from "../components/button.tsx";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { Empty } from "../components/empty.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { CheckField } from "../components/field.tsx";
import { Loaded } from "../components/loaded.tsx";
import { SecretOnce } from "../components/secret-once.tsx";
import { type Column, Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { useToast } from "../components/toast.tsx";
import { useRead } from "../session/read.ts";
import { useApi, useSession } from "../session/session.tsx";
import { NewKeyDialog } from "./new-key.tsx";

const refetchIntervalMs = 30_000;

export function KeyList() {
  const { session } = useSession();
  const read = useRead(["keys"], (api, signal) => listAll(api.packshot.account.keys.list({ signal })), {
    refetchIntervalMs,
  });
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedApiKey>();
  // Both are beginnings of the key, and either may be the longer one.
  const ownHint = session?.hint.replace("…", "");
  const isOwn = ({ hint }: ApiKey) => ownHint !== undefined && (hint.startsWith(ownHint) || ownHint.startsWith(hint));
  return (
    <>
      <h1>Keys</h1>
      <div className="bar">
        <Button kind="primary" onClick={() => setMaking(true)}>
          Make a key
        </Button>
      </div>
      <Loaded read={read} label="Loading the keys">
        {(keys) =>
          keys.length === 0 ? (
            <Empty title="There are no keys" />
          ) : (
            <Table caption="API keys, oldest first" columns={columnsOf(isOwn)} rows={keys} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      {isMaking && (
        <NewKeyDialog
          onClose={() => setMaking(false)}
          onMade={(key) => {
            setMaking(false);
            setMade(key);
          }}
        />
      )}
      {made !== undefined && (
        <SecretOnce title={`The key “${made.name}”`} what="key" secret={made.key} onClose={() => setMade(undefined)}>
          <p>Store it where your program finds it. It is shown only now: whoever loses it makes another one.</p>
        </SecretOnce>
      )}
    </>
  );
}

function columnsOf(isOwn: (key: ApiKey) => boolean): readonly Column<ApiKey>[] {
  return [
    {
      title: "Name",
      isText: true,
      cell: (key) => (
        <span>
          {key.name} {isOwn(key) && <Badge kind="muted">of this tab</Badge>}
        </span>
      ),
    },
    { title: "Begins with", cell: ({ hint }) => <code>{hint}…</code> },
    { title: "For", cell: ({ live }) => (live ? "live" : "test") },
    { title: "May", cell: ({ scopes }) => scopes.join(", ") },
    { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
    { title: "Last used", cell: ({ lastUsedAt }) => (lastUsedAt === null ? "–" : <Time at={lastUsedAt} />) },
    { title: "Expires", cell: (key) => <Expiry apiKey={key} /> },
    { title: "Revoke", cell: (key) => <RevokeKey apiKey={key} isOwn={isOwn(key)} /> },
  ];
}

function Expiry({ apiKey: { expiresAt } }: { readonly apiKey: ApiKey }) {
  if (expiresAt === null) return <>never</>;
  if (Date.parse(expiresAt) < Date.now()) return <Badge kind="danger">expired</Badge>;
  return <Time at={expiresAt} />;
}

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
