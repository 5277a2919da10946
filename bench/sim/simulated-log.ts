/** The log on the virtual clock: groups of commits, state streams. */
import type { Deployment } from "./deployment.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { logTimes } from "./service-times.ts";
import { createBatchStation, createStation, type Station } from "./stations.ts";
import { type Activity, activityOf, type Process, type VirtualClock } from "./virtual-clock.ts";

/** A lone commit of one message is a plain publish. */
export type Commit = (kind: "batch" | "plain") => Activity;

/** Each process has one group of commits in flight for each state stream; a stream takes one group after the other. */
export function createLog(clock: VirtualClock, random: SeededRandom, { log }: Deployment) {
  const times = logTimes[log.kind];
  const streams = Array.from({ length: log.stateStreams }, () => createStation(clock, 1));

  function openLog(): Commit {
    const groups = streams.map((stream) =>
      createBatchStation(clock, {
        batchMax: times.batchMax,
        run: (size) => activityOf(group(stream, times.batchMs.value + size * times.perCommitMs.value)),
      }),
    );
    return (kind) => {
      // An account's shard is a hash of its id.
      const at = Math.floor(random.uniform() * streams.length);
      return kind === "batch" ? groups[at]!.serve() : activityOf(group(streams[at]!, times.plainMs.value));
    };
  }

  function* group(stream: Station, serverMs: number): Process {
    yield clock.wait(times.roundTripMs.value);
    yield stream.serve(serverMs);
  }

  return {
    openLog,
    use: (passedMs: number) => streams.reduce((sum, { use }) => sum + use.busyMs, 0) / (streams.length * passedMs),
  };
}
