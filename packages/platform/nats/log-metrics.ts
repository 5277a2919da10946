import { Counter, Histogram, type Registry } from "prom-client";
import type { CommitObserver } from "./group-commit.ts";

/** Counts a process's commits. The code names a few dozen transitions, so the label stays small. */
export function createLogMetrics(registry: Registry): CommitObserver {
  const registers = [registry];
  const commits = new Counter({
    name: "packshot_log_commits_total",
    help: "Attempts to commit to the log, by transition and outcome.",
    labelNames: ["transition", "outcome"],
    registers,
  });
  const groupSizes = new Histogram({
    name: "packshot_log_commit_group_size",
    help: "Commits that went to the log as one batch.",
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  });
  const durations = new Histogram({
    name: "packshot_log_commit_duration_seconds",
    help: "Time from sending a batch to the log to its answer.",
    buckets: [0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1, 2, 5],
    registers,
  });
  return {
    batchAnswered(members, durationMs) {
      groupSizes.observe(members);
      durations.observe(durationMs / 1000);
    },
    committed: (transition, outcome) => commits.inc({ transition, outcome }),
  };
}
