/**
 * When a process has filled its heaps and caches, so that its memory is compared from then on. It is measured in work, not in time: of
 * 480 edits of small photos on one deployment a worker's memory rose during the first 280, and by 1 MB of 467 during the other 200.
 */

/** Jobs that the deployment has ended since the process was first seen, for each process of its kind. */
const jobsMin = 300;

export interface Settling {
  /** Whether the process, one of so many of its kind, has settled by now. */
  hasSettled(series: string, processesOfKind: number, jobsEnded: number): boolean;
}

export function createSettling(): Settling {
  const jobsAtFirst = new Map<string, number>();
  return {
    hasSettled(series, processesOfKind, jobsEnded) {
      const first = jobsAtFirst.get(series);
      if (first === undefined) jobsAtFirst.set(series, jobsEnded);
      return first !== undefined && jobsEnded - first >= jobsMin * processesOfKind;
    },
  };
}
