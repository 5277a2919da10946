/** The whole service at one look: health, queue, processes, models. */
import "./models.css";
import { Badge } from "../components/badge.tsx";
import { Empty } from "../components/empty.tsx";
import { formatBytes, formatDuration } from "../components/format.ts";
import { Loaded } from "../components/loaded.tsx";
import { type Column, Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { ServiceHealth, type ServiceStatus, useServiceStatus } from "./service-health.tsx";

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
  { title: "Host", isText: true, cell: ({ host, pid }) => `${host}, process ${pid}` },
  {
    title: "State",
    isText: true,
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

/** The models that edits may name, with what was measured of them and what their weights allow. */
type Model = ServiceStatus["models"][number];

function ModelTable({ models }: { readonly models: readonly Model[] }) {
  if (models.length === 0) {
    return <Empty title="No models installed">packshot models list shows which ones there are.</Empty>;
  }
  return <Table caption="Models" columns={columns} rows={models} keyOf={({ name }) => name} />;
}

const columns: readonly Column<Model>[] = [
  {
    title: "Model",
    isText: true,
    cell: ({ name, default: isDefault, description }) => (
      <span>
        {name} {isDefault && <Badge kind="ok">default</Badge>}
        <span className="hint" style={{ display: "block" }}>
          {description}
        </span>
      </span>
    ),
  },
  { title: "License", cell: ({ license }) => <span className="model-license">{license}</span> },
  { title: "Trained on", isText: true, cell: ({ trainedOn }) => trainedOn },
  {
    title: "Measured",
    isText: true,
    cell: ({ score }) =>
      score === "unmeasured"
        ? score
        : Object.entries(score)
            .map(([name, value]) => `${name} ${value}`)
            .join(" · "),
  },
];
