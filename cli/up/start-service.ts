/** The one way to start a process and to know that it is ready: for the launcher, the tests and the benches. */

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, fstatSync, openSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { CommandError } from "../command-line/command.ts";
import { appendToLog, logTail, readLogEnd } from "./service-log.ts";

const readyTimeoutMsDefault = 180_000;
/** Longer than a service allows itself (lifecycle/run.ts), so that only one that hangs is killed. */
const stopTimeoutMsDefault = 45_000;
const linesKeptMax = 50;
/** After its end a process's last lines arrive at once, unless a child of its own holds the other end. */
const outputTimeoutMs = 1_000;

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
  /**
   * For a process that may take long: whether the process of this number has got ahead since the last call, or had no processor to.
   * Both timeouts then count from the last time that it had; a stop takes ten of its timeouts at most.
   */
  readonly hasProgressed?: ((pid: number) => boolean) | undefined;
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
  const { name, logPath, signal, hasProgressed, readyTimeoutMs = readyTimeoutMsDefault } = options;
  const { child, ended, untilLine, tail } = spawnService(options);
  const stop = () => stopService(child, ended, options);
  const lastOutput = () => tail() || (logPath === undefined ? "it printed nothing" : `see ${logPath}`);
  const starting = new AbortController();
  try {
    const ready = await Promise.race([
      options.waitForReady({ name, signal: starting.signal, untilLine }),
      ended.then((how) => {
        if (starting.signal.aborted) return new Promise<never>(() => {});
        throw new CommandError(`${name} ${how} at its start: ${lastOutput()}`);
      }),
      untilStalled({
        timeoutMs: readyTimeoutMs,
        hasProgressed: progressOf(child, hasProgressed),
        over: starting.signal,
      }).then(() => {
        const seconds = `${readyTimeoutMs / 1000} s`;
        const how = hasProgressed === undefined ? `after ${seconds}` : `and has not got ahead for ${seconds}`;
        throw new CommandError(`${name} was not ready ${how}: ${lastOutput()}`);
      }),
      aborted(signal, starting.signal).then(() => {
        throw new CommandError("stopped while starting.");
      }),
    ]);
    return { pid: child.pid!, ready, stdin: child.stdin!, ended, stop, kill: () => killService(child, ended) };
  } catch (error) {
    // However it gets ahead, nobody wants what it would get to.
    await stopService(child, ended, { ...options, hasProgressed: undefined });
    throw error;
  } finally {
    starting.abort();
  }
}

function spawnService(options: ServiceOptions<unknown>) {
  const { program = process.execPath, args, environment, logPath, onLine } = options;
  // A file rather than a pipe: what a dying process prints is kept even when its launcher died first.
  const logFile = logPath === undefined ? undefined : openSync(logPath, "a");
  const logStart = logFile === undefined ? 0 : fstatSync(logFile).size;
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
    ended: untilEnded(child),
    tail: () => logTail(logPath === undefined ? recent : readLogEnd(logPath, logStart)),
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

/**
 * Resolves with how the process ended, once every process that held its output is gone, so that port and files are free
 * again. What is left of its group after a moment is killed, and a process that has left the group is not awaited: a
 * restart would wait for it without an end.
 */
function untilEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(`could not be run (${error.message})`));
    child.once("exit", (code, cause) => {
      const how = cause ? `was ended by ${cause}` : `ended with status ${code}`;
      const late = setTimeout(() => {
        signalGroup(child, "SIGKILL");
        for (const output of [child.stdout, child.stderr]) output?.destroy();
        resolve(how);
      }, outputTimeoutMs);
      child.once("close", () => {
        clearTimeout(late);
        resolve(how);
      });
    });
  });
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

function progressOf({ pid }: ChildProcess, hasProgressed: ServiceOptions<unknown>["hasProgressed"]) {
  return hasProgressed && (() => pid !== undefined && hasProgressed(pid));
}

/** A service that spins on a busy machine seems to wait for a processor: its stop takes so many timeouts at most. */
const stopStallsMax = 10;

async function stopService(
  child: ChildProcess,
  ended: Promise<string>,
  { stopTimeoutMs = stopTimeoutMsDefault, hasProgressed }: ServiceOptions<unknown>,
): Promise<void> {
  signalGroup(child, "SIGTERM");
  const over = new AbortController();
  const progress = progressOf(child, hasProgressed);
  const mostMs = stopStallsMax * stopTimeoutMs;
  void untilStalled({ timeoutMs: stopTimeoutMs, hasProgressed: progress, over: over.signal, mostMs }).then(() =>
    signalGroup(child, "SIGKILL"),
  );
  await ended;
  over.abort();
}

async function killService(child: ChildProcess, ended: Promise<string>): Promise<void> {
  signalGroup(child, "SIGKILL");
  await ended;
}

export interface StallOptions {
  readonly timeoutMs: number;
  /** Whether something has got ahead since the last call. Without it, `timeoutMs` is the whole time. */
  readonly hasProgressed: (() => boolean) | undefined;
  /** Nothing is awaited any more. */
  readonly over: AbortSignal;
  /** In all, whatever has got ahead; absent: for as long as something does. */
  readonly mostMs?: number;
}

const checkEveryMsMax = 1_000;

/** Resolves when nothing has got ahead for `timeoutMs`; never once `over` has aborted. */
export async function untilStalled({ timeoutMs, hasProgressed, over, mostMs = Infinity }: StallOptions): Promise<void> {
  const checkEveryMs = Math.min(checkEveryMsMax, timeoutMs / 10);
  const startedAtMs = performance.now();
  let progressAtMs = startedAtMs;
  while (performance.now() - progressAtMs < timeoutMs && performance.now() - startedAtMs < mostMs) {
    await delay(checkEveryMs, undefined, { signal: over }).catch(() => {});
    if (over.aborted) return await new Promise<never>(() => {});
    if (hasProgressed?.()) progressAtMs = performance.now();
  }
}

/**
 * Runs a program and sends it SIGTERM when stdin closes. A program that does not watch its stdin would not notice that
 * its launcher was killed. The wait is the shell's last command, so the shell ends with the program's status.
 */
const guard = `exec 4<&0; "$@" </dev/null & child=$!; { cat <&4 >/dev/null; kill -TERM $child; } 2>/dev/null & exec 4<&-; wait $child`;

/** Program and arguments for `startService`. */
export function guardedByStdin(program: string, args: readonly string[]): { program: string; args: string[] } {
  return { program: "sh", args: ["-c", guard, program, program, ...args] };
}
