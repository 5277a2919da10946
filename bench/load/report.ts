/** What the runs have shown: load.md, load.svg and load.json in bench/results/<date>/. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatTable, resultsFolder, writeResults } from "../measuring/write-results.ts";
import { loadChart, type Panel } from "./chart.ts";
import { k6Version, type Metric } from "./k6-program.ts";
import { rampStep, shares, spikeWindows } from "./load-settings.ts";
import { grows, memorySlope } from "./memory-slope.ts";
import type { ProfileLine } from "./profile.ts";
import type { LoadOptions, LoadResults, ScenarioResult } from "./scenarios.ts";
import type { LoadTarget } from "./target.ts";

/** In a shorter soak, what a heap does at first cannot be told from a leak. */
const soakSecondsMin = 600;

export interface LoadReport extends LoadResults {
  /** Empty where nobody asked for it. */
  readonly profile: readonly ProfileLine[];
}

type Setting = LoadOptions & { readonly target: Pick<LoadTarget, "description" | "collectorUrl"> };

/** Returns whether every threshold held and nothing else went wrong. */
export function writeLoadReport(results: LoadReport, setting: Setting): boolean {
  const folder = resultsFolder();
  const byWebhook = setting.target.collectorUrl !== null;
  const tools = byWebhook ? "k6 and the collector of webhooks are" : "k6 is";
  const { scenarios, steps, knee } = results;
  const crossed = scenarios.flatMap(crossedThresholds);
  const leaks = scenarios.filter(({ name, seconds }) => name === "soak" && seconds >= soakSecondsMin).flatMap(leaksOf);
  const faults = [...scenarios.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`)), ...leaks];
  writeFileSync(
    join(folder, `${setting.resultsName}.svg`),
    loadChart(scenarios.filter(isCharted).map((each) => panelOf(each, setting))),
  );
  const json = join(folder, `${setting.resultsName}.json`);
  writeFileSync(json, `${JSON.stringify(summary(results, [...crossed, ...faults]), null, 1)}\n`);
  const sections = [
    crossed.length + faults.length === 0
      ? "Every threshold held."
      : `**Failed:**\n\n${[...crossed, ...faults].map((line) => `- ${line}`).join("\n")}`,
    `![Throughput and latency over time](${setting.resultsName}.svg)`,
    scenarioTable(scenarios),
    `Jobs: those that were accepted. Jobs/s: those that ended, from the start to the last end. Accept: photo sent to \`202\`. Job: photo sent to ${byWebhook ? "the arrival of its webhook" : "the answer that it has ended"}; in the rows of the noisy tenant, the newcomer's. Others: share of the machine that something else used; ${tools} not among them.`,
    ...(steps.length > 0 ? ["## Ramp", rampTable(results)] : []),
    ...(knee
      ? [`The knee, ${knee.perSecond.toFixed(2)} jobs/s, is the rate of the scenarios after the ramp: ${rates()}.`]
      : []),
    ...spikeSection(scenarios),
    ...fairnessSection(scenarios),
    ...memorySection(scenarios),
    ...profileSection(results.profile),
    "## Thresholds",
    thresholdTable(scenarios),
  ];
  const about = `${setting.target.description}; ${k6Version()} on this machine; tool \`${setting.tool}\`, ${setting.photos.length} photos`;
  writeResults({ name: setting.resultsName, title: "Load on the public API, by k6", setting: about, sections });
  return crossed.length + faults.length === 0;
}

function rates(): string {
  const percent = (share: number) => `${Math.round(100 * share)} %`;
  const { constant, spikeBase, spikeTop, noisy, quiet, soak } = shares;
  return `constant ${percent(constant)}; spike ${percent(spikeBase)}, in the burst ${percent(spikeTop)}; noisy tenant ${percent(noisy)}, the quiet ones ${percent(quiet)} together; soak ${percent(soak)}`;
}

const isCharted = ({ name }: ScenarioResult) => name !== "smoke";

