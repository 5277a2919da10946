/**
 * Runs a program and sends it SIGTERM when stdin closes. A program that does not watch its stdin would not notice that
 * its launcher was killed. The wait is the shell's last command, so the shell ends with the program's status.
 */
const guard = `exec 4<&0; "$@" </dev/null & child=$!; { cat <&4 >/dev/null; kill -TERM $child; } 2>/dev/null & exec 4<&-; wait $child`;

/** Program and arguments for `startService`. */
export function guardedByStdin(program: string, args: readonly string[]): { program: string; args: string[] } {
  return { program: "sh", args: ["-c", guard, program, program, ...args] };
}
