/**
 * The journal of power cuts: a line of JSON for each cut and for the check at the end of each run, so that the next goes on
 * where this one ends. A cut counts once the check of its run has found nothing. Each line says when it was written and of which
 * commit the code was, with `+` where files were changed since.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { FileSystem } from "../../testing/power-cuts/cut-disk.ts";
import type { Layout } from "./deployment.ts";

export type CutMoment = "first start" | "load" | "start" | "all machines";

/** A deployment that is cut many times. */
export interface Run {
  readonly layout: Layout;
  readonly fileSystem: FileSystem;
  /** Names the run, and repeats its decisions. */
  readonly seed: number;
}

export interface CutLine extends Run {
  readonly kind: "cut";
  readonly moment: CutMoment;
  readonly machines: readonly number[];
  /** Since the load or the start began. */
  readonly afterMs: number;
  /** Until everything was up again; absent where power was cut again first. */
  readonly startMs?: number;
  readonly acceptedJobs: number;
  readonly knownFiles: number;
  readonly violations: readonly string[];
}

export interface CheckLine extends Run {
  readonly kind: "check";
  readonly jobs: number;
  readonly ledgerEntries: number;
  readonly knownFiles: number;
  readonly batchRows: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

export type JournalLine = CutLine | CheckLine;

/** As lines stand in the journal; the first ones had neither. */
interface Written {
  readonly at: string;
  readonly commit: string;
}

export interface Journal {
  write(line: JournalLine): void;
  /** Cuts of runs whose check has found nothing. */
  cuts(layout: Layout, fileSystem: FileSystem): number;
}

export function openJournal(path: string): Journal {
  mkdirSync(dirname(path), { recursive: true });
  const commit = commitOfCode();
  const lines = existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as JournalLine)
    : [];
  return {
    write(line) {
      lines.push(line);
      const written: JournalLine & Written = { ...line, at: new Date().toISOString(), commit };
      const text = JSON.stringify(written);
      appendFileSync(path, `${text}\n`);
      console.info(text);
    },
    cuts(layout, fileSystem) {
      const own = lines.filter((line) => line.layout === layout && line.fileSystem === fileSystem);
      const checked = new Set(
        own.flatMap((line) => (line.kind === "check" && line.violations.length === 0 ? [line.seed] : [])),
      );
      return own.filter((line) => line.kind === "cut" && checked.has(line.seed)).length;
    },
  };
}

function commitOfCode(): string {
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: import.meta.dirname, encoding: "utf8" });
  const isChanged = git("status", "--porcelain", "--untracked-files=no") !== "";
  return `${git("rev-parse", "HEAD").trim()}${isChanged ? "+" : ""}`;
}