function panelOf({ name, seconds, startedMs, points, ended }: ScenarioResult, setting: Setting): Panel {
  const at = (ms: number) => Math.max(0, (ms - startedMs) / 1000);
  const completed = points.filter(({ metric }) => metric === "completed_ms");
  const shown = completed.filter(({ tags }) => tags.tenant === undefined || tags.tenant === "newcomer");
  const { burst } = spikeWindows(seconds);
  const marks = {
    ramp: setting.concurrencies.map((clients, n) => ({
      atSeconds: rampStep(setting, n).fromSeconds,
      label: String(clients),
    })),
    spike: [{ atSeconds: burst.fromSeconds, label: "burst" }],
  };
  return {
    title: name,
    seconds,
    ends: (ended ?? completed).map(({ atMs }) => at(atMs)),
    latencies: shown.map(({ atMs, value }) => ({ atSeconds: at(atMs), ms: value })),
    marks: name === "ramp" || name === "spike" ? marks[name] : [],
  };
}

const ms = (metric: Metric | undefined, value: string) => metric?.values[value]?.toFixed(0) ?? "–";

function scenarioTable(scenarios: readonly ScenarioResult[]): string {
  const columns = [
    ...["scenario", "s", "jobs", "jobs/s", "accept p50 ms", "p99", "job p50 ms", "p95", "p99", "unsuccessful"],
    ...["others"],
  ];
  const rows = scenarios.map((result) => {
    const { name, metrics, othersShare } = result;
    const { length, perSecond } = throughput(result);
    const completed = metrics["completed_ms{tenant:newcomer}"] ?? metrics.completed_ms;
    return [
      ...[name, length.toFixed(0), metrics.jobs_accepted?.values.count ?? 0, perSecond.toFixed(2)],
      ...[ms(metrics.accept_ms, "med"), ms(metrics.accept_ms, "p(99)")],
      ...[ms(completed, "med"), ms(completed, "p(95)"), ms(completed, "p(99)")],
      metrics.jobs_unsuccessful?.values.passes ?? 0,
      othersShare === undefined ? "–" : `${Math.round(100 * othersShare)} %`,
    ];
  });
  return formatTable(columns, rows);
}

/** From the start to the last job's end; the smoke test ends when its jobs do. */
function throughput({ name, startedMs, seconds, points, ended }: ScenarioResult) {
  const ends = ended ?? points.filter(({ metric }) => metric === "completed_ms");
  const length = Math.max(name === "smoke" ? 0 : seconds, ...ends.map(({ atMs }) => (atMs - startedMs) / 1000));
  return { length, perSecond: ends.length / length };
}

function rampTable({ steps, knee }: LoadResults): string {
  const isKnee = (clients: number) => knee !== undefined && "clients" in knee && knee.clients === clients;
  const rows = steps.map(({ clients, jobs, perSecond, p50Ms, p95Ms }) => [
    ...[`${clients}${isKnee(clients) ? ", the knee" : ""}`, jobs, perSecond.toFixed(2)],
    ...[p50Ms, p95Ms].map((value) => value.toFixed(0)),
  ]);
  return formatTable(["clients, each with one job at a time", "jobs", "jobs/s", "job p50 ms", "p95"], rows);
}

function spikeSection(scenarios: readonly ScenarioResult[]): string[] {
  const spike = scenarios.find(({ name }) => name === "spike");
  if (spike === undefined) return [];
  const rows = ["before", "burst", "recovered"].map((phase) => {
    const own = spike.points.filter(({ metric, tags }) => metric === "completed_ms" && tags.phase === phase);
    const sorted = own.map(({ value }) => value).toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1]?.toFixed(0) ?? "–";
    return [phase, own.length, at(0.5), at(0.95), at(1)];
  });
  const about =
    "By when the photo was sent: before the burst, in it or while its queue was worked off, and at the end.";
  return ["## Spike", about, formatTable(["", "jobs", "p50 ms", "p95", "longest"], rows)];
}

function fairnessSection(scenarios: readonly ScenarioResult[]): string[] {
  const alone = scenarios.find(({ name }) => name === "newcomer-alone");
  const beside = scenarios.find(({ name }) => name === "noisy-tenant");
  if (alone === undefined || beside === undefined) return [];
  const [own, loaded] = [alone, beside].map(({ metrics }) => metrics["completed_ms{tenant:newcomer}"]!);
  const quiet = beside.metrics["completed_ms{tenant:quiet}"];
  const row = (name: string, metric: Metric | undefined) => [
    name,
    metric?.values.count ?? 0,
    ...["med", "p(95)", "p(99)", "max"].map((value) => ms(metric, value)),
  ];
  const ratio = loaded!.values["p(99)"]! / own!.values["p(99)"]!;
  return [
    "## A noisy tenant",
    formatTable(
      ["", "jobs", "p50 ms", "p95", "p99", "longest"],
      [row("newcomer alone", own), row("newcomer beside the noisy tenant", loaded), row("20 quiet accounts", quiet)],
    ),
    `The newcomer's p99 beside a flood of ten jobs for each one of the quiet accounts is ${ratio.toFixed(2)} × its own alone. It may be 2 ×.`,
  ];
}

