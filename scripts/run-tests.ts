/**
 * `make test`: type check, lint, format, unused code, then every test, each run even when one before it failed. Ends
 * with vitest's own summary and a closing line "N passed, N failed"; a failed check counts as one failure. Arguments
 * select the test files whose path contains one of them.
 *
 * With CI=true a test may be skipped only where scripts/allowed-skips.ts says why, and one that fails is tried once more;
 * each that passes only then is named: it has a race, to be mended.
 */

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startVitest } from "vitest/node";
import type { Reporter, TestModule } from "vitest/node";
import { allowedSkips } from "./allowed-skips.ts";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const inCi = process.env.CI === "true";

function check(title: string, program: string, args: readonly string[]): boolean {
  process.stdout.write(`${title} …\n`);
  const passed = spawnSync(program, args, { stdio: "inherit" }).status === 0;
  if (!passed) process.stdout.write(`${title}: failed\n`);
  return passed;
}

const tally = { passed: 0, failed: 0, skipped: [] as string[], triedTwice: [] as string[] };

function count(modules: readonly TestModule[]): void {
  for (const module of modules) {
    let failedHere = 0;
    for (const test of module.children.allTests()) {
      const result = test.result();
      if (test.diagnostic()?.flaky) tally.triedTwice.push(`${module.relativeModuleId} > ${test.fullName}`);
      if (result.state === "passed") tally.passed += 1;
      else if (result.state === "failed") failedHere += 1;
      else tally.skipped.push(`${module.relativeModuleId} > ${test.fullName}`);
    }
    // A file that could not be loaded has no tests, and a failed hook belongs to no test.
    tally.failed += module.ok() ? failedHere : Math.max(1, failedHere);
  }
}

const tallyReporter: Reporter = {
  onTestRunEnd(modules, unhandledErrors) {
    count(modules);
    tally.failed += unhandledErrors.length;
  },
};

const checks = [
  check("type check", "tsc", ["--noEmit"]),
  check("type check of the console", "tsc", ["-p", "console"]),
  check("lint", "biome", ["lint", "--error-on-warnings", "."]),
  check("format", "biome", ["format", "."]),
  check("unused files, exports and dependencies", "knip", ["--no-progress"]),
];

const vitest = await startVitest(process.argv.slice(2), {
  run: true,
  watch: false,
  reporters: ["default", tallyReporter],
});
await vitest.close();

const failedChecks = checks.filter((passed) => !passed).length;
const forbiddenSkips = inCi ? tally.skipped.filter((name) => !allowedSkips.some(({ test }) => test.test(name))) : [];
for (const name of forbiddenSkips) process.stdout.write(`skipped, which CI does not allow: ${name}\n`);
for (const name of tally.triedTwice) process.stdout.write(`passed only when it was tried again: ${name}\n`);
const failed = tally.failed + failedChecks + forbiddenSkips.length;

process.stdout.write(`${tally.passed} passed, ${failed} failed\n`);
// Not exitCode alone: a server that a test left running must not keep this process waiting.
process.exit(failed === 0 && tally.passed > 0 ? 0 : 1);
