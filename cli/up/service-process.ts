import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, closeSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { createInterface } from "node:readline";
import { CommandFault } from "../command-line.ts";

const readyTimeoutMs = 180_000;
/** Above what a service allows itself (lifecycle/run.ts), so that it is killed only when it hangs. */
const stopTimeoutMs = 45_000;
const logBytesMax = 20 * 1024 * 1024;
const logTailLines = 3;

/** The one line on stdout by which a service says that it is ready: its addresses by name. */
export type ReadyLine = Readonly<Record<string, unknown>>;

export interface ServiceProcess {
  readonly pid: number;
  readonly ready: ReadyLine;
  /** Resolves with how it ended, whoever ended it. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface ServiceProcessOptions {
  readonly name: string;
  /** Arguments of this very Node: the main module and its flags. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logPath: string;
  readonly signal: AbortSignal;
}

/** A log of earlier starts is kept once, so that a restart loop cannot fill the disk. */
export function turnLogOver(logPath: string): void {
  try {
    if (statSync(logPath).size > logBytesMax) renameSync(logPath, `${logPath}.1`);
  } catch {
    // No log yet.
  }
}

function lastWords(logPath: string): string {
  const lines = readFileSync(logPath, "utf8").trimEnd().split("\n").slice(-50);
  const said = lines.map((line) => {
    try {
      const { level, msg, err } = JSON.parse(line) as { level?: number; msg?: string; err?: { message?: string } };
      return (level ?? 0) >= 50 ? (err?.message ?? msg ?? "") : "";
    } catch {
      return /Error|error/.test(line) ? line.trim() : "";
    }
  });
  return said.filter(Boolean).slice(-logTailLines).join(" | ");
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // Gone already.
  }
}

interface FirstWord {
  readonly msg: "ready" | "failed";
  readonly reason?: string;
  readonly [field: string]: unknown;
}

/** A full disk must not end the launcher, and with it every part: what cannot be written is not kept. */
function keepLine(logPath: string, line: string): void {
  try {
    appendFileSync(logPath, `${line}\n`);
  } catch {
    // The parts say the same to those who ask them.
  }
}

function firstWordOf(child: ChildProcess, logPath: string): Promise<FirstWord> {
  return new Promise((resolve) => {
    createInterface(child.stdout!).on("line", (line) => {
      keepLine(logPath, line);
      if (!line.startsWith("{")) return;
      try {
        const said = JSON.parse(line) as FirstWord;
        if (said.msg === "ready" || said.msg === "failed") resolve(said);
      } catch {
        // Not ours.
      }
    });
  });
}

/**
 * Starts one service in a process group of its own and resolves when it says that it is ready. Its stdin stays open as
 * long as this process lives, which is how it notices that its launcher was killed. Rejects with one sentence.
 */
export async function startServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const { name, args, logPath, signal } = options;
  turnLogOver(logPath);
  const log = openSync(logPath, "a");
  const child = spawn(process.execPath, [...args], {
    env: { ...options.environment, PACKSHOT_PARENT_PIPE: "1" },
    stdio: ["pipe", "pipe", log],
    detached: true,
  });
  closeSync(log);
  child.stdin!.on("error", () => {});
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, cause) => resolve(cause ? `was ended by ${cause}` : `ended with status ${code}`));
  });

  async function stop(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    const timer = setTimeout(() => signalGroup(child, "SIGKILL"), stopTimeoutMs);
    await ended;
    clearTimeout(timer);
  }

  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new CommandFault(`${name} was not ready after ${readyTimeoutMs / 1000} s; see ${logPath}.`)),
      readyTimeoutMs,
    );
  });
  const interrupted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new CommandFault("stopped while starting.")), { once: true });
  });
  try {
    const outcome = await Promise.race([firstWordOf(child, logPath), ended, tooLate, interrupted]);
    if (typeof outcome === "string")
      throw new CommandFault(`${name} ${outcome} at its start: ${lastWords(logPath) || `see ${logPath}`}`);
    if (outcome.msg === "failed") throw new CommandFault(`${name} could not start: ${outcome.reason}`);
    return { pid: child.pid!, ready: outcome, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
