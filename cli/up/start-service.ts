/** The one way to start a process and to know that it is ready: for the launcher, the tests and the benches. */

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Writable } from "node:stream";
import { CommandError } from "../command-line/command.ts";
import { appendToLog, logTail, readLogEnd } from "./service-log.ts";

const readyTimeoutMsDefault = 180_000;
/** Longer than a service allows itself (lifecycle/run.ts), so that only one that hangs is killed. */
const stopTimeoutMsDefault = 45_000;
const linesKeptMax = 50;

export interface Service<R> {
  readonly pid: number;
  /** What `waitForReady` found. */
  readonly ready: R;
  readonly stdin: Writable;
  /** Resolves with how the process ended, as "ended with status 1", whoever ended it. */
  readonly ended: Promise<string>;
  /** SIGTERM, and SIGKILL to one that hangs. Idempotent. */
  stop(): Promise<void>;
  /** As `kill -9` does. */
  kill(): Promise<void>;
}

export interface ServiceOptions<R> {
  /** For messages. */
  readonly name: string;
  /** Default: the Node that runs this. */
  readonly program?: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A file to which all output is appended. */
  readonly logPath?: string;
  /** Gets each line of output; of stdout only where `logPath` is given. */
  readonly onLine?: (line: string) => void;
  /** Resolves when the process can be used; `readyLine` for our own services. */
  readonly waitForReady: (starting: StartingService) => Promise<R>;
  readonly readyTimeoutMs?: number;
  readonly stopTimeoutMs?: number;
  /** Gives the start up. */
  readonly signal?: AbortSignal;
}

export interface StartingService {
  readonly name: string;
  /** Aborted when the start is over, also when it failed. */
  readonly signal: AbortSignal;
  /** Resolves with what `pick` makes of the first line of output for which it returns something. */
  untilLine<T>(pick: (line: string) => T | undefined): Promise<T>;
}

/** The line on stdout by which one of our services says that it is ready: its addresses by name. */
export type ReadyLine = Readonly<Record<string, unknown>>;

/** Waits for the ready line; rejects when the service says that it cannot start. */
export async function readyLine({ name, untilLine }: StartingService): Promise<ReadyLine> {
  const line = await untilLine((text) => {
    if (!text.startsWith("{")) return undefined;
    try {
      const parsed = JSON.parse(text) as ReadyLine;
      return parsed.msg === "ready" || parsed.msg === "failed" ? parsed : undefined;
    } catch {
      return undefined;
    }
  });
  if (line.msg === "failed") throw new CommandError(`${name} could not start: ${line.reason}`);
  return line;
}

/**
 * Starts a process in a process group of its own and resolves when it is ready. Its stdin stays open as long as this
 * process lives: by that our services notice that their launcher was killed. Rejects with a CommandError, the process
 * stopped, when it ends before it is ready, takes too long, or `signal` aborts.
 */
export async function startService<R>(options: ServiceOptions<R>): Promise<Service<R>> {
  const { name, logPath, signal, readyTimeoutMs = readyTimeoutMsDefault } = options;
  const { child, ended, untilLine, tail } = spawnService(options);
  const stop = () => stopService(child, ended, options.stopTimeoutMs ?? stopTimeoutMsDefault);
  const lastOutput = () => tail() || (logPath === undefined ? "it printed nothing" : `see ${logPath}`);
  const starting = new AbortController();
  try {
    const ready = await Promise.race([
      options.waitForReady({ name, signal: starting.signal, untilLine }),
      ended.then((how) => {
        if (starting.signal.aborted) return new Promise<never>(() => {});
        throw new CommandError(`${name} ${how} at its start: ${lastOutput()}`);
      }),
      aborted(AbortSignal.timeout(readyTimeoutMs), starting.signal).then(() => {
        throw new CommandError(`${name} was not ready after ${readyTimeoutMs / 1000} s: ${lastOutput()}`);
      }),
      aborted(signal, starting.signal).then(() => {
        throw new CommandError("stopped while starting.");
      }),
    ]);
    return { pid: child.pid!, ready, stdin: child.stdin!, ended, stop, kill: () => killService(child, ended) };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    starting.abort();
  }
}

function spawnService(options: ServiceOptions<unknown>) {
  const { program = process.execPath, args, environment, logPath, onLine } = options;
  // A file rather than a pipe: what a dying process prints is kept even when its launcher died first.
  const logFile = logPath === undefined ? undefined : openSync(logPath, "a");
  const child = spawn(program, [...args], {
    env: { ...environment, PACKSHOT_PARENT_PIPE: "1" },
    stdio: ["pipe", "pipe", logFile ?? "pipe"],
    detached: true,
  });
  if (logFile !== undefined) closeSync(logFile);
  child.stdin!.on("error", () => {}); // Ended already.

  const recent: string[] = [];
  const listeners = new Set<(line: string) => void>();
  const recordLine = (line: string) => {
    if (logPath !== undefined) appendToLog(logPath, line);
    else if (recent.push(line) > linesKeptMax) recent.shift();
    onLine?.(line);
    for (const listener of listeners) listener(line);
  };
  for (const output of [child.stdout, child.stderr])
    if (output !== null) createInterface({ input: output }).on("line", recordLine);

  return {
    child,
    ended: new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(`could not be run (${error.message})`));
      // Not "exit": with "close" every process that held the output is gone, so port and files are free again.
      child.once("close", (code, cause) => resolve(cause ? `was ended by ${cause}` : `ended with status ${code}`));
    }),
    tail: () => logTail(logPath === undefined ? recent : readLogEnd(logPath)),
    untilLine: <T>(pick: (line: string) => T | undefined) =>
      new Promise<T>((resolve) => {
        const listener = (line: string) => {
          const picked = pick(line);
          if (picked === undefined) return;
          listeners.delete(listener);
          resolve(picked);
        };
        listeners.add(listener);
      }),
  };
}

/** Resolves when `signal` aborts, unless `startEnded` aborts first. */
function aborted(signal: AbortSignal | undefined, startEnded: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    else signal?.addEventListener("abort", () => resolve(), { once: true, signal: startEnded });
  });
}

/** Signals the whole group: a program may run under a shell, or start workers of its own. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // Gone already.
  }
}

async function stopService(child: ChildProcess, ended: Promise<string>, timeoutMs: number): Promise<void> {
  signalGroup(child, "SIGTERM");
  const timer = setTimeout(() => signalGroup(child, "SIGKILL"), timeoutMs);
  await ended;
  clearTimeout(timer);
}

async function killService(child: ChildProcess, ended: Promise<string>): Promise<void> {
  signalGroup(child, "SIGKILL");
  await ended;
}
