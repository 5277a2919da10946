/** What was measured of a result, in words, and the checks of its preset. */
import type { Job, Report } from "@packshot/sdk";
import { formatCredits } from "../components/format.ts";
import { Table } from "../components/table.tsx";
import { describeReport } from "./describe-report.ts";

interface ReportPanelProps {
  readonly job: Job;
  readonly report: Report;
}

export function ReportPanel({ job, report }: ReportPanelProps) {
  const { checks = [] } = report;
  const totalMs = job.timings?.total;
  return (
    <section className="report" aria-label="Report">
      <h3>
        Report{" "}
        {report.quality === "review" ? (
          <span className="badge badge-warn">to be reviewed</span>
        ) : (
          <span className="badge badge-ok">ok</span>
        )}
      </h3>
      <ul>
        {describeReport(report).map(({ text, tone }) => (
          <li key={text} className={`tone-${tone}`}>
            {text}
          </li>
        ))}
        <li className="hint">
          Seed {job.parameters.seed}
          {job.parameters.model !== undefined && `, model ${job.parameters.model}`}
          {totalMs !== undefined && `, ${(totalMs / 1000).toFixed(1)} s`}
          {`, ${formatCredits(job.creditsCharged)}`}
        </li>
      </ul>
      {checks.length > 0 && (
        <Table
          caption="Checks of the preset"
          rows={checks}
          keyOf={({ name }) => name}
          columns={[
            {
              title: "Rule",
              isText: true,
              cell: ({ name, note }) => (note === undefined ? name : `${name} (${note})`),
            },
            { title: "Measured", isNumber: true, cell: ({ value }) => measured(value) },
            {
              title: "Outcome",
              cell: ({ passed }) => (
                <span className={passed ? "badge badge-ok" : "badge badge-danger"}>{passed ? "met" : "not met"}</span>
              ),
            },
          ]}
        />
      )}
    </section>
  );
}

function measured(value: number | string): string {
  if (typeof value === "string") return value;
  return Number.isInteger(value) ? value.toLocaleString("en") : String(Number(value.toPrecision(3)));
}
