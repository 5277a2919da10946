/**
 * `make test`: type check, lint, format, unused code, then the tests that select-specs.ts selects, each run even when
 * one before it failed. `--all` (`make test-all`) runs every test, and `--rest` (`make test-rest`) those of the files that
 * the `make test` before it has not run as a whole. Both have Go build what checks the chart beside the other specs, and run the
 * chart's last. Other arguments select the spec files whose path contains one of them.
 * Ends with vitest's own summary, what was skipped and how to get it, and a closing line "N passed, N failed, N skipped";
 * a failed check counts as one failure.
 *
 * `make test` skips tests whose program is missing; the others fail where one is. With CI=true any other test may be
 * skipped only where scripts/allowed-skips.ts says why, and a file with a failed test is run once more, with servers of
 * its own anew, because a merge must not hang on one race of two thousand tests with real servers; each test that passes
 * only then is named: it has a race, to be mended.
 */

import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Reporter, TestCase, TestModule, TestSpecification } from "vitest/node";
import { findMissingPrograms, obstacles, programs } from "../testing/programs.ts";
import { allowedSkips } from "./allowed-skips.ts";
import { needsHelm, shortSpecs } from "./select-specs.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);
const runsAll = process.argv.includes("--all");
const runsRest = process.argv.includes("--rest");
const filters = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
// Before vitest reads its configuration.
if (runsAll || runsRest) process.env.TEST_ALL = "1";
/** Specs of which `make test` skipped and failed nothing: `--rest` leaves them out. */
const passedSpecsFile = ".cache/passed-specs.json";
const { createVitest } = await import("vitest/node");

const inCi = process.env.CI === "true";
/** More than this are no races. */
const secondRunFilesMax = 5;

const say = (line: string) => process.stdout.write(`${line}\n`);
const named = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Resolves with whether it passed. What it printed is shown once it has ended, since checks run side by side. */
function check(title: string, program: string, args: readonly string[], isQuiet = false): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    child.once("error", (error) => {
      output += error.message;
    });
    child.once("close", (status) => {
      say(`${title}: ${status === 0 ? "passed" : "failed"}`);
      if (output.trim() !== "" && !(isQuiet && status === 0)) say(output.trimEnd());
      resolve(status === 0);
    });
  });
}

/** All of them are needed by `make test-all`, which has helm built while it runs. */
function checkPrograms(): boolean {
  const missing = findMissingPrograms().filter((name) => !obstacles.has(name) && name !== "helm");
  for (const name of missing) say(`missing: ${name}, for ${programs[name].tests}: ${programs[name].install}`);
  return missing.length === 0;
}

interface SkippedTest {
  readonly name: string;
  readonly tags: readonly string[];
}

/** How the tests of one file ended. */
interface FileTally {
  readonly passed: number;
  /** Tests, failed hooks, errors outside of tests. */
  readonly failures: readonly string[];
  readonly skipped: readonly SkippedTest[];
}

/** By the file's path; errors of no file stand at "". */
type Tallies = Map<string, FileTally>;

function tallyOf(module: TestModule, strayErrors: readonly string[]): FileTally {
  const file = module.relativeModuleId;
  const tests = [...module.children.allTests()];
  const nameOf = (test: TestCase) => `${file} > ${test.fullName}`;
  const inState = (...states: readonly string[]) => tests.filter((test) => states.includes(test.result().state));
  const failures = [...inState("failed").map(nameOf), ...strayErrors.map((message) => `${file}: ${message}`)];
  // A file that could not be loaded has no tests, and a failed hook belongs to no test.
  if (!module.ok() && failures.length === 0) failures.push(`${file}: not loaded, or a hook failed`);
  const skipped = inState("skipped", "pending").map((test) => ({ name: nameOf(test), tags: test.tags }));
  return { passed: inState("passed").length, failures, skipped };
}

/** Runs the specs that `select` leaves, of all whose path contains one of `paths`, or of all without any. */
async function runTests(paths: string[], select: (specs: readonly string[]) => readonly string[]): Promise<Tallies> {
  const tallies: Tallies = new Map();
  const reporter: Reporter = {
    onTestRunEnd(modules, strayErrors) {
      const messagesOf = (path: string | undefined) =>
        strayErrors.filter(({ VITEST_TEST_PATH: of }) => of === path).map(({ message }) => message);
      for (const module of modules) tallies.set(module.moduleId, tallyOf(module, messagesOf(module.moduleId)));
      const ofNoFile = strayErrors.filter(({ VITEST_TEST_PATH: of }) => of === undefined || !tallies.has(String(of)));
      if (ofNoFile.length > 0)
        tallies.set("", { passed: 0, failures: ofNoFile.map(({ message }) => message), skipped: [] });
    },
  };
  const vitest = await createVitest("test", { run: true, watch: false, reporters: ["default", reporter] });
  await vitest.standalone();
  const found = await vitest.globTestSpecifications(paths);
  const pathOf = ({ moduleId }: TestSpecification) => relative(root, moduleId);
  const foundPaths = found.map(pathOf);
  const twice = foundPaths.filter((path, index) => foundPaths.indexOf(path) < index);
  // Tallies go by path: the failures of one run would be lost under the other.
  if (twice.length > 0) throw new Error(`two projects of vitest.config.ts have ${twice.join(", ")}`);
  const selected = new Set(select(foundPaths));
  await vitest.runTestSpecifications(
    found.filter((spec) => selected.has(pathOf(spec))),
    true,
  );
  await vitest.close();
  return tallies;
}

