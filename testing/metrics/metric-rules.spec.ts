import { expect, it } from "vitest";
import { metricProblems } from "./metric-rules.ts";

const metric = (name: string, type: string, labels = "", help = "A sentence.") =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name}${labels} 1\n`;

it("finds nothing in a metric as it should be", () => {
  expect(metricProblems(metric("packshot_jobs_total", "counter", '{tool="mask"}'))).toEqual([]);
  const histogram =
    "# HELP packshot_run_duration_seconds A sentence.\n# TYPE packshot_run_duration_seconds histogram\n" +
    'packshot_run_duration_seconds_bucket{le="0.5",tool="mask"} 1\npackshot_run_duration_seconds_bucket{le="+Inf",tool="mask"} 1\n' +
    'packshot_run_duration_seconds_sum{tool="mask"} 0.25\npackshot_run_duration_seconds_count{tool="mask"} 1\n';
  expect(metricProblems(histogram)).toEqual([]);
});

it.each([
  ["packshot_jobs", "counter", "", 'a counter without the suffix "_total"'],
  ["packshot_jobs_total", "gauge", "", 'the suffix "_total" on what is no counter'],
  ["packshot_wait_milliseconds", "gauge", "", "a unit other than the base units"],
  ["packshot_wait_minutes", "gauge", "", "a unit other than the base units"],
  ["packshot_wait_ms", "gauge", "", "an abbreviated unit"],
  ["packshot_wait_bucket", "gauge", "", 'the suffix "_bucket" on what is no histogram'],
  ["packshot_wait_count", "gauge", "", "a suffix of histograms and summaries"],
  ["packshot_wait_gauge", "gauge", "", "its type in its name"],
  ["packshot_wait_seconds", "histogram", "", 'a histogram of seconds without the suffix "_duration_seconds"'],
  ["packshot:wait", "gauge", "", "a colon"],
  ["packshot_wait", "gauge", '{le="1"}', "a label that is reserved"],
  ["packshot_wait", "gauge", '{accountId="1"}', "camel case"],
  ["packshot_wait", "gauge", '{account="1"}', 'the unbounded label account="1"'],
  ["packshot_wait", "gauge", '{tool="mask 0199-aa"}', 'the unbounded label tool="mask 0199-aa"'],
  ["wait", "gauge", "", "a name that does not begin with packshot_"],
])("%s, a %s with the labels %s, has %s", (name, type, labels, problem) => {
  expect(metricProblems(metric(name, type, labels)).join("\n")).toContain(problem);
});

it("wants a help text that is a sentence", () => {
  expect(metricProblems(metric("packshot_wait", "gauge", "", ""))).toContain("packshot_wait: no help text");
  expect(metricProblems(metric("packshot_wait", "gauge", "", "jobs"))).toEqual([
    "packshot_wait: a help text that is no sentence",
  ]);
});
