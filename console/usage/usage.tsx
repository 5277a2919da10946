/** What the account used: edits, credits and latency by day, as charts with their tables. */
import type { Usage as UsageBody } from "@packshot/sdk";
import { Definitions } from "../components/definitions.tsx";
import { Empty } from "../components/empty.tsx";
import { formatDuration } from "../components/format.ts";
import { Loaded } from "../components/loaded.tsx";
import { Select } from "../components/select.tsx";
import { Time } from "../components/time.tsx";
import { navigate } from "../router/location.ts";
import type { PageProps } from "../router/match-page.ts";
import { useRead } from "../session/read.ts";
import { DayChart, type DaySeries } from "./day-chart.tsx";
import { type DayOfUsage, daysUntil, firstDayOf } from "./days.ts";

const path = "/usage";
const refetchIntervalMs = 30_000;
const periods = [7, 30, 90];
const daysDefault = 30;

export function Usage({ query }: PageProps) {
  const asked = Number(query.get("days"));
  const dayCount = periods.includes(asked) ? asked : daysDefault;
  const from = firstDayOf(dayCount, Date.now());
  const read = useRead(["usage", from], (api, signal) => api.packshot.account.usage({ from }, { signal }), {
    refetchIntervalMs,
  });
  return (
    <>
      <h1>Usage</h1>
      <div className="bar">
        <Select
          label="Period"
          value={String(dayCount)}
          options={periods.map((days) => ({ value: String(days), label: `${days} days` }))}
          onChange={(days) => navigate(path, { days })}
        />
      </div>
      <Loaded read={read} label="Loading the usage">
        {(usage) => <UsageCharts usage={usage} days={daysUntil(usage.data, dayCount, Date.now())} />}
      </Loaded>
    </>
  );
}

interface UsageChartsProps {
  readonly usage: UsageBody;
  readonly days: readonly DayOfUsage[];
}

const editSeries: readonly DaySeries[] = [
  { name: "mask", value: ({ edits }) => edits.mask ?? 0 },
  { name: "ai-shadows", value: ({ edits }) => edits["ai-shadows"] ?? 0 },
  { name: "ai-bg", value: ({ edits }) => edits["ai-bg"] ?? 0 },
];
const creditSeries: readonly DaySeries[] = [
  { name: "spent", value: ({ creditsDebited, creditsRefunded }) => Math.max(0, creditsDebited - creditsRefunded) },
  { name: "refunded", value: ({ creditsRefunded }) => creditsRefunded },
];
const latencySeries: readonly DaySeries[] = [
  { name: "median", value: ({ latency }) => latency?.medianMs },
  { name: "95 % within", value: ({ latency }) => latency?.p95Ms },
  { name: "99 % within", value: ({ latency }) => latency?.p99Ms },
];
const phaseSeries: readonly DaySeries[] = [
  { name: "in the queue", value: ({ latency }) => latency?.queue?.meanMs },
  { name: "at work", value: ({ latency }) => latency?.work?.meanMs },
];
const toolSeries: readonly DaySeries[] = [
  { name: "mask", value: ({ latency }) => latency?.byTool?.mask?.p95Ms },
  { name: "ai-shadows", value: ({ latency }) => latency?.byTool?.["ai-shadows"]?.p95Ms },
  { name: "ai-bg", value: ({ latency }) => latency?.byTool?.["ai-bg"]?.p95Ms },
];

function UsageCharts({ usage, days }: UsageChartsProps) {
  const { remaining, period, periodEndsAt } = usage.credits;
  const count = (value: number) => value.toLocaleString("en");
  return (
    <div className="stack">
      <section className="card" aria-labelledby="credits">
        <h2 id="credits">Credits now</h2>
        <Definitions
          entries={[
            ["Left", count(remaining)],
            ["Period", `No. ${period}`],
            ["It ends", <Time key="ends" at={periodEndsAt} />],
          ]}
        />
      </section>
      {usage.data.length === 0 ? (
        <Empty title="Nothing was used in this time">Only live edits count; test keys are free.</Empty>
      ) : (
        <>
          <DayChart title="Edits by day" days={days} series={editSeries} words={count} kind="stacked" />
          <DayChart title="Credits by day" days={days} series={creditSeries} words={count} kind="stacked" />
          <DayChart
            title="Latency by day, from the request to the result"
            days={days}
            series={latencySeries}
            words={formatDuration}
            kind="points"
          />
          <DayChart
            title="Mean time in the queue and at work, by day"
            days={days}
            series={phaseSeries}
            words={formatDuration}
            kind="stacked"
          />
          <DayChart
            title="Latency by tool, 95 % within"
            days={days}
            series={toolSeries}
            words={formatDuration}
            kind="points"
          />
        </>
      )}
    </div>
  );
}
