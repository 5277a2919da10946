/**
 * A nats-server that is killed with a large log: how long until it takes a commit again, and its memory before and after.
 * Writes bench/results/<date>/log-restart-<records>.md:
 *
 *   node bench/log/restart.ts [--records 3000000] [--rounds 3] [--state-streams 1,4]
 *
 * The server is started as the launcher does it, with its configuration, but without its patience, so that a slow start is
 * measured too. Jobs go through the log before each kill, so that it dies with blocks half written.
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { readSchema } from "@packshot/log/nats/schema.ts";
import { findNatsServer } from "../../cli/up/nats-server.ts";
import { acceptTestJobs, openTestAccount } from "../../testing/log/accepted-jobs.ts";
import { startLog, type TestLog } from "../../testing/log/test-log.ts";
import { watchOtherLoad } from "../measuring/processor-time.ts";
import { peakRssBytes, rssBytes, serverDiskBytes, serverUsage } from "../measuring/server-usage.ts";
import { createTable, writeResults } from "../measuring/write-results.ts";
import { fillLog } from "./fill-log.ts";
import { commitToStream, openLog } from "./open-log.ts";

const option = (value: string) => ({ type: "string", default: value }) as const;
const { values } = parseArgs({
  options: { records: option("3000000"), rounds: option("3"), "state-streams": option("1,4") },
});
const records = Number(values.records);
const accountsFilled = 2_000;
const jobsBeforeKill = 1_000;
const pollMs = 50;
const answerTimeoutMs = 500;
const table = createTable([
  ...[
    "state streams: start",
    "s until a read",
    "s until a commit",
    "RSS then, MB",
    "peak",
    "10 s later",
    "disk, MB",
    "others' share",
  ],
]);

const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0);

/** Starts it on its port and store, as the one before; resolves with its pid. */
function spawnServer({ nats }: TestLog): { pid: number; kill(): Promise<void> } {
  const path = join(nats.folder, "server-1", "nats-server.conf");
  const config = readFileSync(path, "utf8").replace(/^listen: .*$/m, `listen: "127.0.0.1:${nats.servers[0]!.port}"`);
  writeFileSync(path, config);
  const child = spawn(findNatsServer(process.env), ["-c", path], { stdio: "ignore" });
  process.once("exit", () => child.kill("SIGKILL"));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    pid: child.pid!,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function untilItWorks(act: () => Promise<unknown>): Promise<void> {
  const works = () =>
    act().then(
      () => true,
      () => false,
    );
  while (!(await works())) await setTimeout(pollMs);
}

async function measureStart(log: TestLog, name: string) {
  const others = watchOtherLoad();
  const startedAtMs = performance.now();
  const seconds = () => ((performance.now() - startedAtMs) / 1000).toFixed(1);
  const server = spawnServer(log);
  const connection = await connectNats({ url: log.nats.url, name: "restart" });
  await untilItWorks(async () => {
    const { record } = await readSchema(connection, answerTimeoutMs);
    if (record === undefined) throw new Error("no stream yet");
  });
  const read = seconds();
  const own = await openLog({ url: log.nats.url, name: "restart" });
  await untilItWorks(() => Promise.all(own.stateStreams.map(({ index }) => commitToStream(own, index))));
  const committed = seconds();
  const then = rssBytes(server.pid);
  const peak = peakRssBytes(server.pid);
  const othersShare = others() ?? Number.NaN;
  await setTimeout(10_000);
  const diskBytes = serverDiskBytes(log.nats);
  table.add(
    ...[name, read, committed, ...[then, peak, rssBytes(server.pid), diskBytes].map(megabytes)],
    `${(100 * othersShare).toFixed(0)} %`,
  );
  await connection.close();
  return { server, log: own };
}

async function measureStreams(stateStreams: 1 | 4): Promise<void> {
  const log = await startLog({ stateStreams });
  await fillLog(log, { records, accounts: accountsFilled });
  const filled = [serverUsage().rssBytes, serverDiskBytes(log.nats)].map(megabytes) as [string, string];
  table.add(`${stateStreams}: filled, before any kill`, "", "", filled[0], "", "", filled[1], "");
  await log.nats.kill();
  await log.connection.close();
  let running = await measureStart(log, `${stateStreams}: after a kill while it was idle`);
  for (let round = 1; round < Number(values.rounds); round++) {
    const accountId = await openTestAccount(running.log, { concurrentJobs: 64, maxQueuedJobs: 1_000_000 }, 1_000_000);
    await acceptTestJobs(running.log, accountId, jobsBeforeKill);
    await running.log.connection.close();
    await running.server.kill();
    running = await measureStart(log, `${stateStreams}: after a kill just after ${jobsBeforeKill} accepts`);
  }
  await running.log.connection.close();
  await running.server.kill();
  await log.nats.stop();
}

for (const count of values["state-streams"].split(",")) await measureStreams(count === "4" ? 4 : 1);

writeResults({
  name: `log-restart-${records}`,
  title: `A killed nats-server with ${records.toLocaleString("en")} records`,
  setting: "one nats-server, `sync_interval: always`",
  sections: [table.toString()],
});
process.exit(0);
