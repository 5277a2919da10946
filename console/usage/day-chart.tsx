/**
 * A chart by day, drawn as SVG, and the same numbers as a table, which is what readers of the screen get. Series differ by
 * pattern too, not by color alone.
 */
import { useId, useState } from "react";
import { Button } from "../components/button.tsx";
import { Table } from "../components/table.tsx";
import { axisTicks } from "./days.ts";
import "./charts.css";
import type { DayOfUsage } from "./days.ts";

export interface DaySeries {
  readonly name: string;
  /** undefined: there is none on this day. */
  readonly value: (day: DayOfUsage) => number | undefined;
}

interface DayChartProps {
  readonly title: string;
  readonly days: readonly DayOfUsage[];
  readonly series: readonly DaySeries[];
  /** A value as people read it. */
  readonly words: (value: number) => string;
  /** `stacked`: the series add up to a bar. `points`: each has a mark and a line. */
  readonly kind: "stacked" | "points";
}

const size = { width: 720, height: 220, left: 80, right: 8, top: 12, bottom: 28 } as const;
const innerWidth = size.width - size.left - size.right;
const innerHeight = size.height - size.top - size.bottom;
const dayLabelsMax = 7;

export function DayChart(props: DayChartProps) {
  const { title, days, series, words } = props;
  const id = useId();
  const [isTable, setTable] = useState(false);
  const rows = days.filter((day) => series.some(({ value }) => (value(day) ?? 0) > 0)).toReversed();
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <Legend series={series} />
      <ChartPicture {...props} />
      <div className="chart-table-switch">
        <Button kind="quiet" isPressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? "Hide the table" : "Show as a table"}
        </Button>
      </div>
      <div className={isTable ? undefined : "unseen"}>
        <Table
          caption={title}
          rows={rows}
          keyOf={({ day }) => day}
          columns={[
            { title: "Day (UTC)", cell: ({ day }) => day },
            ...series.map(({ name, value }) => ({
              title: name,
              isNumber: true,
              cell: (day: DayOfUsage) => wordsOf(value(day), words),
            })),
          ]}
        />
      </div>
    </section>
  );
}

function wordsOf(value: number | undefined, words: (value: number) => string): string {
  return value === undefined ? "–" : words(value);
}

function Legend({ series }: Pick<DayChartProps, "series">) {
  return (
    <p className="chart-legend" aria-hidden="true">
      {series.map(({ name }, index) => (
        <span key={name}>
          <span className={`chart-swatch chart-series-${index}`} />
          {name}
        </span>
      ))}
    </p>
  );
}

/** Hidden from readers of the screen, which have the table. */
function ChartPicture(props: DayChartProps) {
  const { days, series, words, kind } = props;
  const tops = days.map((day) => {
    const values = series.map(({ value }) => value(day) ?? 0);
    return kind === "stacked" ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
  const ticks = axisTicks(Math.max(0, ...tops));
  const top = ticks.at(-1)!;
  const yOf = (value: number) => size.top + innerHeight * (1 - value / top);
  const step = innerWidth / days.length;
  const labelEvery = Math.ceil(days.length / dayLabelsMax);
  return (
    <div className="chart">
      <svg viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
        {ticks.map((tick) => (
          <g key={tick}>
            <line className="chart-line" x1={size.left} x2={size.width - size.right} y1={yOf(tick)} y2={yOf(tick)} />
            <text className="chart-text" x={size.left - 6} y={yOf(tick) + 4} textAnchor="end">
              {words(tick)}
            </text>
          </g>
        ))}
        {days.map(
          ({ day }, index) =>
            (days.length - 1 - index) % labelEvery === 0 && (
              <text
                key={day}
                className="chart-text"
                x={size.left + step * (index + 0.5)}
                y={size.height - 8}
                textAnchor="middle"
              >
                {day.slice(5)}
              </text>
            ),
        )}
        {kind === "stacked" ? <Bars {...props} step={step} yOf={yOf} /> : <Points {...props} step={step} yOf={yOf} />}
      </svg>
    </div>
  );
}

interface MarksProps extends DayChartProps {
  /** Width of a day. */
  readonly step: number;
  readonly yOf: (value: number) => number;
}

function Bars({ days, series, words, step, yOf }: MarksProps) {
  const width = Math.max(1, Math.min(28, step * 0.7));
  return days.map((day, index) => {
    let base = 0;
    return (
      <g key={day.day}>
        {series.map(({ name, value }, number) => {
          const amount = value(day) ?? 0;
          const bottom = yOf(base);
          base += amount;
          return (
            amount > 0 && (
              <rect
                key={name}
                className={`chart-series-${number}`}
                x={size.left + step * (index + 0.5) - width / 2}
                y={yOf(base)}
                width={width}
                height={Math.max(1, bottom - yOf(base))}
              >
                <title>{`${day.day}, ${name}: ${words(amount)}`}</title>
              </rect>
            )
          );
        })}
      </g>
    );
  });
}

function Points({ days, series, words, step, yOf }: MarksProps) {
  return series.map(({ name, value }, number) => {
    const points = days.flatMap((day, index) => {
      const amount = value(day);
      return amount === undefined
        ? []
        : [{ day: day.day, amount, x: size.left + step * (index + 0.5), y: yOf(amount) }];
    });
    return (
      <g key={name} className={`chart-series-${number}`}>
        <polyline className="chart-path" points={points.map(({ x, y }) => `${x},${y}`).join(" ")} />
        {points.map(({ day, amount, x, y }) => (
          <circle key={day} cx={x} cy={y} r={number === 0 ? 4 : 3}>
            <title>{`${day}, ${name}: ${words(amount)}`}</title>
          </circle>
        ))}
      </g>
    );
  });
}
