/**
 * A whole run as its operator sees it: every process's metrics keep the rules, every query of the dashboard and of the
 * alerts finds data in a real Prometheus, and no log shows a secret, a signed link or an image.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Prometheus, startPrometheus } from "../../cli/observe/prometheus.ts";
import { dashboardRows } from "../../scripts/grafana-panels.ts";
import { metricProblems } from "../../testing/metrics/metric-rules.ts";
import { type ObservedLoad, startObservedLoad } from "../../testing/metrics/observed-load.ts";
import { countSeries, promtool, readRules } from "../../testing/metrics/prometheus-client.ts";
import { onFreePorts } from "../../testing/servers/free-ports.ts";
import { type LiveStack, startLiveStack } from "../../testing/stack/live-stack.ts";

const timeoutMs = 300_000;
let stack: LiveStack;
let load: ObservedLoad;

beforeAll(async () => {
  // With the chattiest logs.
  stack = await startLiveStack({ PACKSHOT_LOG_LEVEL: "debug" }, ["127.0.0.1:*"]);
  load = await startObservedLoad(stack);
  await load.round();
}, timeoutMs);

afterAll(async () => {
  await load?.stop();
  await stack?.stop();
});

async function scrapeAll(): Promise<Map<string, string>> {
  const scrapes = Object.entries(stack.file.metrics).map(
    async ([process, url]) => [process, await (await fetch(url)).text()] as const,
  );
  return new Map(await Promise.all(scrapes));
}

test("every process's metrics keep Prometheus' conventions, and no label is unbounded", async () => {
  const scraped = await scrapeAll();
  expect([...scraped.keys()].sort()).toEqual(["api", "modelServer", "webhooks", "worker"]);
  const problems = [...scraped].flatMap(([process, text]) => metricProblems(text).map((each) => `${process}: ${each}`));
  expect(problems).toEqual([]);
});

test("promtool finds nothing wrong with them either", { tags: ["prometheus"] }, async () => {
  for (const [process, text] of await scrapeAll()) {
    expect({ process, ...promtool(["check", "metrics"], text) }).toEqual({ process, status: 0, output: "" });
  }
});

test("the operator sees what models computed for the account", async () => {
  const url = `${stack.file.adminUrl}/admin/v1/accounts?sort=inferenceSeconds`;
  const headers = { Authorization: `Bearer ${stack.file.adminToken}` };
  const busiest = async () => {
    const { data } = (await (await fetch(url, { headers })).json()) as {
      data: readonly { accountId: string; inference?: { dayMs: number } }[];
    };
    return data.find(({ accountId }) => accountId === stack.file.accountId)?.inference?.dayMs ?? 0;
  };
  await expect.poll(busiest).toBeGreaterThan(0);
});

/** Which failures there are depends on the run: of those matchers only the label must be there. */
function selectorsOf(query: string): string[] {
  const selectors = [...query.matchAll(/\b(?:packshot|nodejs|process|up)[a-z0-9_]*(?:\{[^}]*\})?(?![a-z0-9_:(])/g)];
  return selectors
    .map(([selector]) => selector.replaceAll(/\b(outcome|code|status)=~?"[^"]*"/g, '$1!="none"'))
    .filter((selector) => !/^packshot$/.test(selector));
}

describe("in a real Prometheus", { tags: ["prometheus"] }, () => {
  let prometheus: Prometheus;
  let isLoading = true;
  let loading: Promise<void>;

  beforeAll(async () => {
    prometheus = await onFreePorts(1, ([port]) =>
      startPrometheus({ dataDir: stack.dataDir, port: port!, scrapeEverySeconds: 1, environment: process.env }),
    );
    loading = (async () => {
      while (isLoading) await load.round();
    })();
  }, timeoutMs);

  afterAll(async () => {
    isLoading = false;
    await loading;
    await prometheus?.stop();
  }, timeoutMs);

  const queries = dashboardRows.flatMap((row) =>
    row.panels.flatMap((panel) => panel.queries.map(({ expr }) => [`${row.title} / ${panel.title}`, expr] as const)),
  );

  test.each(queries)("%s has data: %s", { timeout: timeoutMs }, async (_panel, expr) => {
    const query = expr.replaceAll("$__rate_interval", "1m");
    await expect.poll(() => countSeries(prometheus.url, query)).toBeGreaterThan(0);
  });

  test(
    "every rule is evaluated, every recording has data, and every alert looks at series that exist",
    async () => {
      await expect
        .poll(async () => (await readRules(prometheus.url)).every(({ health }) => health === "ok"))
        .toBe(true);
      const rules = await readRules(prometheus.url);
      expect(rules.length).toBeGreaterThan(20);
      for (const { name, type, query } of rules) {
        const wanted = type === "recording" ? [name] : selectorsOf(query);
        for (const each of wanted) await expect.poll(() => countSeries(prometheus.url, each)).toBeGreaterThan(0);
      }
    },
    timeoutMs,
  );
});

function readLogs(): { readonly name: string; readonly text: string }[] {
  return readdirSync(stack.file.logs).map((name) => ({
    name,
    text: readFileSync(join(stack.file.logs, name), "latin1"),
  }));
}

test("no log of the run has a key, a secret, a signed link or an image", async () => {
  const kept = JSON.parse(readFileSync(join(stack.dataDir, "secrets.json"), "utf8")) as Record<string, unknown>;
  for (const value of Object.values(kept)) if (typeof value === "string") load.secrets.add(value);
  const logs = readLogs();
  expect(logs.map(({ name }) => name.replace(/\..*$/, ""))).toEqual(
    expect.arrayContaining(["api", "model-server", "nats-server", "webhooks", "worker"]),
  );
  expect(logs.reduce((sum, { text }) => sum + text.length, 0)).toBeGreaterThan(1_000);
  const found = logs.flatMap(({ name, text }) => [
    ...[...load.secrets].filter((secret) => text.includes(secret)).map((secret) => `${name}: ${secret}`),
    ...imageMarks(load.photo)
      .filter((mark) => text.includes(mark))
      .map((mark) => `${name}: ${JSON.stringify(mark)}`),
    // Links of Packshot and of others, keys, and webhook secrets, whoever made them.
    ...(text.match(/[?&](signature|X-Amz-Signature|token)=|ps_(live|test)_\w{8}|whsec_\w{8}|psop_\w{8}/g) ?? []).map(
      (match) => `${name}: ${match}`,
    ),
  ]);
  expect(found).toEqual([]);
});

/** How an image would look in a log: as text, in base64, or as numbers. */
function imageMarks(photo: Buffer): string[] {
  const middle = Math.floor(photo.length / 2 / 3) * 3;
  return [
    "JFIF",
    "IHDR",
    "/9j/4AA",
    "iVBORw0KGgo",
    '"type":"Buffer"',
    photo.subarray(middle, middle + 24).toString("base64"),
    photo.subarray(middle, middle + 16).toString("hex"),
    [...photo.subarray(middle, middle + 12)].join(","),
  ];
}
