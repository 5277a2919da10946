/** One account: its limits and counts, a grant of credits, suspension, and what was changed of it. */
import { Badge } from "../components/badge.tsx";
import { formatBytes } from "../components/format-bytes.ts";
import { Definitions } from "../components/definitions.tsx";
import { Empty } from "../components/empty.tsx";
import { Loaded } from "../components/loaded.tsx";
import { type Column, Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { Link } from "../router/link.tsx";
import type { PageProps } from "../router/match-page.ts";
import type { Account } from "./account-list.tsx";
import type { components } from "./generated/admin-openapi.ts";
import { GrantForm } from "./grant-form.tsx";
import { useOperatorRead } from "./operator-session.tsx";
import { SuspendAccount } from "./suspend-account.tsx";

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
          ["Jobs", `${count(account.running)} running, ${count(account.waiting)} waiting`],
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
    cell: ({ operation, fields, count }) =>
      [operation, fields.length > 0 && `(${fields.join(", ")})`, count > 1 && `× ${count.toLocaleString("en")}`]
        .filter(Boolean)
        .join(" "),
  },
  { title: "From", cell: ({ address }) => address ?? "–" },
  { title: "Answer", cell: ({ status, code }) => [status ?? "not known", code].filter(Boolean).join(" ") },
];
