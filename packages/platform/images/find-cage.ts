/** Looks for what confines decoders: a launcher of ours, and what the kernel lets it do (docs/adr/0052-decoders-in-a-cage.md). */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What the launcher says of the kernel. */
export interface CageReport {
  readonly version: string;
  /** The ABI of Landlock; 0: there is none. */
  readonly landlock: number;
  readonly seccomp: boolean;
  readonly problem?: string;
}

export type FoundCage =
  | { readonly kind: "holds"; readonly launcher: string; readonly report: CageReport }
  /** The platform has none, and no launcher would change it. */
  | { readonly kind: "no-platform"; readonly problem: string }
  /** The kernel has none. */
  | { readonly kind: "refused"; readonly problem: string }
  | { readonly kind: "missing"; readonly problem: string };

/** Where the image has it, and setup puts it. */
export const cageLauncher = fileURLToPath(new URL("../../../.tools/packshot-cage", import.meta.url));
const checkTimeoutMs = 10_000;
const remedy = '"make setup" builds it anew where Go is installed';

/** @param launcher for tests: another program */
export function findCage(launcher = cageLauncher): FoundCage {
  if (process.platform !== "linux")
    return { kind: "no-platform", problem: `${process.platform} has no Landlock, by which Linux confines a process` };
  if (!existsSync(launcher)) {
    const problem = `${launcher} is missing: "make setup" builds it where Go is installed, and the image has it`;
    return { kind: "missing", problem };
  }
  const { report, complaint } = ask(launcher, ["check"]);
  if (report === undefined) return { kind: "missing", problem: `${launcher} does not run: ${complaint}. ${remedy}` };
  if (report.problem !== undefined) return { kind: "refused", problem: `the kernel refuses it: ${report.problem}` };
  return { kind: "holds", launcher, report };
}

/** What limits the memory of image inspectors. */
export type FoundLimiter =
  | { readonly kind: "launcher"; readonly launcher: string }
  /** @property problem why a launcher that is there is not taken */
  | { readonly kind: "shell"; readonly problem?: string };

/**
 * Tries the launcher: it may be older than this tree, of another platform's setup, or in a folder from which nothing is run.
 * @param launcher for tests: another program
 */
export function findLimiter(dataBytes: number, launcher = cageLauncher): FoundLimiter {
  if (process.platform !== "linux" || !existsSync(launcher)) return { kind: "shell" };
  const { report, complaint } = ask(launcher, ["limit", "--data-bytes", String(dataBytes), "--", launcher, "check"]);
  if (report !== undefined) return { kind: "launcher", launcher };
  return { kind: "shell", problem: `${launcher} limits no memory: ${complaint}. ${remedy}` };
}

function ask(launcher: string, args: readonly string[]): { report: CageReport | undefined; complaint: string } {
  const { stdout, error, stderr } = spawnSync(launcher, args, { encoding: "utf8", env: {}, timeout: checkTimeoutMs });
  return { report: readReport(stdout ?? ""), complaint: error?.message ?? stderr.trim() };
}

function readReport(line: string): CageReport | undefined {
  try {
    return JSON.parse(line) as CageReport;
  } catch {
    return undefined;
  }
}
