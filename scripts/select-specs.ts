/**
 * Which specs `make test` runs: those beside their code, the house rules and the tour of the running stack. The suites
 * that span processes for minutes, and specs with the tag `long`, are left to `make test-all`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Folders of test/ that only `make test-all` runs. */
const longSuites = [
  "chart",
  "cluster",
  "conformance",
  "console",
  "containers",
  "deploy",
  "failures",
  "hostile",
  "journeys",
  "kubelet",
  "upgrade",
  "week",
];
const isOfLongSuite = new RegExp(`^test/(${longSuites.join("|")})/`);
const isLong = /^ \* @module-tag long$|^\/\*\* @module-tag long \*\/$/m;
/** A tag stands in the first comment. */
const headBytes = 2_000;

/** Some of its tests, or all, run helm. */
export function needsHelm(root: string, path: string): boolean {
  return /@module-tag helm\b|tags: \["helm"\]/.test(readFileSync(join(root, path), "utf8"));
}

/** Those of `specs`, paths below `root`, that `make test` runs. */
export function shortSpecs(root: string, specs: readonly string[]): string[] {
  return specs.filter(
    (path) => !isOfLongSuite.test(path) && !isLong.test(readFileSync(join(root, path), "utf8").slice(0, headBytes)),
  );
}
