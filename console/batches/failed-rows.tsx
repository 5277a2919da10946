/** The rows that failed, or whose buckets did not take their results, out of the report, which is read as it comes and no further than needed. */
import { Loaded } from "../components/loaded.tsx";
import { type Column, Table } from "../components/table.tsx";
import { Link } from "../router/link.tsx";
import { useRead } from "../session/read.ts";
import type { Batch } from "./batch-status.tsx";

interface ReportRow {
  readonly ref: string;
  readonly line: number;
  readonly status: string;
  readonly code?: string | null;
  readonly message?: string | null;
  readonly jobId?: string | null;
  readonly delivery?: string | null;
}

const rowsMax = 100;

export function FailedRows({ batch }: { readonly batch: Batch }) {
  const { id, counts, deliveriesFailed } = batch;
  const failedCount = counts.failed + deliveriesFailed;
  const read = useRead(["batch-failed", id, batch.try, failedCount], async (api, signal) => {
    const path = `/v1/batches/${encodeURIComponent(id)}/report`;
    const response = await api.stream({ method: "GET", path, query: { format: "ndjson" }, signal });
    const failed: ReportRow[] = [];
    for await (const line of readLines(response)) {
      const row = JSON.parse(line) as ReportRow;
      if ((row.status === "failed" || isUndelivered(row)) && failed.push(row) === rowsMax) break;
    }
    return failed;
  });
  return (
    <section aria-labelledby="failed-rows">
      <h2 id="failed-rows">Failed rows</h2>
      {failedCount > rowsMax && (
        <p>
          The first {rowsMax} of {failedCount.toLocaleString("en")}; the report has all.
        </p>
      )}
      <Loaded read={read} label="Reading the report">
        {(rows) => <Table caption="Failed rows" columns={columns} rows={rows} keyOf={({ line }) => String(line)} />}
      </Loaded>
    </section>
  );
}

/** A skipped row has its delivery with the row that it is the same as. */
function isUndelivered({ status, delivery }: ReportRow): boolean {
  return status === "completed" && delivery === "failed";
}

const columns: readonly Column<ReportRow>[] = [
  { title: "Line", isNumber: true, cell: ({ line }) => line },
  { title: "Row", isText: true, cell: ({ ref }) => ref },
  { title: "What", cell: (row) => (isUndelivered(row) ? "delivery" : "edit") },
  { title: "Code", cell: ({ code }) => code ?? "–" },
  { title: "Why", isText: true, cell: ({ message }) => message ?? "–" },
  {
    title: "Job",
    cell: ({ jobId }) => (jobId == null ? "none" : <Link to={`/jobs/${jobId}`}>…{jobId.slice(-12)}</Link>),
  },
];

/** The lines of a response, each as soon as it is whole. Leaving the loop ends the response. */
async function* readLines(response: Response): AsyncGenerator<string, void> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line !== "") yield line;
    }
    if (rest !== "") yield rest;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
