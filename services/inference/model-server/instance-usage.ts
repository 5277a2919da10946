/** How much of the time the instances of a version compute: the runs that ended, and what has passed of those that run. */
export interface InstanceUsage {
  /** The returned function ends the run. */
  begin(): () => void;
  busyMs(): number;
}

export function createInstanceUsage(nowMs: () => number = () => performance.now()): InstanceUsage {
  const startedAtMs = new Set<{ readonly atMs: number }>();
  let endedMs = 0;
  return {
    begin() {
      const run = { atMs: nowMs() };
      startedAtMs.add(run);
      return () => {
        if (startedAtMs.delete(run)) endedMs += nowMs() - run.atMs;
      };
    },
    busyMs() {
      const now = nowMs();
      return [...startedAtMs].reduce((sum, { atMs }) => sum + now - atMs, endedMs);
    },
  };
}
