/** After a change of their number, replicas are copied: until they are current, the log has no more copies than before. */
import type { ClusterInfo, JetStreamManager } from "@nats-io/jetstream";
import { pause } from "@packshot/platform/flow/pause.ts";

const pollMs = 250;
/** Longer than an election, and than a server needs to take part again. A log that is copied goes on and on. */
const stalledAfterMsDefault = 60_000;

export interface Replicated {
  readonly stream: string;
  /** A consumer of the stream; absent: the stream itself is meant. */
  readonly consumer?: string;
}

/** Resolves when each has as many current replicas as it should. Rejects when that gets no further for so long. */
export async function awaitReplicas(
  manager: JetStreamManager,
  all: readonly Replicated[],
  stalledAfterMs = stalledAfterMsDefault,
): Promise<void> {
  for (const each of all) await untilCurrent(each, () => readReplicas(manager, each), stalledAfterMs);
}

interface FoundReplicas {
  readonly wanted: number;
  readonly cluster: ClusterInfo | undefined;
}

async function readReplicas(manager: JetStreamManager, { stream, consumer }: Replicated): Promise<FoundReplicas> {
  const { config, cluster } = await manager.streams.info(stream);
  if (consumer === undefined) return { wanted: config.num_replicas, cluster };
  return { wanted: config.num_replicas, cluster: (await manager.consumers.info(stream, consumer)).cluster };
}

async function untilCurrent(
  what: Replicated,
  find: () => Promise<FoundReplicas>,
  stalledAfterMs: number,
): Promise<void> {
  let last = "";
  let changedAtMs = performance.now();
  for (;;) {
    // While a leader is elected, nobody answers.
    const found = await find().catch(() => undefined);
    if (found !== undefined && isCurrent(found)) return;
    const state = JSON.stringify(found?.cluster?.replicas?.map(({ name, current, lag }) => [name, current, lag]));
    if (state !== last) changedAtMs = performance.now();
    last = state;
    if (performance.now() - changedAtMs > stalledAfterMs) {
      const name = [what.consumer, what.stream].filter(Boolean).join(" of ");
      throw new Error(
        `the replicas of ${name} are not current, and get no further: look whether all nats-servers run and reach each other, then migrate again`,
      );
    }
    await pause(pollMs, new AbortController().signal);
  }
}

function isCurrent({ wanted, cluster }: FoundReplicas): boolean {
  // Absent on a server without a cluster.
  if (cluster === undefined) return true;
  const { leader = "", replicas = [] } = cluster;
  return leader !== "" && replicas.length === wanted - 1 && replicas.every(({ current }) => current);
}
