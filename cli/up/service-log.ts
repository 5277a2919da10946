/** The log file of a process that the launcher started. */

import { appendFileSync, closeSync, fstatSync, openSync, readSync, renameSync, statSync } from "node:fs";

const logBytesMax = 20 * 1024 * 1024;
const tailBytesRead = 16 * 1024;
const tailLinesRead = 50;
const tailLines = 5;
const errorLevel = 50;

/** Earlier logs are kept once, so that a restart loop cannot fill the disk. */
export function rotateLog(logPath: string): void {
  try {
    if (statSync(logPath).size > logBytesMax) renameSync(logPath, `${logPath}.1`);
  } catch {
    // There is no log yet.
  }
}

/** A full disk must not end the launcher, and with it every process: a line that cannot be written is dropped. */
export function appendToLog(logPath: string, line: string): void {
  try {
    appendFileSync(logPath, `${line}\n`);
  } catch {
    // The disk may have room again later, or the log's folder is gone with the test that made it.
  }
}

/** The lines at its end, of those behind the first `fromBytes`: an earlier process of the same log wrote these. */
export function readLogEnd(logPath: string, fromBytes: number): string[] {
  try {
    const file = openSync(logPath, "r");
    try {
      const end = Buffer.alloc(tailBytesRead);
      const from = Math.max(fromBytes, fstatSync(file).size - tailBytesRead);
      const bytes = readSync(file, end, 0, tailBytesRead, from);
      return end.toString("utf8", 0, bytes).trimEnd().split("\n");
    } finally {
      closeSync(file);
    }
  } catch {
    return [];
  }
}

/**
 * The last errors in a log, for the sentence that says why a process ended: messages of our own structured lines, lines
 * of other programs that mention an error, else the end of what other programs printed. Empty when there is none.
 */
export function logTail(lines: readonly string[]): string {
  const errors: string[] = [];
  const plain: string[] = [];
  for (const line of lines.slice(-tailLinesRead)) {
    const entry = structured(line);
    if (entry === undefined) plain.push(line.trim());
    if (entry === undefined ? /error|\[ERR\]|\[FTL\]/i.test(line) : (entry.level ?? 0) >= errorLevel)
      errors.push(entry === undefined ? line.trim() : (entry.err?.message ?? entry.msg ?? ""));
  }
  return (errors.length > 0 ? errors : plain).filter(Boolean).slice(-tailLines).join(" | ");
}

interface LogEntry {
  readonly level?: number;
  readonly msg?: string;
  readonly err?: { readonly message?: string };
}

function structured(line: string): LogEntry | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as LogEntry;
  } catch {
    return undefined;
  }
}
