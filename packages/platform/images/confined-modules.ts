/**
 * Where Node keeps the compiled modules of processes that open what clients send, when it keeps those of the process that starts them
 * (`NODE_COMPILE_CACHE`); compiling is half of the processor time of their start. The folder is apart from that of processes with keys, so that
 * whoever takes such a process over cannot change what those run at their next start (docs/adr/0038-cold-start.md).
 */
import { getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";

export type ConfinedProgram = "image-inspector" | "decoder";

/** @param kept the folder of all compiled modules; undefined: none are kept */
export function confinedModules(
  program: ConfinedProgram,
  kept: string | undefined = keptModules(),
): string | undefined {
  return kept === undefined ? undefined : join(kept, "confined", program);
}

/** Node names the folder below it after its own version, its flags and the user. */
function keptModules(): string | undefined {
  const own = getCompileCacheDir();
  return own === undefined ? undefined : dirname(own);
}
