/** The account's batches, newest first, with their progress. */
import { CodeBlock } from "../components/code-block.tsx";
import { Empty } from "../components/empty.tsx";
import { Loaded } from "../components/loaded.tsx";
import { type Column, Pager, Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { Link } from "../router/link.tsx";
import type { PageProps } from "../router/match-page.ts";
import { useRead } from "../session/read.ts";
import { type Batch, type BatchPage, BatchProgress, BatchStatus, isGoing } from "./batch-status.tsx";

const path = "/batches";
const pageSize = 20;
const refetchIntervalMs = 3_000;

export function BatchList({ query }: PageProps) {
  const cursor = query.get("cursor") ?? undefined;
  const read = useRead(
    ["batches", cursor],
    (api, signal) =>
      api.json<BatchPage>({ method: "GET", path: "/v1/batches", query: { cursor, limit: pageSize }, signal }),
    { refetchIntervalMs },
  );
  return (
    <>
      <h1>Batches</h1>
      <Loaded read={read} label="Loading the batches">
        {({ data, nextCursor }) => (
          <>
            {data.length === 0 ? (
              <NoBatches />
            ) : (
              <Table caption="Batches, newest first" columns={columns} rows={data} keyOf={({ id }) => id} />
            )}
            <Pager path={path} query={{}} cursor={cursor} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
    </>
  );
}

const columns: readonly Column<Batch>[] = [
  { title: "Batch", cell: ({ id }) => <Link to={`${path}/${id}`}>…{id.slice(-12)}</Link> },
  { title: "Tool", cell: ({ tool }) => tool ?? "by row" },
  { title: "Status", cell: (batch) => <BatchStatus batch={batch} /> },
  { title: "Progress", cell: (batch) => <BatchProgress batch={batch} isShort={!isGoing(batch)} /> },
  { title: "Failed", isNumber: true, cell: ({ counts }) => counts.failed },
  { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const example = `curl ${window.location.origin}/v1/batches -H "Authorization: Bearer $PACKSHOT_API_KEY" \\
  --json '{"tool": "mask", "items": [{"ref": "K-17", "imageUrl": "https://shop.example/kettle.jpg"}]}'`;

function NoBatches() {
  return (
    <>
      <Empty title="There are no batches">A batch edits the photos of a whole catalog: send its rows to the API.</Empty>
      <h2>For example</h2>
      <CodeBlock text={example} what="command" />
    </>
  );
}