function memorySection(scenarios: readonly ScenarioResult[]): string[] {
  const soak = scenarios.find(({ name, memory }) => name === "soak" && memory.size > 0);
  if (soak === undefined) return [];
  const MiB = 2 ** 20;
  const rows = [...soak.memory].map(([name, samples]) => {
    const slope = memorySlope(samples);
    const perMinute = `${(slope.bytesPerMinute / MiB).toFixed(2)} ± ${(slope.uncertainty / MiB).toFixed(2)}`;
    const cells = [slope.meanBytes, slope.peakBytes].map((bytes) => (bytes / MiB).toFixed(0));
    const blocks = slope.blockBytes.map((bytes) => (bytes / MiB).toFixed(0)).join(" ");
    return [name, ...cells, blocks, perMinute, grows(slope) ? "grows" : "flat"];
  });
  const short =
    soak.seconds < soakSecondsMin ? ` A soak of less than ${soakSecondsMin / 60} minutes says little of it.` : "";
  return [
    "## Memory",
    `Resident memory in the ${soak.seconds} s of the soak, without their first third: a line through the means of ten blocks, ± half of its 95 % interval. In a soak of its own each thread collects its garbage every 15 s, so that what is left is what is held, and jobs leave the log within the first third. *Grows*: the whole interval is above zero, and the growth above 2 % of the mean.${short}`,
    formatTable(["process", "mean MiB", "peak", "the blocks", "MiB a minute", ""], rows),
  ];
}

function profileSection(profile: readonly ProfileLine[]): string[] {
  if (profile.length === 0) return [];
  const rows = profile.map(({ process, function: name, place, selfMs, share }) => [
    ...[`${process}: ${name}`, place === "" ? "V8" : `\`${place}\``, (selfMs / 1000).toFixed(1)],
    `${(100 * share).toFixed(1)} %`,
  ]);
  const about =
    "The dearest functions of API and worker while the load lasted, by the time in themselves, over all threads (`--cpu-prof`). Share: of the time in which a thread ran JavaScript or what it calls; libvips' and onnxruntime's own threads are in no profile.";
  return ["## Profile", about, formatTable(["", "where", "seconds", "share"], rows)];
}

function leaksOf({ memory }: ScenarioResult): string[] {
  return [...memory]
    .filter(([, samples]) => grows(memorySlope(samples)))
    .map(([name]) => `soak: the memory of ${name} grows`);
}

function thresholdsOf({ name, metrics }: ScenarioResult) {
  return Object.entries(metrics).flatMap(([metric, { thresholds = {}, values }]) =>
    Object.entries(thresholds)
      .filter(([text]) => text !== "max>=0")
      .map(([text, { ok }]) => {
        const measured = values[/^[\w()]+/.exec(text)![0]];
        return { name, metric, text, ok, measured: measured === undefined ? "–" : String(Number(measured.toFixed(2))) };
      }),
  );
}

function crossedThresholds(result: ScenarioResult): string[] {
  return thresholdsOf(result)
    .filter(({ ok }) => !ok)
    .map(({ name, metric, text, measured }) => `${name}: \`${metric}\` is ${measured}, not \`${text}\``);
}

function thresholdTable(scenarios: readonly ScenarioResult[]): string {
  const rows = scenarios
    .flatMap(thresholdsOf)
    .map(({ name, metric, text, ok, measured }) => [
      name,
      `\`${metric}\``,
      `\`${text}\``,
      measured,
      ok ? "held" : "**crossed**",
    ]);
  return formatTable(["scenario", "of", "threshold", "measured", ""], rows);
}

function summary({ scenarios, steps, knee }: LoadResults, failed: readonly string[]) {
  return {
    failed,
    knee,
    ramp: steps,
    scenarios: scenarios.map(({ name, seconds, metrics, faults, othersShare, memory }) => ({
      name,
      seconds,
      othersShare,
      faults,
      metrics,
      memory: Object.fromEntries([...memory].map(([process, samples]) => [process, memorySlope(samples)])),
    })),
  };
}
