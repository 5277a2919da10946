/** Metrics, alert rules, dashboard and docs/operations.md belong together: whoever changes one must find the others. */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { chartNatsUsers } from "../../scripts/chart-nats-users.ts";
import { grafanaDashboard } from "../../scripts/grafana-dashboard.ts";
import { promtool } from "../../testing/metrics/prometheus-client.ts";
import { readTracked } from "./source-tree.ts";
import { product } from "./sources.ts";

const rulesPath = "deploy/prometheus/packshot-rules.yml";
const testsPath = "deploy/prometheus/packshot-rules.test.yml";
const root = fileURLToPath(new URL("../..", import.meta.url));
const rules = readTracked(rulesPath);
const operations = readTracked("docs/operations.md");
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
const metrics = new Set(
  product.flatMap(({ text }) => [...text.matchAll(/name: "(packshot_\w+)"/g)].map(([, name]) => name!)),
);

test("deploy/grafana/packshot.json is what scripts/grafana-panels.ts says", () => {
  expect(readTracked("deploy/grafana/packshot.json"), 'run "npm run docs"').toBe(grafanaDashboard());
});

test("the chart has the same dashboard and rules, and users with the permissions of the code", () => {
  expect(readTracked("deploy/helm/files/nats-users.conf"), 'run "npm run docs"').toBe(chartNatsUsers());
  expect(readTracked("deploy/helm/files/grafana-dashboard.json"), 'run "npm run docs"').toBe(grafanaDashboard());
  expect(readTracked("deploy/helm/files/packshot-rules.yml"), 'run "npm run docs"').toBe(rules);
});

test("the dashboard's panels have ids, places and queries of their own", () => {
  const { panels } = JSON.parse(grafanaDashboard()) as {
    panels: readonly {
      id: number;
      title: string;
      type: string;
      description?: string;
      gridPos: object;
      targets?: readonly { expr: string; refId: string }[];
    }[];
  };
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  expect(new Set(panels.map(({ gridPos }) => JSON.stringify(gridPos))).size).toBe(panels.length);
  for (const { type, description = "", targets = [] } of panels.filter((panel) => panel.type !== "row")) {
    expect([type, description.endsWith("."), targets.length > 0]).toEqual(["timeseries", true, true]);
  }
});

test.each(alerts)("%s says what to do, and is tested both ways", (alert) => {
  const section = operations.split(`### ${alert}\n`)[1]?.split(/\n##/)[0] ?? "";
  for (const part of ["**Means:**", "**Look:**", "**Do:**"]) expect(section).toContain(part);
  const rule = rules.split(`- alert: ${alert}\n`)[1]!.split("- alert:")[0]!;
  expect(rule).toMatch(/severity: (critical|warning)/);
  expect(rule).toContain(`runbook_url: docs/operations.md#${alert.toLowerCase()}\n`);
  const tests = readTracked(testsPath);
  for (const name of [`- name: ${alert} fires\n`, `- name: ${alert} is quiet\n`]) expect(tests).toContain(name);
});

test("docs/operations.md has every alert and every metric, and nobody names a metric that does not exist", () => {
  const sections = [...operations.matchAll(/^### (Packshot\w+)$/gm)].map(([, name]) => name);
  expect(sections.sort()).toEqual(alerts.toSorted());
  const rows = [...operations.matchAll(/^\| `(packshot_\w+)(?:\{[\w,]+\})?` \| [^`]/gm)].map(([, name]) => name!);
  expect(rows.sort()).toEqual([...metrics].sort());
  const known = (name: string) => metrics.has(name) || metrics.has(name.replace(/_(bucket|sum|count)$/, ""));
  const named = [rules, readTracked("deploy/grafana/packshot.json"), operations].flatMap((text) =>
    [...text.matchAll(/\bpackshot_[a-z_]+\b(?!\*)/g)].map(([name]) => name),
  );
  expect([...new Set(named)].filter((name) => !name.endsWith("_") && !known(name))).toEqual([]);
});

test("promtool accepts the rules, and their tests pass", { tags: ["prometheus"], timeout: 300_000 }, () => {
  for (const args of [
    ["check", "rules", `${root}/${rulesPath}`],
    ["test", "rules", `${root}/${testsPath}`],
  ]) {
    const { status, output } = promtool(args);
    expect(status, output).toBe(0);
  }
});
