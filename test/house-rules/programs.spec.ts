/** What `make test` leaves out: it is green on a machine that has no more than Node and nats-server. And what runs first. */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { longestFirst, longestSpecs } from "../../scripts/longest-first.ts";
import { needsHelm, shortSpecs } from "../../scripts/select-specs.ts";
import { type ProgramName, programs } from "../../testing/programs.ts";
import { resolveImport } from "./source-tree.ts";
import { sources, specs } from "./sources.ts";

/** Modules that start a program. */
const startedBy: Readonly<Record<string, ProgramName>> = {
  "testing/servers/redis.ts": "redis-server",
  "testing/servers/versitygw.ts": "versitygw",
  "testing/servers/moto.ts": "python",
  "testing/console/chromium.ts": "chromium",
  "testing/metrics/prometheus-client.ts": "prometheus",
  "testing/images/heic-photos.ts": "python",
  "testing/deploy/chart.ts": "helm",
};
/** They start it only where it is there, or for a part of their users that has the tag. */
const decidesItself = [
  "testing/storage/test-storages.ts",
  "testing/console/console-stack.ts",
  "testing/joint/joint-stack.ts",
];
const byPath = new Map(sources.map((file) => [file.path, file]));

/** Programs that a spec needs, through what it imports from testing/. */
function programsOf(path: string, seen = new Set<string>()): ProgramName[] {
  if (seen.has(path) || decidesItself.includes(path)) return [];
  seen.add(path);
  const own = startedBy[path];
  const targets = (byPath.get(path)?.imports ?? []).map((specifier) => resolveImport(path, specifier));
  const further = targets
    .filter((target) => target?.startsWith("testing/") === true)
    .flatMap((target) => programsOf(target!, seen));
  return own === undefined ? further : [own, ...further];
}

test("a spec that starts a program carries its tag", () => {
  const untagged = specs
    .filter(({ path }) => !path.startsWith("test/house-rules/"))
    .flatMap(({ path, text }) => {
      const isTagged = (name: string) => text.includes(`@module-tag ${name}`) || text.includes(`tags: ["${name}"]`);
      return programsOf(path)
        .filter((name) => !isTagged(name))
        .map((name) => `${path}: ${name}`);
    });
  expect(untagged).toEqual([]);
});

const root = fileURLToPath(new URL("../..", import.meta.url));

test("specs of the chart, and no others, wait until helm is built", () => {
  const ofChart = specs.filter(
    ({ path }) => !path.startsWith("test/house-rules/") && programsOf(path).includes("helm"),
  );
  const waiting = specs.filter(({ path }) => needsHelm(root, path));
  expect(ofChart.length).toBeGreaterThan(0);
  expect(waiting.map(({ path }) => path)).toEqual(expect.arrayContaining(ofChart.map(({ path }) => path)));
  expect(waiting.filter(({ path }) => !/^test\/(deploy|chart)\//.test(path))).toEqual([]);
});

describe("make test", () => {
  const short = new Set(
    shortSpecs(
      root,
      specs.map(({ path }) => path),
    ),
  );

  test("runs the tour and what is beside the code, and leaves the suites that span processes", () => {
    expect(short).toContain("test/tour/tour.spec.ts");
    expect(short).toContain("packages/domain/accounts/lane.spec.ts");
    expect([...short].filter((path) => /^test\/(failures|journeys|cluster)\//.test(path))).toEqual([]);
  });

  test("says of every program what it is for and how to get it", () => {
    for (const { tests, install } of Object.values(programs)) expect([tests, install]).not.toContain("");
  });
});

test("the longest specs are there, and begin before all others", () => {
  const paths = specs.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining([...longestSpecs]));
  const [first, second] = longestSpecs;
  const found = ["a.spec.ts", second!, "b.spec.ts", first!].map((path) => ({ moduleId: `/checkout/${path}` }));
  expect(longestFirst(found)).toEqual([found[3], found[1], found[0], found[2]]);
});
