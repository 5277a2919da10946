/** The whole service at one look: health, queue, processes, models. */
import { Badge } from "../components/badge.tsx";
import { formatBytes } from "../components/format-bytes.ts";
import { formatDuration } from "../components/format-duration.ts";
import { Empty } from "../components/empty.tsx";
import { Loaded } from "../components/loaded.tsx";
import { type Column, Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { ModelTable } from "./model-table.tsx";
import { ServiceHealth } from "./service-health.tsx";
import { type ServiceStatus, useServiceStatus } from "./service-status.ts";

type Lane = ServiceStatus["queue"][number];
type Process = ServiceStatus["processes"][number];

export function ServiceOverview() {
  const read = useServiceStatus();
  return (
    <>
      <h1>Service</h1>
      <Loaded read={read} label="Loading the status">
        {(status) => (
          <div className="stack">
            <ServiceHealth status={status} />
            <section aria-labelledby="queue">
              <h2 id="queue">Queue</h2>
              {status.queue.length === 0 ? (
                <Empty title="No queue data yet">The queue is read every few seconds while NATS is healthy.</Empty>
              ) : (
                <Table
                  caption="Queue by lane"
                  columns={laneColumns}
                  rows={status.queue}
                  keyOf={({ lane }) => String(lane)}
                />
              )}
            </section>
            <section aria-labelledby="processes">
              <h2 id="processes">Processes</h2>
              <Table caption="Processes" columns={processColumns} rows={status.processes} keyOf={({ id }) => id} />
              <p className="hint">The model server is not among them: workers tell whether they reach it.</p>
            </section>
            <section aria-labelledby="models">
              <h2 id="models">Models</h2>
              <ModelTable models={status.models} />
            </section>
          </div>
        )}
      </Loaded>
    </>
  );
}

const laneLabels = ["the account's first 2 jobs", "its next 14", "its next 112", "further ones", "test jobs"];

const laneColumns: readonly Column<Lane>[] = [
  { title: "Lane", cell: ({ lane }) => `${lane}: ${laneLabels[lane] ?? ""}` },
  { title: "Waiting", isNumber: true, cell: ({ ready }) => ready.toLocaleString("en") },
  { title: "Processing", isNumber: true, cell: ({ taken }) => taken.toLocaleString("en") },
  {
    title: "Oldest job age",
    isNumber: true,
    cell: ({ oldestSeconds }) => (oldestSeconds === null ? "–" : formatDuration(oldestSeconds * 1_000)),
  },
];

const processColumns: readonly Column<Process>[] = [
  { title: "Service", cell: ({ service }) => service },
  { title: "Host", cell: ({ host, pid }) => `${host}, process ${pid}` },
  {
    title: "State",
    cell: ({ problems }) =>
      problems.length === 0 ? (
        <Badge kind="ok">ready</Badge>
      ) : (
        <span>
          <Badge kind="danger">not ready</Badge> {problems.map(({ name, reason }) => `${name}: ${reason}`).join("; ")}
        </span>
      ),
  },
  { title: "Memory", isNumber: true, cell: ({ residentBytes }) => formatBytes(residentBytes) },
  { title: "Started", cell: ({ startedAt }) => <Time at={startedAt} /> },
];
