import { type ParseArgsConfig, parseArgs } from "node:util";
import { SettingsError } from "@packshot/platform/config/settings.ts";
import { environment } from "./environment.ts";
import { printNote } from "./print.ts";

/** An error that the person at the terminal can correct: printed as one sentence, without a stack. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  /** Usage, flags and examples. */
  readonly help: string;
  /** Resolves with the exit status. */
  run(args: readonly string[]): Promise<number>;
}

type Flags = NonNullable<ParseArgsConfig["options"]>;

/**
 * How many words a command takes beside its flags. Where the first word is a subcommand: how many each takes after it; the
 * command itself refuses a subcommand that is not among them.
 */
export type WordsMax = number | Readonly<Record<string, number>>;

/** For commands that take any number of words, or refuse surplus ones in words of their own. */
export const anyWords = Number.POSITIVE_INFINITY;

/**
 * Flags and positional arguments. Throws a CommandError that names an unknown flag, one without its value, or a word that the
 * command would ignore.
 */
export function readArguments<const F extends Flags>(args: readonly string[], options: F, wordsMax: WordsMax) {
  const parsed = parse(args, options);
  const surplus = surplusWord(parsed.positionals, wordsMax);
  if (surplus !== undefined)
    throw new CommandError(`unknown argument "${surplus.trim()}"; --help lists what there is.`);
  return parsed;
}

function parse<const F extends Flags>(args: readonly string[], options: F) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    // The first sentence of Node's message names the flag; the rest is advice on "--".
    throw new CommandError(`${(error as Error).message.split(". ")[0]!.replace(/\.$/, "")}; --help lists the options.`);
  }
}

function surplusWord(words: readonly string[], wordsMax: WordsMax): string | undefined {
  if (typeof wordsMax === "number") return words[wordsMax];
  const [verb = ""] = words;
  return Object.hasOwn(wordsMax, verb) ? words[1 + wordsMax[verb]!] : undefined;
}

/** The folder that relative names are meant in. npm runs commands in the repository's, and says where it was called. */
export function calledFrom(): string {
  return (environment.npm_lifecycle_event === "packshot" && environment.INIT_CWD) || process.cwd();
}

export function wholeNumber(name: string, value: string, min: number, max: number): number {
  const parsed = Number(value);
  if (!/^\d+$/.test(value) || parsed < min || parsed > max) {
    throw new CommandError(`${name} must be a whole number from ${min} to ${max}, not "${value}".`);
  }
  return parsed;
}

const nodeMajorWanted = 24;

/**
 * Ends the process with the command's status. Prints one sentence for a CommandError, and the stack of any other error.
 */
export function runAsProcess(name: string, main: (args: readonly string[]) => Promise<number>): void {
  if (Number(process.versions.node.split(".")[0]) < nodeMajorWanted) {
    printNote(
      `${name}: this is Node ${process.versions.node}; "make setup" installs Node ${nodeMajorWanted}, and npm scripts run on it.`,
    );
    process.exit(1);
  }
  // The reader of our output may end before we do (`| head`): that must not end the stack.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  main(process.argv.slice(2)).then(endProcess, (error: unknown) => {
    const known = error instanceof CommandError || error instanceof SettingsError;
    printNote(`${name}: ${known ? error.message : ((error as Error).stack ?? String(error))}`);
    return endProcess(1);
  });
}

/** A pipe takes 64 KiB at once: an exit would lose what is beyond it, as of a long JSON. */
async function endProcess(status: number): Promise<never> {
  const streams = [process.stdout, process.stderr];
  await Promise.all(streams.map((stream) => new Promise<void>((resolve) => stream.write("", () => resolve()))));
  return process.exit(status);
}

const parentCheckEveryMs = 500;

/**
 * Aborts on SIGTERM or Ctrl-C; a second Ctrl-C ends the process at once, and its children notice and stop. When npm
 * started this process, the signal also aborts once npm is gone: `kill -9` of `npm run` would leave an orphaned stack.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const parent = process.ppid;
  if (environment.npm_lifecycle_event !== undefined) {
    setInterval(() => process.ppid !== parent && controller.abort("npm is gone"), parentCheckEveryMs).unref();
  }
  for (const name of ["SIGTERM", "SIGINT"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted && name === "SIGINT") process.exit(130);
      controller.abort(name);
    });
  }
  return controller.signal;
}

/** Keeps the process running until then. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    // The timer keeps the event loop alive when nothing else does.
    const timer = setInterval(() => {}, 60_000);
    signal.addEventListener("abort", () => {
      clearInterval(timer);
      resolve();
    });
  });
}
