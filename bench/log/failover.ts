/**
 * How long the log is away when the nats-server that leads PS_STATE is killed with -9, and where the time goes: three
 * nats-servers, three replicas, clients that read, commit and transact meanwhile. Writes
 * bench/results/<date>/log-failover.md:
 *
 *   node bench/log/failover.ts [--kills 10] [--streams 4]
 *
 * The election is nats-server's own: it says at its end who leads. What clients take from then on is ours.
 */

import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { streams } from "@packshot/domain/subjects.ts";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { listStateStreams, type StateStreamCount } from "@packshot/log/nats/state-streams.ts";
import { awaitReplicas, migrateLog } from "@packshot/log/operate/migrate.ts";
import { startNats } from "../../testing/servers/nats.ts";
import { mean, median } from "../measuring/statistics.ts";
import { createTable, formatTable, writeResults } from "../measuring/write-results.ts";
import { type FailoverProbes, type ProbeKind, probeKinds, startFailoverProbes } from "./failover-probes.ts";

const { values } = parseArgs({
  options: { kills: { type: "string", default: "10" }, streams: { type: "string", default: "4" } },
});
const stateStreams = listStateStreams(Number(values.streams) as StateStreamCount);
const pollMs = 5;
/** Everybody has heard of the restarted server before the next one dies. */
const settledMs = 3_000;
const advisories = "$JS.EVENT.ADVISORY";

interface Failover {
  /** State streams that the killed server led. */
  readonly led: number;
  /** From the kill to nats-server's word that such a stream has a leader: the first of them, and the last. */
  readonly electedMs: { readonly first: number; readonly last: number };
  /** The same of every stream and consumer that it led. */
  readonly allElectedMs: number;
  /** From the election of its stream until each client came through: the last one. */
  readonly afterElectionMs: Readonly<Record<ProbeKind, number>>;
  /** From the kill until all clients committed to all state streams. */
  readonly committedMs: number;
}

interface Elections {
  readonly ofStreams: ReadonlyMap<string, number>;
  lastMs(): number;
  forget(): void;
}

function watchElections(connection: NatsConnection): Elections {
  const ofStreams = new Map<string, number>();
  let lastMs = Number.NaN;
  const note = (name: string | undefined) => {
    lastMs = performance.now();
    if (name !== undefined) ofStreams.set(name, lastMs);
  };
  connection.subscribe(`${advisories}.STREAM.LEADER_ELECTED.*`, {
    callback: (_error, { subject }) => note(subject.split(".").at(-1)),
  });
  connection.subscribe(`${advisories}.CONSUMER.LEADER_ELECTED.*.*`, { callback: () => note(undefined) });
  return {
    ofStreams,
    lastMs: () => lastMs,
    forget() {
      ofStreams.clear();
      lastMs = Number.NaN;
    },
  };
}

/** Number of the server that leads each state stream. */
async function readLeaders(manager: JetStreamManager): Promise<number[]> {
  return await Promise.all(
    stateStreams.map(async ({ state }) => {
      const { cluster } = await manager.streams.info(state);
      return Number(cluster!.leader!.split("-").at(-1)) - 1;
    }),
  );
}

async function until<T>(find: () => T | undefined): Promise<T> {
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    await delay(pollMs);
  }
}

/** When the last client came through in this stream after its election; undefined: not all have. */
function lastPassedMs({ passed }: FailoverProbes, kind: ProbeKind, streamIndex: number, electedAtMs: number) {
  const first = new Map<number, number>();
  for (const one of passed) {
    if (one.kind !== kind || one.streamIndex !== streamIndex || one.endedAtMs < electedAtMs) continue;
    if (!first.has(one.client)) first.set(one.client, one.endedAtMs);
  }
  return first.size < 3 ? undefined : Math.max(...first.values());
}

async function measureKill(
  kill: () => Promise<void>,
  led: readonly number[],
  probes: FailoverProbes,
  elections: Elections,
) {
  elections.forget();
  probes.forget();
  const killedAtMs = performance.now();
  await kill();
  const afterElectionMs = { read: 0, commit: 0, transact: 0 };
  const elected: number[] = [];
  let committedMs = 0;
  for (const streamIndex of led) {
    const electedAtMs = await until(() => elections.ofStreams.get(stateStreams[streamIndex]!.state));
    elected.push(electedAtMs - killedAtMs);
    for (const kind of probeKinds) {
      const passedAtMs = await until(() => lastPassedMs(probes, kind, streamIndex, electedAtMs));
      afterElectionMs[kind] = Math.max(afterElectionMs[kind], passedAtMs - electedAtMs);
      if (kind === "commit") committedMs = Math.max(committedMs, passedAtMs - killedAtMs);
    }
  }
  await delay(settledMs);
  const failover: Failover = {
    led: led.length,
    electedMs: { first: Math.min(...elected), last: Math.max(...elected) },
    allElectedMs: elections.lastMs() - killedAtMs,
    afterElectionMs,
    committedMs,
  };
  return failover;
}

const seconds = (ms: number) => (ms / 1_000).toFixed(2);
const columns: readonly (readonly [string, (failover: Failover) => number])[] = [
  ["elected: first, s", ({ electedMs }) => electedMs.first],
  ["last, s", ({ electedMs }) => electedMs.last],
  ["with consumers, s", ({ allElectedMs }) => allElectedMs],
  ...probeKinds.map((kind) => [`then ${kind}, s`, (one: Failover) => one.afterElectionMs[kind]] as const),
  ["all commit, s", ({ committedMs }) => committedMs],
];

const nats = await startNats({ cluster: 3 });
const connection = await connectNats({ url: nats.url, name: "bench" });
await migrateLog(connection, { replicas: 3, stateStreams: stateStreams.length as StateStreamCount });
const manager = await jetstreamManager(connection);
const replicated = [...stateStreams.map(({ state }) => state), streams.ready].map((stream) => ({ stream }));
const probes = await startFailoverProbes(nats.servers.map(({ url }) => url));
const elections = watchElections(connection);
const table = createTable(["kill", "state streams led", ...columns.map(([title]) => title)]);
const failovers: Failover[] = [];
for (let kill = 1; kill <= Number(values.kills); kill++) {
  await awaitReplicas(manager, replicated);
  await delay(settledMs);
  const leaders = await readLeaders(manager);
  const victim = leaders[0]!;
  const led = stateStreams.map(({ index }) => index).filter((index) => leaders[index] === victim);
  const failover = await measureKill(() => nats.kill(victim), led, probes, elections);
  failovers.push(failover);
  table.add(kill, failover.led, ...columns.map(([, of]) => seconds(of(failover))));
  await nats.restart(victim);
}
await probes.stop();
await connection.close();
await nats.stop();

const summary = (name: string, of: (values: number[]) => number) => [
  name,
  ...columns.map(([, figure]) => seconds(of(failovers.map(figure)))),
];
writeResults({
  name: "log-failover",
  title: "The log after kill -9 of the nats-server that leads PS_STATE",
  setting: `three nats-servers and the clients on this machine, three replicas, ${stateStreams.length} state streams`,
  sections: [
    "nats-server elects a leader for each stream by itself, 4 to 9 s after the last word of the one before. `then …`: from there until each of three clients came through, the slowest of all.",
    formatTable(
      ["", ...columns.map(([title]) => title)],
      [summary("median", median), summary("mean", mean), summary("max", (all) => Math.max(...all))],
    ),
    table.toString(),
  ],
});
