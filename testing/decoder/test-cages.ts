/** Cages for specs: the product's around another program, and none around it. */
import { fileURLToPath } from "node:url";
import { findCage } from "@packshot/platform/images/find-cage.ts";
import { type Cage, cageOf } from "../../services/inference/decoder/cage.ts";

export const takenDecoder = fileURLToPath(new URL("taken-decoder-main.ts", import.meta.url));

function foundLauncher(): string {
  const found = findCage();
  if (found.kind !== "holds") throw new Error(found.problem);
  return found.launcher;
}

/** @param program another one than the product's decoder */
export function realCage(program?: string, maxPixels = 1_000_000): Cage {
  return cageOf({ launcher: foundLauncher(), maxPixels, ...(program !== undefined && { main: program }) });
}

/** The cage with so little memory that nothing large has room beside Node. */
export function narrowCage(program: string): Cage {
  const { arguments: wide, ...cage } = realCage(program);
  const at = wide.indexOf("--data-bytes") + 1;
  return { ...cage, arguments: wide.with(at, String(700 * 1024 * 1024)) };
}

/** A process that is started as the launcher would start it, and may do whatever this one may. */
export function noCage(program: string): Cage {
  // The launcher's memory has no name either.
  const script = 'f=$(mktemp); exec 3<>"$f"; rm "$f"; echo "packshot-cage: shared 3"; read _; exec "$0" "$@"';
  return {
    launcher: "/bin/sh",
    arguments: ["-c", script, process.execPath, program],
    environment: { PATH: "/usr/bin:/bin" },
  };
}
