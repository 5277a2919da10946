/**
 * `make test`: type check, lint, format, unused code, then every test, each run even when one before it failed. Ends
 * with vitest's own summary and a closing line "N passed, N failed"; a failed check counts as one failure. Arguments
 * select the test files whose path contains one of them.
 *
 * With CI=true a test may be skipped only where scripts/allowed-skips.ts says why, and a file with a failed test is run
 * once more, with servers of its own anew, because a merge must not hang on one race of two thousand tests with real
 * servers; each test that passes only then is named: it has a race, to be mended.
 */

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startVitest } from "vitest/node";
import type { Reporter, TestModule } from "vitest/node";
import { allowedSkips } from "./allowed-skips.ts";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const inCi = process.env.CI === "true";
/** More than this are no races. */
const secondRunFilesMax = 5;

function check(title: string, program: string, args: readonly string[]): boolean {
  process.stdout.write(`${title} …\n`);
  const passed = spawnSync(program, args, { stdio: "inherit" }).status === 0;
  if (!passed) process.stdout.write(`${title}: failed\n`);
  return passed;
}

/** How the tests of one file ended. */
interface FileTally {
  readonly passed: number;
  /** Tests, failed hooks, errors outside of tests. */
  readonly failures: readonly string[];
  readonly skipped: readonly string[];
}

/** By the file's path; errors of no file stand at "". */
type Tallies = Map<string, FileTally>;

function tallyOf(module: TestModule, strayErrors: readonly string[]): FileTally {
  const file = module.relativeModuleId;
  const named = [...module.children.allTests()].map((test) => ({
    name: `${file} > ${test.fullName}`,
    state: test.result().state,
  }));
  const namesOf = (state: string) => named.filter((test) => test.state === state).map(({ name }) => name);
  const failures = [...namesOf("failed"), ...strayErrors.map((message) => `${file}: ${message}`)];
  // A file that could not be loaded has no tests, and a failed hook belongs to no test.
  if (!module.ok() && failures.length === 0) failures.push(`${file}: not loaded, or a hook failed`);
  return { passed: namesOf("passed").length, failures, skipped: [...namesOf("skipped"), ...namesOf("pending")] };
}

/** Runs vitest on the files whose path contains one of `filters`, on all without any. */
async function runTests(filters: string[]): Promise<Tallies> {
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
  const vitest = await startVitest(filters, { run: true, watch: false, reporters: ["default", reporter] });
  await vitest.close();
  return tallies;
}

const failuresIn = (tallies: Tallies) => [...tallies.values()].flatMap(({ failures }) => failures);

const checks = [
  check("type check", "tsc", ["--noEmit"]),
  check("type check of the console", "tsc", ["-p", "console"]),
  check("lint", "biome", ["lint", "--error-on-warnings", "."]),
  check("format", "biome", ["format", "."]),
  check("unused files, exports and dependencies", "knip", ["--no-progress"]),
];

const tallies = await runTests(process.argv.slice(2));
const firstFailures = failuresIn(tallies);
const failedFiles = [...tallies].filter(([file, { failures }]) => file !== "" && failures.length > 0);
if (inCi && failedFiles.length > 0 && failedFiles.length <= secondRunFilesMax) {
  process.stdout.write(`\nrun once more: ${failedFiles.length} files in which something failed …\n`);
  for (const [file, tally] of await runTests(failedFiles.map(([file]) => file))) tallies.set(file, tally);
}

const failures = new Set(failuresIn(tallies));
const failedChecks = checks.filter((passed) => !passed).length;
const skipped = [...tallies.values()].flatMap((tally) => tally.skipped);
const forbiddenSkips = inCi ? skipped.filter((name) => !allowedSkips.some(({ test }) => test.test(name))) : [];
for (const name of forbiddenSkips) process.stdout.write(`skipped, which CI does not allow: ${name}\n`);
for (const name of failures) process.stdout.write(`failed: ${name}\n`);
for (const name of firstFailures)
  if (!failures.has(name)) process.stdout.write(`passed only when it was tried again: ${name}\n`);
const passed = [...tallies.values()].reduce((sum, tally) => sum + tally.passed, 0);
const failed = failures.size + failedChecks + forbiddenSkips.length;

process.stdout.write(`${passed} passed, ${failed} failed\n`);
// Not exitCode alone: a server that a test left running must not keep this process waiting.
process.exit(failed === 0 && passed > 0 ? 0 : 1);
