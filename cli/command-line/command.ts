import { parseArgs, type ParseArgsConfig } from "node:util";
import { SettingsError } from "@packshot/platform/config/settings.ts";

/** Something the person at the terminal can put right: shown as one sentence, without a stack. */
export class CommandError extends Error {
  override readonly name = "CommandFault";
}

export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  /** Everything: usage, flags, examples. */
  readonly help: string;
  /** The exit status. */
  run(args: readonly string[]): Promise<number>;
}

type Flags = NonNullable<ParseArgsConfig["options"]>;

/** Flags and positional arguments; an unknown flag or one without its value is a fault that names it. */
export function readArguments<const F extends Flags>(args: readonly string[], options: F) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    // Node's own sentence names the flag; what follows its first full stop is advice on "--".
    throw new CommandError(
      `${(error as Error).message.split(". ")[0]!.replace(/\.$/, "")}; --help shows what there is.`,
    );
  }
}

export function wholeNumber(name: string, value: string, min: number, max: number): number {
  const parsed = Number(value);
  if (!/^\d+$/.test(value) || parsed < min || parsed > max) {
    throw new CommandError(`${name} must be a whole number from ${min} to ${max}, not "${value}".`);
  }
  return parsed;
}

const nodeMajorWanted = 24;

/** Ends the process with the command's status; a fault is told in one sentence, only the unforeseen with its stack. */
export function runAsProcess(name: string, main: (args: readonly string[]) => Promise<number>): void {
  if (Number(process.versions.node.split(".")[0]) < nodeMajorWanted) {
    process.stderr.write(
      `${name}: this is Node ${process.versions.node}; "make setup" brings Node ${nodeMajorWanted}, and npm scripts run on it.\n`,
    );
    process.exit(1);
  }
  // Who reads our output may go before we do (`| head`): that is no reason to take the stack down.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  main(process.argv.slice(2)).then(
    (status) => process.exit(status),
    (error: unknown) => {
      const known = error instanceof CommandError || error instanceof SettingsError;
      process.stderr.write(`${name}: ${known ? error.message : ((error as Error).stack ?? String(error))}\n`);
      process.exit(1);
    },
  );
}
