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

/** @param launcher for tests: another program */
export function findCage(launcher = cageLauncher): FoundCage {
  if (process.platform !== "linux")
    return { kind: "no-platform", problem: `${process.platform} has no Landlock, by which Linux confines a process` };
  if (!existsSync(launcher)) {
    const problem = `${launcher} is missing: "make setup" builds it where Go is installed, and the image has it`;
    return { kind: "missing", problem };
  }
  const { stdout, error, stderr } = spawnSync(launcher, ["check"], {
    encoding: "utf8",
    env: {},
    timeout: checkTimeoutMs,
  });
  const report = readReport(stdout ?? "");
  if (report === undefined)
    return { kind: "missing", problem: `${launcher} does not run: ${error?.message ?? stderr.trim()}` };
  if (report.problem !== undefined) return { kind: "refused", problem: `the kernel refuses it: ${report.problem}` };
  return { kind: "holds", launcher, report };
}

function readReport(line: string): CageReport | undefined {
  try {
    return JSON.parse(line) as CageReport;
  } catch {
    return undefined;
  }
}
