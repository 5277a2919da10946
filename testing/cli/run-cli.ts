/** The command line as a process of its own, as a person or a script starts it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../cli/packshot.ts", import.meta.url));

export interface CliRun {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves with the exit status, or the signal's name. */
  readonly ended: Promise<number | string>;
  /** Resolves once the pattern is in what was printed; rejects when the process ends without it. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export interface EndedCli {
  readonly status: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Without what npm and the tests set: no PACKSHOT_ name but those given. */
function bareEnvironment(): Record<string, string | undefined> {
  const left = Object.entries(process.env).filter(
    ([name]) => !/^(PACKSHOT_|npm_|INIT_CWD|NO_COLOR|FORCE_COLOR)/.test(name),
  );
  return Object.fromEntries(left);
}

export function startCli(args: readonly string[], { cwd, environment = {} }: CliOptions = {}): CliRun {
  const child = spawn(process.execPath, [program, ...args], {
    ...(cwd !== undefined && { cwd }),
    env: { ...bareEnvironment(), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed = { stdout: "", stderr: "" };
  const listeners = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
      for (const listener of listeners) listener();
    });
  }
  const ended = once(child, "close").then(([code, signal]) => (code ?? signal) as number | string);
  return {
    child,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    ended,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const listener = () => {
          const found = pattern.exec(printed.stdout) ?? pattern.exec(printed.stderr);
          if (found === null) return;
          listeners.delete(listener);
          resolve(found);
        };
        listeners.add(listener);
        listener();
        void ended.then(() => {
          listener();
          reject(new Error(`it ended without ${pattern}: ${printed.stdout}\n${printed.stderr}`));
        });
      }),
  };
}

export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<EndedCli> {
  const run = startCli(args, options);
  const status = await run.ended;
  return { status, stdout: run.stdout(), stderr: run.stderr() };
}
