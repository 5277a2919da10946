/**
 * What each read of ours takes in a large log, and how long a commit waits meanwhile: lists of one account, of many
 * accounts one after the other; the repair sweep; the keeper, with 100,000 waiting jobs of one account; the start of an
 * API process. Writes bench/results/<date>/log-reads-<records>.md:
 *
 *   node bench/log/list-reads.ts [--records 300000] [--rounds 3] [--accounts 200] [--waiting 100000] [--only keeper,sweep]
 *     [--state-streams 1]
 *
 * In each round each read runs right after a restart of nats-server, whose caches are then empty; the disk's are not.
 * Commits come from a process of their own. On a machine with other work some wait for it: the row "nothing" says how
 * long, and a read that stalls commits does so in every round.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Log } from "@packshot/log/log.ts";
import { startLog } from "../../testing/log/test-log.ts";
import { watchOtherLoad } from "../measuring/processor-time.ts";
import { median, quantile } from "../measuring/statistics.ts";
import { createTable, writeResults } from "../measuring/write-results.ts";
import { type CommitTimes, startCommitProbe } from "./commit-probe.ts";
import { fillLog } from "./fill-log.ts";
import { commitToStream, openLog } from "./open-log.ts";
import { type Read, readsOf } from "./reads.ts";

const option = (value: string) => ({ type: "string", default: value }) as const;
const { values } = parseArgs({
  options: {
    records: option("300000"),
    rounds: option("3"),
    accounts: option("200"),
    waiting: option("100000"),
    only: option(""),
    "state-streams": option("1"),
  },
});
const stateStreams = values["state-streams"] === "4" ? 4 : 1;
/** Reads whose name contains one of these run. */
const wanted = values.only.split(",");
const [records, rounds, accountsMax, waiting] = [values.records, values.rounds, values.accounts, values.waiting].map(
  Number,
) as [number, number, number, number];
const accountsFilled = 2_000;
const table = createTable([
  ...["read", "reads", "found", "median ms", "p99 ms", "slowest ms"],
  ...["slowest commit meanwhile, ms, by round", "p99 of commits, ms", "over 50 ms, of commits", "others' share"],
]);

interface Round {
  readonly found: number;
  readonly timesMs: readonly number[];
  readonly commits: CommitTimes;
  readonly othersShare: number;
}

async function runRound(log: Awaited<ReturnType<typeof startLog>>, read: Read): Promise<Round> {
  await read.prepare?.();
  await log.nats.restart();
  const reader = await openLog({ url: log.nats.url, name: "reader" });
  const { connection } = reader;
  await untilItCommits(reader);
  await read.afterRestart?.(reader);
  const probe = await startCommitProbe(log.nats.url);
  await probe.times(connection);
  const others = watchOtherLoad();
  const timesMs: number[] = [];
  let found = 0;
  for await (const step of read.run(reader)) {
    timesMs.push(step.ms);
    found = Math.max(found, step.found);
  }
  const commits = await probe.times(connection);
  const othersShare = others() ?? Number.NaN;
  await read.end?.();
  await probe.stop();
  await connection.close();
  return { found, timesMs, commits, othersShare };
}

/** Returns once the log has recovered. */
async function untilItCommits(log: Log): Promise<void> {
  const all = () => Promise.all(log.stateStreams.map(({ index }) => commitToStream(log, index)));
  const isThere = () =>
    all().then(
      () => true,
      () => false,
    );
  while (!(await isThere())) await setTimeout(100);
}

function report(name: string, all: readonly Round[]): void {
  const sorted = all.flatMap(({ timesMs }) => timesMs).toSorted((a, b) => a - b);
  const commits = all.map((round) => round.commits);
  const sum = (of: (times: CommitTimes) => number) => commits.reduce((total, times) => total + of(times), 0);
  table.add(
    ...[name, sorted.length, Math.max(...all.map(({ found }) => found))],
    ...[quantile(sorted, 0.5), quantile(sorted, 0.99), sorted.at(-1)!].map((ms) => ms.toFixed(1)),
    commits
      .map(({ maxMs, failures }) => `${maxMs.toFixed(1)}${failures > 0 ? ` (${failures} failed)` : ""}`)
      .join(", "),
    Math.max(...commits.map(({ p99Ms }) => p99Ms)).toFixed(1),
    `${sum(({ over50Ms }) => over50Ms)} of ${sum((times) => times.commits).toLocaleString("en")}`,
    `${(100 * median(all.map(({ othersShare }) => othersShare))).toFixed(0)} %`,
  );
}

const log = await startLog({ stateStreams });
const storageDir = await mkdtemp(join(tmpdir(), "packshot-bench-api-"));
try {
  const accounts = await fillLog(log, { records, accounts: accountsFilled });
  for (const read of await readsOf({ log, accounts, accountsMax, waiting, storageDir })) {
    if (!wanted.some((part) => read.name.includes(part))) continue;
    const all: Round[] = [];
    try {
      for (let round = 0; round < rounds; round++) all.push(await runRound(log, read));
    } catch (error) {
      // The other reads are worth their table.
      process.stderr.write(`${read.name}: ${error instanceof Error ? error.stack : error}\n`);
      await read.end?.();
    }
    if (all.length > 0) report(read.name, all);
  }
} finally {
  await log.stop();
  await rm(storageDir, { recursive: true, force: true });
}

writeResults({
  name: `log-reads-${records}${stateStreams === 1 ? "" : `-in-${stateStreams}`}`,
  title: `Reads of a log of ${records.toLocaleString("en")} records`,
  setting: `one nats-server with ${stateStreams} state streams, \`sync_interval: always\``,
  sections: [
    `${rounds} rounds, each after a restart of nats-server. Lists are of ${accountsMax} accounts one after the other in each round, every record in a block of its own among the ${accountsFilled} accounts.`,
    table.toString(),
  ],
});
process.exit(0);
