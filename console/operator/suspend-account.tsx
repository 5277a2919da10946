import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { Button } from "../components/button.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { useToast } from "../components/toast.tsx";
import type { Account } from "./account-list.tsx";
import { useOperatorApi } from "./operator-session.tsx";

export function SuspendAccount({ account }: { readonly account: Account }) {
  const api = useOperatorApi();
  const queries = useQueryClient();
  const toast = useToast();
  const change = useMutation({
    mutationFn: (apiEnabled: boolean) =>
      api.json<Account>({
        ...{
          method: "PATCH",
          path: `/admin/v1/accounts/${encodeURIComponent(account.accountId)}`,
          json: { apiEnabled },
        },
      }),
    async onSuccess({ apiEnabled }) {
      toast(apiEnabled ? "The account may use the API again" : "The account is suspended");
      await queries.invalidateQueries({ queryKey: ["operator"] });
    },
  });
  return (
    <div>
      {account.apiEnabled ? (
        <ConfirmButton
          label="Suspend"
          title={`Suspend ${account.name}?`}
          confirmLabel="Suspend the account"
          isBusy={change.isPending}
          onConfirm={() => change.mutate(false)}
        >
          <p>Every process refuses its requests at once. Jobs that were accepted still run.</p>
        </ConfirmButton>
      ) : (
        <Button kind="primary" isBusy={change.isPending} onClick={() => change.mutate(true)}>
          Let it use the API again
        </Button>
      )}
      {change.error !== null && <ErrorNote error={change.error} />}
    </div>
  );
}
