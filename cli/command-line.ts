import { parseArgs, type ParseArgsConfig } from "node:util";

/** Something the person at the terminal can put right: shown as one sentence, without a stack. */
export class CommandFault extends Error {
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
    throw new CommandFault(
      `${(error as Error).message.split(". ")[0]!.replace(/\.$/, "")}; --help shows what there is.`,
    );
  }
}

export function wholeNumber(name: string, value: string, min: number, max: number): number {
  const parsed = Number(value);
  if (!/^\d+$/.test(value) || parsed < min || parsed > max) {
    throw new CommandFault(`${name} must be a whole number from ${min} to ${max}, not "${value}".`);
  }
  return parsed;
}
