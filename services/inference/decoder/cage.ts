/**
 * The cage of decoders: what a process may do that decodes what clients send. A launcher of ours asks the kernel for it, by
 * Landlock, seccomp and limits (docs/adr/0052-decoders-in-a-cage.md).
 */

import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { confinedModules } from "@packshot/platform/images/confined-modules.ts";

/** How a process in the cage is started. It can be sent to a thread. */
export interface Cage {
  readonly launcher: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** What is measured of Node and libvips before the first pixel, and then for each pixel: floating-point TIFFs take the most. */
const idleBytes = 1024 ** 3;
const bytesPerPixel = 32;
/** A picture is enlarged to the largest frame. */
const fileBytesMin = 512 * 1024 * 1024;
const heapMegabytesMax = 128;
/**
 * Freed memory is kept for the next photo, in one arena with pages of 2 MiB, up to 64 MiB: to give pages back and to touch others
 * costs more than it takes to decode into them. Other C libraries ignore the variable.
 */
const tunables = [
  "glibc.malloc.arena_max=1",
  "glibc.malloc.mmap_threshold=134217728",
  "glibc.malloc.trim_threshold=67108864",
  "glibc.malloc.hugetlb=1",
].join(":");
const main = fileURLToPath(new URL("decoder-main.ts", import.meta.url));

export interface CageSettings {
  readonly launcher: string;
  readonly maxPixels: number;
  /** For tests: another program. */
  readonly main?: string;
  /** The folder of its compiled modules; absent: beside those of this process, where it keeps any. */
  readonly modules?: string;
}

/** The program with its arguments, without what confines it. */
export function confinedCommand({ arguments: all }: Cage): readonly string[] {
  return all.slice(all.indexOf("--") + 1);
}

/** Another user's folder, which the launcher could not let it read. One that is missing is no hindrance. */
function isClosed(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}

export function cageOf(settings: CageSettings): Cage {
  const { launcher, maxPixels, main: program = main, modules: kept = confinedModules("decoder") } = settings;
  const modules = kept !== undefined && isClosed(kept) ? undefined : kept;
  const readable = [
    ...["node_modules", "packages", "services/inference", "package.json"].map((name) => join(root, name)),
    program,
    ...(modules === undefined ? [] : [modules]),
  ];
  const flags = ["--no-warnings", "--expose-gc", `--max-old-space-size=${heapMegabytesMax}`, "--max-semi-space-size=2"];
  return {
    launcher,
    arguments: [
      "run",
      ...readable.flatMap((path) => ["--read", path]),
      ...["--data-bytes", String(idleBytes + bytesPerPixel * maxPixels)],
      ...["--file-bytes", String(Math.max(fileBytesMin, 4 * maxPixels))],
      ...["--", process.execPath, ...flags, program],
    ],
    environment: {
      UV_THREADPOOL_SIZE: "1",
      GLIBC_TUNABLES: tunables,
      // Node would read the system's, which it may not, and give up.
      OPENSSL_CONF: "/dev/null",
      ...(modules !== undefined && { NODE_COMPILE_CACHE: modules }),
    },
  };
}
