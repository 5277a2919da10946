/**
 * What commits cost: a lone one by a plain publish beside a batch of one, and many at once, each alone beside in groups;
 * on one nats-server, and on three with three replicas. Writes bench/results/<date>/log-commits.md:
 *
 *   node bench/log/commits.ts [--servers 1,3] [--seconds 3] [--committers 4,8,16,64]
 *
 * A claim is one message; the end of a job is two, its record and its event. Each committer waits for the answer before
 * it commits again. What is compared alternates, so that other work of the machine slows both alike.
 */
import { parseArgs } from "node:util";
import { headers, type NatsConnection, nuid } from "@nats-io/transport-node";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Write } from "@packshot/domain/write.ts";
import { commitBatch } from "@packshot/log/commit/atomic-batch.ts";
import type { Commit } from "@packshot/log/commit/group-commit.ts";
import { createLog } from "@packshot/log/log.ts";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { migrateLog } from "@packshot/log/operate/migrate.ts";
import { startNats } from "../../testing/servers/nats.ts";
import { watchOtherLoad } from "../measuring/processor-time.ts";
import { serverUsage } from "../measuring/server-usage.ts";
import { quantile } from "../measuring/statistics.ts";
import { createTable, writeResults } from "../measuring/write-results.ts";

const { values } = parseArgs({
  options: {
    servers: { type: "string", default: "1,3" },
    seconds: { type: "string", default: "3" },
    committers: { type: "string", default: "4,8,16,64" },
  },
});
const seconds = Number(values.seconds);
const filler = "x".repeat(1_000);
const table = createTable([
  ...["", "at once", "commits/s", "p50 ms", "p99 ms"],
  ...["client's CPU ms per commit", "servers'", "others' share"],
]);

/** The writes of a commit, by the sequence of the job's record. */
type WritesOf = (sequence: number) => Write[];

/** Each committer has a job of its own, and writes it again and again. */
function claims(): WritesOf {
  const subject = subjects.job(uuidv7(), uuidv7());
  return (expected) => [{ subject, value: { v: 1, filler }, expected }];
}

function ends(): WritesOf {
  const accountId = uuidv7();
  const jobId = uuidv7();
  const subject = subjects.job(accountId, jobId);
  const event = subjects.event(accountId, jobId, "completed");
  return (expected) => [
    { subject, value: { v: 1, filler }, expected },
    { subject: event, value: { v: 1, filler: filler.slice(0, 400) } },
  ];
}

/** As single messages were sent before they went by a plain publish. */
function batchesOfOne(connection: NatsConnection): Commit {
  return async (_, [write]) => {
    const batch = headers();
    batch.set("Nats-Batch-Id", nuid.next());
    batch.set("Nats-Batch-Sequence", "1");
    batch.set("Nats-Batch-Commit", "1");
    batch.set("Nats-Expected-Last-Subject-Sequence", String(write!.expected));
    const options = { headers: batch, timeout: 5_000 };
    const answer = await connection.request(write!.subject, JSON.stringify(write!.value), options);
    return { firstSequence: answer.json<{ seq: number }>().seq };
  };
}

interface Measured {
  readonly name: string;
  readonly committers: number;
  readonly writes: () => WritesOf;
  readonly commit: Commit;
}

async function measure({ name, committers, writes, commit }: Measured): Promise<void> {
  const tookMs: number[] = [];
  const others = watchOtherLoad();
  const clientBefore = process.cpuUsage();
  const serversBeforeMs = serverUsage().cpuMs;
  const startedAtMs = performance.now();
  const commitAgainAndAgain = async () => {
    const writesOf = writes();
    for (let sequence = 0; performance.now() < startedAtMs + seconds * 1_000; ) {
      const sentAtMs = performance.now();
      sequence = (await commit("bench", writesOf(sequence))).firstSequence;
      tookMs.push(performance.now() - sentAtMs);
    }
  };
  await Promise.all(Array.from({ length: committers }, commitAgainAndAgain));
  const elapsedMs = performance.now() - startedAtMs;
  const { user, system } = process.cpuUsage(clientBefore);
  tookMs.sort((a, b) => a - b);
  const count = tookMs.length;
  table.add(
    ...[name, committers, Math.round((count * 1_000) / elapsedMs).toLocaleString("en")],
    ...[quantile(tookMs, 0.5).toFixed(2), quantile(tookMs, 0.99).toFixed(1)],
    ((user + system) / 1_000 / count).toFixed(3),
    ((serverUsage().cpuMs - serversBeforeMs) / count).toFixed(3),
    `${((others() ?? Number.NaN) * 100).toFixed(0)} %`,
  );
}

async function measureOn(replicas: 1 | 3): Promise<void> {
  const nats = await startNats({ cluster: replicas });
  const connection = await connectNats({ url: nats.url, name: "bench" });
  try {
    await migrateLog(connection, { replicas });
    const log = createLog(connection, { stateStreamCount: 1 });
    const alone: Commit = (transition, writes) => commitBatch(connection, transition, writes);
    const servers = `R${replicas}`;
    const lone = { committers: 1, writes: claims };
    await measure({ ...lone, name: `${servers}: a claim as a batch of one`, commit: batchesOfOne(connection) });
    await measure({ ...lone, name: `${servers}: a claim by a plain publish`, commit: log.commit });
    await measure({ ...lone, name: `${servers}: an end`, writes: ends, commit: log.commit });
    for (const committers of values.committers.split(",").map(Number)) {
      const many = { committers, writes: claims };
      if (committers <= 16)
        await measure({ ...many, name: `${servers}: claims, batches of one`, commit: batchesOfOne(connection) });
      await measure({ ...many, name: `${servers}: claims, each alone`, commit: alone });
      await measure({ ...many, name: `${servers}: claims in groups`, commit: log.commit });
      await measure({ committers, writes: ends, name: `${servers}: ends, each alone`, commit: alone });
      await measure({ committers, writes: ends, name: `${servers}: ends in groups`, commit: log.commit });
    }
  } finally {
    await connection.close();
    await nats.stop();
  }
}

for (const servers of values.servers.split(",")) await measureOn(servers === "3" ? 3 : 1);

writeResults({
  name: "log-commits",
  title: "Commits, alone and in groups",
  setting: "R1 is one nats-server, R3 are three with three replicas, all on the machine; `sync_interval: always`",
  sections: [`Each row took ${seconds} s.`, table.toString()],
});
