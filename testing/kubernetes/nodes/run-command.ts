import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);
const outputBytesMax = 1024 * 1024;

/** Resolves with its stdout; rejects with its stderr. */
export async function runCommand(program: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await execute(program, args, { maxBuffer: outputBytesMax });
  return stdout;
}
