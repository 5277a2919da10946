import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createPeriodicCheck, type PeriodicCheck } from "../lifecycle/periodic-check.ts";
import type { Logger } from "../telemetry/logger.ts";

const everyMs = 3_000;
const timeoutMs = 3_000;

const fullCodes = new Set(["ENOSPC", "EDQUOT"]);

export interface DiskCheckDeps {
  readonly dir: string;
  /** For a process that is of use on a full disk, because its clients make room there. */
  readonly mayBeFull: boolean;
  readonly logger: Logger;
}

/** Whether the folder of the disk storage can be written: a small file is written there and removed. */
export function createDiskCheck({ dir, mayBeFull, logger }: DiskCheckDeps): PeriodicCheck {
  // One for all processes: what a killed one leaves is overwritten. No storage key begins with a dot.
  const path = join(dir, ".write-check");
  return createPeriodicCheck({
    name: "storage",
    everyMs,
    timeoutMs,
    logger,
    async attempt() {
      try {
        await mkdir(dir, { recursive: true });
        await writeFile(path, "packshot");
        await rm(path, { force: true });
      } catch (error) {
        const { code = "" } = error as NodeJS.ErrnoException;
        if (mayBeFull && fullCodes.has(code)) return;
        throw new Error(`storage cannot be written (${code})`, { cause: error });
      }
    },
  });
}
