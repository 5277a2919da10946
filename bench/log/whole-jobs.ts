/**
 * Whole jobs through the log (accept, claim, finish, settle, event) with edits that take no time: what one job takes
 * alone, and how many there are a second under load, on one nats-server and on three with three replicas. Writes
 * bench/results/<date>/log-whole-jobs.md:
 *
 *   node bench/log/whole-jobs.ts [--servers 1,3] [--state-streams 1,4] [--seconds 20] [--apis 1] [--workers 2] [--in-flight 400] [--idle 300]
 *
 * Load runs in processes of its own, because one event loop is less than the log can take: `apis` with the accept queue
 * and the keeper, `workers` with the ready queue and claims. They accept as many jobs as are settled. There is no HTTP,
 * and no job view. All share the machine with nats-server.
 */
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Log } from "@packshot/log/log.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { readyLine, type Service, startService } from "../../cli/up/start-service.ts";
import { openTestAccount, readAccount } from "../../testing/log/accepted-jobs.ts";
import { startLog, type TestLog } from "../../testing/log/test-log.ts";
import { cpuMs, watchOtherLoad } from "../measuring/processor-time.ts";
import { serverUsage } from "../measuring/server-usage.ts";
import { median, quantile } from "../measuring/statistics.ts";
import { createTable, writeResults } from "../measuring/write-results.ts";
import { type IdleJob, runIdleJobs } from "./idle-jobs.ts";
import { settledJobs } from "./job-parts.ts";

const option = (value: string) => ({ type: "string", default: value }) as const;
const { values } = parseArgs({
  options: {
    servers: option("1,3"),
    "state-streams": option("1,4"),
    seconds: option("20"),
    "warm-up": option("5"),
    idle: option("300"),
    apis: option("1"),
    workers: option("2"),
    "in-flight": option("400"),
    accounts: option("200"),
  },
});
const [seconds, apis, workers] = [values.seconds, values.apis, values.workers].map(Number) as [number, number, number];
const windows = 5;
const logger = createLogger({ name: "whole-jobs", level: "warn" });
const main = fileURLToPath(new URL("job-process-main.ts", import.meta.url));
const idle = createTable(["", "whole job, ms", "accept", "pull", "claim", "finish", "settle"]);
const load = createTable([
  ...["", "in flight", "jobs/s, median", "lowest", "highest"],
  ...["ms of processor for each job: nats-server", "APIs", "workers", "others' share of the machine"],
]);

async function measureIdle(log: Log, name: string): Promise<void> {
  const count = Number(values.idle);
  if (count === 0) return;
  const jobs = (await runIdleJobs({ log, logger }, count)).slice(Math.floor(count / 10));
  const parts = ["whole", "accept", "pull", "claim", "finish", "settle"] as const;
  const of = (share: number) => (part: keyof IdleJob) =>
    quantile(
      jobs.map((job) => job[part]).toSorted((a, b) => a - b),
      share,
    ).toFixed(1);
  idle.add(`${name}, median`, ...parts.map(of(0.5)));
  idle.add(`${name}, p99`, ...parts.map(of(0.99)));
}

async function startProcess(role: "api" | "worker", log: TestLog, ...flags: string[]): Promise<Service<unknown>> {
  return await startService({
    name: role,
    args: [main, "--role", role, "--url", log.nats.url, ...flags],
    environment: { PATH: process.env.PATH },
    waitForReady: readyLine,
    onLine: (line) => process.stderr.write(`${role}: ${line}\n`),
  });
}

async function measureLoad(log: TestLog, name: string): Promise<void> {
  const accounts: string[] = [];
  for (let i = 0; i < Number(values.accounts); i++) {
    accounts.push(await openTestAccount(log, { concurrentJobs: 64, maxQueuedJobs: 1_000_000 }, 100_000_000));
  }
  const shares = Array.from({ length: apis }, (_, i) => accounts.filter((_, at) => at % apis === i));
  const inFlight = String(Math.ceil(Number(values["in-flight"]) / apis));
  const started = await Promise.all([
    ...shares.map((own) => startProcess("api", log, "--accounts", own.join(","), "--in-flight", inFlight)),
    ...Array.from({ length: workers }, () => startProcess("worker", log)),
  ]);
  try {
    await setTimeout(Number(values["warm-up"]) * 1000);
    await watch(log, accounts, name, [started.slice(0, apis), started.slice(apis)]);
  } finally {
    await Promise.all(started.map((service) => service.stop()));
  }
}

async function watch(
  log: TestLog,
  accounts: readonly string[],
  name: string,
  roles: readonly (readonly Service<unknown>[])[],
): Promise<void> {
  const state = async () => {
    const records = await Promise.all(accounts.map((accountId) => readAccount(log, accountId)));
    return { atMs: performance.now(), settled: records.reduce((sum, account) => sum + settledJobs(account), 0) };
  };
  const cpu = () => [
    serverUsage().cpuMs,
    ...roles.map((services) => services.reduce((sum, { pid }) => sum + cpuMs(pid), 0)),
  ];
  const others = watchOtherLoad();
  const cpuBefore = cpu();
  const states = [await state()];
  for (let i = 0; i < windows; i++) {
    await setTimeout((seconds * 1000) / windows);
    states.push(await state());
  }
  const rates = states
    .slice(1)
    .map((now, i) => (1000 * (now.settled - states[i]!.settled)) / (now.atMs - states[i]!.atMs));
  const jobs = states.at(-1)!.settled - states[0]!.settled;
  const perJob = cpu().map((ms, i) => ((ms - cpuBefore[i]!) / jobs).toFixed(2));
  const [middle, low, high] = [median(rates), Math.min(...rates), Math.max(...rates)].map((rate) => rate.toFixed(0));
  const othersShare = others();
  load.add(
    ...[name, values["in-flight"], middle!, low!, high!],
    ...[...perJob, othersShare === undefined ? "" : `${(100 * othersShare).toFixed(0)} %`],
  );
}

for (const servers of values.servers.split(",").map(Number) as (1 | 3)[]) {
  for (const stateStreams of values["state-streams"].split(",").map(Number) as (1 | 4)[]) {
    const log = await startLog({ cluster: servers, stateStreams });
    const name = `R${servers}, state streams: ${stateStreams}`;
    try {
      await measureIdle(log, name);
      await measureLoad(log, name);
    } finally {
      await log.stop();
    }
  }
}

writeResults({
  name: "log-whole-jobs",
  title: "Whole jobs through the log",
  setting: `nats-server with \`sync_interval: always\`, ${apis} × accepts and keeper, ${workers} × worker, on the same machine`,
  sections: [
    "## One job alone",
    `One after the other, each begun when the one before was settled; ${values.idle} of them, the first tenth left out. *pull*: until the worker has the ready message. *settle*: until the keeper's commit, the event's way to it included.`,
    idle.toString(),
    "## Under load",
    `${seconds} s in ${windows} windows, ${values.accounts} accounts.`,
    load.toString(),
  ],
});
process.exit(0);
