/** The models that edits may name, with what was measured of them and what their weights allow. */
import "./models.css";
import { Badge } from "../components/badge.tsx";
import { Empty } from "../components/empty.tsx";
import { type Column, Table } from "../components/table.tsx";
import type { ServiceStatus } from "./service-status.ts";

type Model = ServiceStatus["models"][number];

export function ModelTable({ models }: { readonly models: readonly Model[] }) {
  if (models.length === 0) {
    return <Empty title="No models installed">packshot models list shows which ones there are.</Empty>;
  }
  return <Table caption="Models" columns={columns} rows={models} keyOf={({ name }) => name} />;
}

const columns: readonly Column<Model>[] = [
  {
    title: "Model",
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
  { title: "Trained on", cell: ({ trainedOn }) => trainedOn },
  {
    title: "Measured",
    cell: ({ score }) =>
      score === "unmeasured"
        ? score
        : Object.entries(score)
            .map(([name, value]) => `${name} ${value}`)
            .join(" · "),
  },
];