const failuresIn = (tallies: Tallies) => [...tallies.values()].flatMap(({ failures }) => failures);

/** What the `make test` before this one has run. */
const before: { readonly specs: readonly string[]; readonly passed: number } = runsRest
  ? JSON.parse(readFileSync(passedSpecsFile, "utf8"))
  : { specs: [], passed: 0 };

function select(specs: readonly string[]): readonly string[] {
  if (runsRest) return specs.filter((path) => !before.specs.includes(path));
  return runsAll || filters.length > 0 ? specs : shortSpecs(root, specs);
}

/** A test is skipped for what is missing when it starts, although Go may have built it by the end. */
const missingAtStart = findMissingPrograms();
/** Two minutes of both cores, at a low priority: the specs wait more than they compute. */
const chartTools =
  runsAll || runsRest
    ? check("set-up of what checks the chart", process.execPath, ["scripts/setup.mjs", "chart"], true)
    : undefined;
const checks = runsRest
  ? [checkPrograms()]
  : await Promise.all([
      check("type check", "tsc", ["--noEmit"]),
      check("type check of the console", "tsc", ["-p", "console"]),
      check("lint", "biome", ["lint", "--error-on-warnings", "."]),
      check("format and order of imports", "biome", ["check", "--linter-enabled=false", "."]),
      check("unused files, exports and dependencies", "knip", ["--no-progress"]),
      !runsAll || checkPrograms(),
    ]);
const tallies = await runTests(filters, (specs) =>
  select(specs).filter((path) => chartTools === undefined || !needsHelm(root, path)),
);
if (chartTools !== undefined) {
  checks.push(await chartTools);
  const chartTallies = await runTests(filters, (specs) => select(specs).filter((path) => needsHelm(root, path)));
  for (const [file, tally] of chartTallies) {
    // Errors of no file come under one name.
    const failures = [...(file === "" ? (tallies.get(file)?.failures ?? []) : []), ...tally.failures];
    tallies.set(file, { ...tally, failures });
  }
}
const firstFailures = failuresIn(tallies);
const failedFiles = [...tallies].filter(([file, { failures }]) => file !== "" && failures.length > 0);
if (inCi && failedFiles.length > 0 && failedFiles.length <= secondRunFilesMax) {
  say(`\nrun once more: ${named(failedFiles.length, "file")} in which something failed …`);
  for (const [file, tally] of await runTests(
    failedFiles.map(([file]) => file),
    (specs) => specs,
  ))
    tallies.set(file, tally);
}

const failures = new Set(failuresIn(tallies));
const failedChecks = checks.filter((passed) => !passed).length;
const skipped = [...tallies.values()].flatMap((tally) => tally.skipped);
const missingPrograms = new Set([...missingAtStart, ...findMissingPrograms()]);
const neededBy = ({ tags }: SkippedTest) => [...missingPrograms].find((program) => tags.includes(program));
function isAllowed(skippedTest: SkippedTest): boolean {
  const needs = neededBy(skippedTest);
  if (needs !== undefined && (obstacles.has(needs) || (!runsAll && !runsRest))) return true;
  return allowedSkips.some(({ test }) => test.test(skippedTest.name));
}
const forbiddenSkips = inCi ? skipped.filter((test) => !isAllowed(test)) : [];
for (const program of missingPrograms) {
  const count = skipped.filter((test) => neededBy(test) === program).length;
  const { tests, install } = programs[program];
  const how = obstacles.get(program) ?? `to run them: ${install}`;
  if (count > 0) say(`skipped without ${program}: ${named(count, "test")} of ${tests}; ${how}`);
}
for (const { name } of skipped.filter((test) => neededBy(test) === undefined)) say(`skipped: ${name}`);
for (const { name } of forbiddenSkips) say(`skipped, which CI does not allow: ${name}`);
for (const name of failures) say(`failed: ${name}`);
for (const name of firstFailures) if (!failures.has(name)) say(`passed only when it was tried again: ${name}`);
const passed = [...tallies.values()].reduce((sum, tally) => sum + tally.passed, before.passed);
const failed = failures.size + failedChecks + forbiddenSkips.length;

if (!runsRest) {
  const whole = [...tallies].filter(([, tally]) => tally.failures.length === 0 && tally.skipped.length === 0);
  const passedThere = whole.reduce((sum, [, tally]) => sum + tally.passed, 0);
  writeFileSync(
    passedSpecsFile,
    JSON.stringify({ specs: whole.map(([file]) => relative(root, file)), passed: passedThere }),
  );
}
say(`${passed} passed, ${failed} failed, ${skipped.length} skipped`);
// Not exitCode alone: a server that a test left running must not keep this process waiting.
process.exit(failed === 0 && passed > 0 ? 0 : 1);
