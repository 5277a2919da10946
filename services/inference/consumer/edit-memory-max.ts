/** What the edits of a worker may take when no setting says it. */

export interface MachineMemory {
  /** The limit of the container or service; 0, or more than the machine has, where there is none. */
  readonly limitBytes: number;
  readonly totalBytes: number;
}

/** The worker itself, and what its allocator keeps of earlier edits beside those that run. */
const shareOfLimit = 0.75;
const idleBytes = 256 * 1024 * 1024;
/** Other processes have no limit either. */
const shareOfMachine = 0.5;

export function editMemoryMax({ limitBytes, totalBytes }: MachineMemory): number {
  const isLimited = limitBytes > 0 && limitBytes < totalBytes;
  const bytes = isLimited ? shareOfLimit * limitBytes : shareOfMachine * totalBytes;
  return Math.max(idleBytes, Math.floor(bytes - idleBytes));
}
