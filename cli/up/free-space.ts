/** Whether the disks of a stack have room for it. */
import { existsSync, type StatsFs, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";

const GiB = 1024 ** 3;
const wantedBytes = 2 * GiB;

export interface Disk {
  /** The folder, or the nearest one above it that is there. */
  readonly dir: string;
  /** Tells disks apart. */
  readonly device: number;
  readonly freeBytes: number;
}

type Room = Pick<StatsFs, "bavail" | "bsize">;

/** undefined: it cannot be told, as of some network disks and below folders that this user may not enter. */
export function diskOf(dir: string, statfs: (dir: string) => Room = statfsSync): Disk | undefined {
  if (!existsSync(dir) && dirname(dir) !== dir) return diskOf(dirname(dir), statfs);
  try {
    const { bavail, bsize } = statfs(dir);
    return { dir, device: statSync(dir).dev, freeBytes: bavail * bsize };
  } catch {
    return undefined;
  }
}

export function formatFree({ dir, freeBytes }: Pick<Disk, "dir" | "freeBytes">): string {
  return `${(freeBytes / GiB).toFixed(1)} GiB free in ${dir}`;
}

/** What a disk with too little room means; undefined: it has enough. */
export function findLittleRoom(disk: Pick<Disk, "dir" | "freeBytes">): string | undefined {
  if (disk.freeBytes >= wantedBytes) return undefined;
  return `${formatFree(disk)}: at least 2 GiB is needed, because sources and results are kept for an hour`;
}

/** A line for each disk of the folders that has too little room: edits would be refused, or the log would stop, later. */
export function warnOfLittleRoom(disks: readonly Disk[]): string[] {
  const distinct = [...new Map(disks.map((disk) => [disk.device, disk])).values()];
  return distinct.flatMap((disk) => {
    const problem = findLittleRoom(disk);
    return problem === undefined ? [] : [`Only ${problem}. What finds no room is refused with 503, unavailable.`];
  });
}
