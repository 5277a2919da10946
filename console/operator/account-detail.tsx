/** One account: its limits and counts, a grant of credits, suspension, and what was changed of it. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Badge } from "../components/badge.tsx";
import { Button } from "../components/button.tsx";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { Definitions } from "../components/definitions.tsx";
import { Empty } from "../components/empty.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { TextField } from "../components/field.tsx";
import { formatBytes } from "../components/format.ts";
import { Loaded } from "../components/loaded.tsx";
import { type Column, Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { useToast } from "../components/toast.tsx";
import { Link } from "../router/link.tsx";
import type { PageProps } from "../router/match-page.ts";
import type { Account } from "./account-list.tsx";
import type { components } from "./generated/admin-openapi.ts";
import { useOperatorApi, useOperatorRead } from "./operator-session.tsx";

type AuditEntry = components["schemas"]["AuditEntry"];

const refetchIntervalMs = 5_000;

export function AccountDetail({ params }: PageProps) {
  const path = `/accounts/${encodeURIComponent(params.id!)}`;
  const read = useOperatorRead<Account>(path, {}, refetchIntervalMs);
  return (
    <>
      <p>
        <Link to="/accounts">All accounts</Link>
      </p>
      <Loaded read={read} label="Loading the account">
        {(account) => (
          <>
            <h1>{account.name}</h1>
            <div className="stack">
              <SuspendAccount account={account} />
              <div className="columns">
                <AccountFacts account={account} />
                <GrantForm account={account} />
              </div>
              <Changes path={path} />
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

function AccountFacts({ account }: { readonly account: Account }) {
  const { limits, credits } = account;
  const count = (value: number) => value.toLocaleString("en");
  return (
    <section className="card" aria-labelledby="facts">
      <h2 id="facts">Facts</h2>
      <Definitions
        entries={[
          ["Id", <code key="id">{account.accountId}</code>],
          ["Plan", account.plan],
          ["API", <ApiState key="api" isOn={account.apiEnabled} />],
          ["Tools", account.tools.join(", ")],
          ["Credits", `${count(credits.remaining)} left of ${count(credits.perPeriod)} a period`],
          ["Period ends", <Time key="ends" at={credits.periodEndsAt} />],
          ["Jobs", `${count(account.running)} in the window, ${count(account.waiting)} waiting`],
          ["At once", count(limits.concurrentJobs)],
          ["Waiting at most", count(limits.maxQueuedJobs)],
          ["Requests", `${count(limits.rateLimitPerHour)} an hour`],
          ["Largest file", formatBytes(limits.maxFileSizeBytes)],
          ["Keys", `${account.apiKeys} of ${limits.maxApiKeys}`],
          ["Webhooks", `${account.webhooks} of ${limits.maxWebhooks}`],
          ["Created", <Time key="created" at={account.createdAt} />],
        ]}
      />
    </section>
  );
}

function ApiState({ isOn }: { readonly isOn: boolean }) {
  return isOn ? <Badge kind="ok">on</Badge> : <Badge kind="danger">suspended</Badge>;
}

function Changes({ path }: { readonly path: string }) {
  const read = useOperatorRead<{ readonly data: readonly AuditEntry[] }>(`${path}/audit`, {}, refetchIntervalMs);
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">Changes</h2>
      <Loaded read={read} label="Loading the changes">
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="Nothing was changed in the last 90 days" />
          ) : (
            <Table caption="Changes, newest first" columns={columns} rows={data} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
    </section>
  );
}

const columns: readonly Column<AuditEntry>[] = [
  { title: "When", cell: ({ at }) => <Time at={at} /> },
  { title: "Who", cell: ({ actor, keyId }) => (actor === "operator" ? "operator" : `key …${keyId?.slice(-12) ?? ""}`) },
  {
    title: "What",
    isText: true,
    cell: ({ operation, fields, count }) =>
      [operation, fields.length > 0 && `(${fields.join(", ")})`, count > 1 && `× ${count.toLocaleString("en")}`]
        .filter(Boolean)
        .join(" "),
  },
  { title: "From", isText: true, cell: ({ address }) => address ?? "–" },
  { title: "Answer", cell: ({ status, code }) => [status ?? "not known", code].filter(Boolean).join(" ") },
];

function SuspendAccount({ account }: { readonly account: Account }) {
  const api = useOperatorApi();
  const queries = useQueryClient();
  const toast = useToast();
  const change = useMutation({
    mutationFn: (apiEnabled: boolean) =>
      api.json<Account>({
        method: "PATCH",
        path: `/admin/v1/accounts/${encodeURIComponent(account.accountId)}`,
        json: { apiEnabled },
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

/** Credits that the operator adds, or takes with a negative amount. */
function GrantForm({ account }: { readonly account: Account }) {
  const api = useOperatorApi();
  const queries = useQueryClient();
  const toast = useToast();
  const [amount, setAmount] = useState("");
  const [note, setNote] = useState("");
  const grant = useMutation({
    mutationFn: () =>
      api.json<Account>({
        method: "POST",
        path: `/admin/v1/accounts/${encodeURIComponent(account.accountId)}/grants`,
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
