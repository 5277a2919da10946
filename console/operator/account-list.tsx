/** Accounts: the oldest first, or those that wait or compute most. */
import { Badge } from "../components/badge.tsx";
import { Empty } from "../components/empty.tsx";
import { formatDuration } from "../components/format.ts";
import { Loaded } from "../components/loaded.tsx";
import { Select } from "../components/select.tsx";
import { type Column, Pager, Table } from "../components/table.tsx";
import { Link } from "../router/link.tsx";
import { navigate } from "../router/location.ts";
import type { PageProps } from "../router/match-page.ts";
import type { components } from "./generated/admin-openapi.ts";
import { useOperatorRead } from "./operator-session.tsx";

export type Account = components["schemas"]["Account"];

interface AccountPage {
  readonly data: readonly Account[];
  readonly nextCursor?: string;
}

const path = "/accounts";
const pageSize = "50";
const refetchIntervalMs = 5_000;
const orders = [
  { value: "", label: "Oldest first" },
  { value: "waiting", label: "Most waiting jobs" },
  { value: "inferenceSeconds", label: "Most inference today" },
];

export function AccountList({ query }: PageProps) {
  const sort = query.get("sort") ?? undefined;
  const cursor = query.get("cursor") ?? undefined;
  const read = useOperatorRead<AccountPage>("/accounts", { sort, cursor, limit: pageSize }, refetchIntervalMs);
  return (
    <>
      <h1>Accounts</h1>
      <div className="bar">
        <Select
          label="Order"
          value={sort ?? ""}
          options={orders}
          onChange={(chosen) => navigate(path, { sort: chosen })}
        />
      </div>
      <Loaded read={read} label="Loading the accounts">
        {({ data, nextCursor }) => (
          <>
            {data.length === 0 ? (
              <Empty title="There are no such accounts">
                Sorted by what they do, accounts without jobs are left out.
              </Empty>
            ) : (
              <Table caption="Accounts" columns={columns} rows={data} keyOf={({ accountId }) => accountId} />
            )}
            <Pager path={path} query={{ sort }} cursor={cursor} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
    </>
  );
}

const count = (value: number) => value.toLocaleString("en");

const columns: readonly Column<Account>[] = [
  {
    title: "Account",
    isText: true,
    cell: ({ accountId, name, apiEnabled }) => (
      <span>
        <Link to={`${path}/${accountId}`}>{name}</Link> {!apiEnabled && <Badge kind="danger">suspended</Badge>}
      </span>
    ),
  },
  { title: "Plan", cell: ({ plan }) => plan },
  { title: "In the window", isNumber: true, cell: ({ running }) => count(running) },
  { title: "Waiting", isNumber: true, cell: ({ waiting }) => count(waiting) },
  { title: "Credits", isNumber: true, cell: ({ credits }) => count(credits.remaining) },
  { title: "Edits, last day", isNumber: true, cell: ({ usage }) => count(editsOf(usage?.edits)) },
  {
    title: "Inference, last day",
    isNumber: true,
    cell: ({ inference }) => (inference?.dayMs === undefined ? "–" : formatDuration(inference.dayMs)),
  },
];

function editsOf(edits: Readonly<Record<string, number>> = {}): number {
  return Object.values(edits).reduce((sum, amount) => sum + amount, 0);
}
