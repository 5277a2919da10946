/** Throughput and latency over time, one panel for each scenario, as SVG. */
import { quantile } from "../measuring/statistics.ts";

export interface Panel {
  readonly title: string;
  readonly seconds: number;
  /** When jobs ended, in seconds from the start. */
  readonly ends: readonly number[];
  /** Latencies of those that were followed. */
  readonly latencies: readonly { readonly atSeconds: number; readonly ms: number }[];
  /** Moments with a name, as the steps of a ramp. */
  readonly marks: readonly { readonly atSeconds: number; readonly label: string }[];
}

const panelWidth = 170;
const gap = 14;
const left = 64;
const plotHeight = 150;
const top = 44;
const latencyTop = top + plotHeight + 40;
const height = latencyTop + plotHeight + 46;
const bucketsMax = 24;
const colors = { jobs: "#2f6fb3", p50: "#2e8b57", p95: "#c4622d", axis: "#8a8f98", text: "#30343b", grid: "#e3e6ea" };

type Value = readonly [at: number, value: number];

export function loadChart(panels: readonly Panel[]): string {
  const width = left + panels.length * (panelWidth + gap) + 10;
  const throughput = panels.map(throughputOf);
  const latencies = panels.map(latenciesOf);
  const perSecondMax = niceMax(Math.max(...throughput.flat().map(([, value]) => value), 0.1));
  const shown = latencies.flatMap(({ p50, p95 }) => [...p50, ...p95]).map(([, value]) => value);
  const decades = {
    from: Math.floor(Math.log10(Math.max(1, Math.min(...shown, 1_000)))),
    to: Math.ceil(Math.log10(Math.max(...shown, 10))),
  };
  const perSecondY = (value: number) => top + plotHeight * (1 - value / perSecondMax);
  const msY = (ms: number) =>
    latencyTop + plotHeight * (1 - (Math.log10(Math.max(ms, 1)) - decades.from) / (decades.to - decades.from));
  const body = panels.flatMap((panel, n) => {
    const x = (seconds: number) => left + n * (panelWidth + gap) + (panelWidth * seconds) / lastSecond(panel);
    return [
      ...frame(panel, x),
      line(throughput[n]!, x, perSecondY, colors.jobs),
      line(latencies[n]!.p50, x, msY, colors.p50),
      line(latencies[n]!.p95, x, msY, colors.p95),
    ];
  });
  const perSecondTicks = [0, 0.25, 0.5, 0.75, 1].map((share) => share * perSecondMax);
  const msTicks = Array.from({ length: decades.to - decades.from + 1 }, (_, n) => 10 ** (decades.from + n));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11" fill="${colors.text}">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...perSecondTicks.map((value) => gridLine(perSecondY(value), `${round(value)}/s`, width)),
    ...msTicks.map((ms) => gridLine(msY(ms), ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`, width)),
    text(8, top - 28, "Jobs that ended, per second", "start", colors.jobs),
    text(8, latencyTop - 10, "Latency of a job, photo sent to webhook:", "start"),
    text(250, latencyTop - 10, "median", "start", colors.p50),
    text(300, latencyTop - 10, "p95", "start", colors.p95),
    ...body,
    "</svg>",
    "",
  ].join("\n");
}

/** Jobs that arrive in a burst may end long after the last one came. */
function lastSecond({ seconds, ends }: Panel): number {
  return Math.max(seconds, ...ends);
}

/** None is shorter than a second. */
function bucketCount(panel: Panel): number {
  return Math.min(bucketsMax, Math.max(1, Math.floor(lastSecond(panel))));
}

function bucketOf(panel: Panel, atSeconds: number): number {
  const count = bucketCount(panel);
  return Math.min(count - 1, Math.floor((count * atSeconds) / lastSecond(panel)));
}

function throughputOf(panel: Panel): Value[] {
  const length = lastSecond(panel) / bucketCount(panel);
  const counts = new Array<number>(bucketCount(panel)).fill(0);
  for (const at of panel.ends) counts[bucketOf(panel, at)]! += 1;
  return counts.map((count, n) => [(n + 0.5) * length, count / length]);
}

function latenciesOf(panel: Panel): { readonly p50: Value[]; readonly p95: Value[] } {
  const length = lastSecond(panel) / bucketCount(panel);
  const groups = Map.groupBy(panel.latencies, ({ atSeconds }) => bucketOf(panel, atSeconds));
  const of = (share: number) =>
    [...groups]
      .toSorted(([a], [b]) => a - b)
      .map(([n, group]): Value => {
        const sorted = group.map(({ ms }) => ms).toSorted((a, b) => a - b);
        return [(n + 0.5) * length, quantile(sorted, share)];
      });
  return { p50: of(0.5), p95: of(0.95) };
}

type Scale = (value: number) => number;

function frame(panel: Panel, x: Scale): string[] {
  const bottom = latencyTop + plotHeight;
  const from = x(0);
  const to = x(lastSecond(panel));
  const rules = panel.marks.flatMap(({ atSeconds, label }) => [
    `<path d="M${f(x(atSeconds))} ${top}v${plotHeight}M${f(x(atSeconds))} ${latencyTop}v${plotHeight}" stroke="${colors.axis}" stroke-dasharray="2 3" fill="none"/>`,
    text(x(atSeconds) + 3, top + 10, label, "start", colors.axis),
  ]);
  const box = (y: number) =>
    `<rect x="${f(from)}" y="${y}" width="${f(to - from)}" height="${plotHeight}" fill="none" stroke="${colors.axis}"/>`;
  return [
    ...rules,
    box(top),
    box(latencyTop),
    text((from + to) / 2, top - 10, panel.title, "middle"),
    text(from, bottom + 16, "0", "start"),
    text(to, bottom + 16, `${Math.round(lastSecond(panel))} s`, "end"),
  ];
}

function gridLine(y: number, label: string, width: number): string {
  const path = `<path d="M${left} ${f(y)}H${width - gap - 10}" stroke="${colors.grid}" fill="none"/>`;
  return `${path}\n${text(left - 6, y + 4, label, "end")}`;
}

function line(values: readonly Value[], x: Scale, y: Scale, color: string): string {
  const path = values.map(([at, value], n) => `${n === 0 ? "M" : "L"}${f(x(at))} ${f(y(value))}`).join("");
  return `<path d="${path}" stroke="${color}" stroke-width="1.5" fill="none"/>`;
}

function text(x: number, y: number, content: string, anchor: string, color: string = colors.text): string {
  return `<text x="${f(x)}" y="${f(y)}" text-anchor="${anchor}" fill="${color}">${content}</text>`;
}

/** The next 1, 2 or 5 times a power of ten. */
function niceMax(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value)!;
}

const f = (value: number) => value.toFixed(1);
const round = (value: number) => Number(value.toPrecision(2));
