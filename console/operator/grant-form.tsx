/** Credits that the operator adds, or takes with a negative amount. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Button } from "../components/button.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { TextField } from "../components/field.tsx";
import { useToast } from "../components/toast.tsx";
import type { Account } from "./account-list.tsx";
import { useOperatorApi } from "./operator-session.tsx";

export function GrantForm({ account }: { readonly account: Account }) {
  const api = useOperatorApi();
  const queries = useQueryClient();
  const toast = useToast();
  const [amount, setAmount] = useState("");
  const [note, setNote] = useState("");
  const grant = useMutation({
    mutationFn: () =>
      api.json<Account>({
        ...{ method: "POST", path: `/admin/v1/accounts/${encodeURIComponent(account.accountId)}/grants` },
        json: { amount: Number(amount), note },
      }),
    async onSuccess({ credits }) {
      setAmount("");
      setNote("");
      toast(`${account.name} has ${credits.remaining.toLocaleString("en")} credits now`);
      await queries.invalidateQueries({ queryKey: ["operator"] });
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    grant.mutate();
  }

  return (
    <section className="card" aria-labelledby="grant">
      <h2 id="grant">Grant credits</h2>
      <form onSubmit={submit}>
        <TextField
          label="Credits"
          hint="Negative to take some away; the balance never goes below 0."
          type="number"
          step={1}
          name="amount"
          required
          value={amount}
          onChange={setAmount}
        />
        <TextField label="Why, for the ledger" name="note" maxLength={500} value={note} onChange={setNote} />
        {grant.error !== null && <ErrorNote error={grant.error} />}
        <Button
          kind="primary"
          type="submit"
          isBusy={grant.isPending}
          isDisabled={amount === "" || !Number.isInteger(Number(amount)) || Number(amount) === 0}
        >
          Grant
        </Button>
      </form>
    </section>
  );
}
