/** What happens to a cluster in its life: processes die, engines go away and come back, all of it is updated. */
import { setTimeout as delay } from "node:timers/promises";
import { jetstreamManager } from "@nats-io/jetstream";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { readStreamInfo } from "@packshot/log/nats/jetstream-request.ts";
import { fillMax } from "@packshot/log/nats/streams.ts";
import { migrateLog } from "@packshot/log/operate/migrate.ts";
import { type Cluster, counts } from "./cluster.ts";
import { roles } from "./cluster-processes.ts";

export interface Disturbance {
  readonly name: string;
  /** Resolves when it is over, with what it measured. */
  act(cluster: Cluster): Promise<Figures | undefined>;
}

type Figures = Readonly<Record<string, number>>;

/** Lengths of outages, and which processes are killed. */
export interface Extent {
  /** Each process, or one of each kind. */
  readonly kills: "each" | "one of each kind";
  readonly outageMs: number;
  /** How long S3 is full afterward. */
  readonly fullMs: number;
}

const probeEveryMs = 50;
/** Less than the log holds already, by the edits of a short run, too: a state stream refuses edits from half of its part on. */
const fullLogBytes = 400_000;

const kills = ({ kills: which }: Extent): Disturbance[] =>
  roles.flatMap((role) =>
    Array.from({ length: which === "each" ? counts[role] : 1 }, (_, index) => ({
      name: `kill -9 of ${role}-${index}`,
      async act({ processes }) {
        await processes.kill(role, index);
      },
    })),
  );

const natsLeaderKilled: Disturbance = {
  name: "kill -9 of the nats-server that leads PS_STATE",
  async act({ nats, log }) {
    const leader = await leaderOf(log.connection);
    const killedAtMs = Date.now();
    await nats.kill(leader);
    await Promise.all(log.stateStreams.map(({ index }) => untilItCommits(log, index)));
    const failoverMs = Date.now() - killedAtMs;
    await nats.restart(leader);
    return { "failover, ms": failoverMs };
  },
};

const redisAway = ({ outageMs }: Extent): Disturbance => ({
  name: `Redis away for ${outageMs / 1000} s`,
  async act({ redis }) {
    await redis.kill();
    await delay(outageMs);
    await redis.restart();
  },
});

const s3Fails = ({ outageMs, fullMs }: Extent): Disturbance => ({
  name: `S3 answers with errors for ${outageMs / 1000} s, then that it is full for ${fullMs / 1000}`,
  async act({ s3 }) {
    s3.setFault(() => ({ status: 500, code: "InternalError" }));
    await delay(outageMs);
    s3.setFault((request) => (request.startsWith("PUT ") ? { status: 507, code: "InsufficientStorage" } : undefined));
    await delay(fullMs);
    s3.setFault(() => undefined);
  },
});

const logFull = ({ outageMs }: Extent): Disturbance => ({
  name: "JetStream's file limit",
  async act({ log }) {
    const { changed, restore } = await limitLog(log.connection, fullLogBytes);
    if (!changed) throw new Error("the log was not limited");
    const states = await Promise.all(log.stateStreams.map(({ state }) => readStreamInfo(log.connection, state)));
    const fills = states.map(({ config, state }) => state.bytes / config.max_bytes!);
    if (!fills.some((fill) => fill > fillMax(streams.state))) throw new Error(`no state stream is full: ${fills}`);
    await delay(outageMs);
    await restore();
  },
});

/**
 * The last one, and what it changes shortens the wait until no file is left. Half a minute is still longer than a client
 * needs to fetch its result.
 */
const rollingRestart: Disturbance = {
  name: "rolling restart of all, to a shorter retention",
  async act({ processes, nats }) {
    await processes.replaceAll({ settings: { PACKSHOT_RETENTION_SECONDS: "30" } });
    for (const index of nats.servers.keys()) await nats.restart(index);
  },
};

export function disturbancesOf(extent: Extent): readonly Disturbance[] {
  return [...kills(extent), natsLeaderKilled, redisAway(extent), s3Fails(extent), logFull(extent), rollingRestart];
}

type Connection = Cluster["log"]["connection"];

async function leaderOf(connection: Connection): Promise<number> {
  const { cluster } = await (await jetstreamManager(connection)).streams.info(streams.state);
  return Number(cluster!.leader!.split("-").at(-1)) - 1;
}

/** Whoever leads the state stream then. */
async function untilItCommits({ commit }: Cluster["log"], index: number): Promise<void> {
  const subject = subjects.cursor(index, "cluster-test");
  for (;;) {
    const done = await commit("test", [{ subject, value: {}, ttlSeconds: 60 }]).then(
      () => true,
      () => false,
    );
    if (done) return;
    await delay(probeEveryMs);
  }
}

async function limitLog(connection: Connection, bytesMax: number) {
  const done = await migrateLog(connection, { replicas: 3, bytesMax });
  return { changed: done.length > 0, restore: () => migrateLog(connection, { replicas: 3, bytesMax: 8 * 1024 ** 3 }) };
}
