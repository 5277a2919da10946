/**
 * Days of ten million jobs in short: as many jobs as `--jobs` are a day, run as fast as `--per-second`, and every record,
 * event, ended job and idempotency key lives as much shorter as the day is. So the log holds the same share of a day at
 * every moment, and whatever grows from day to day grows for ever. Writes bench/results/<date>/log-three-days.md:
 *
 *   node bench/log/three-days.ts [--days 3] [--jobs 100000] [--per-second 300] [--state-streams 1]
 *
 * 100,000 jobs at 300 a second take 333 s, so a second stands for 259: an ended job, kept for an hour, lives 14 s, an
 * idempotency key 333 s. nats-server ends lives at whole seconds: the shortest ones (a tombstone's second) are not scaled.
 * Clients wait for what is not settled yet: on a machine that is slower than `--per-second`, a day is longer than that, and
 * lives are shorter than its share.
 *
 * Clients send edits with idempotency keys to an API process; a worker ends them without an edit. The repair sweep and the
 * sweep of files keep their own pace, and there are no webhooks.
 */
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { jetstreamManager } from "@nats-io/jetstream";
import { readyLine, startService } from "../../cli/up/start-service.ts";
import { openAccount, operator } from "../../testing/api/accounts.ts";
import { type ApiProcesses, startApis } from "../../testing/api/api-processes.ts";
import { readAccount } from "../../testing/log/accepted-jobs.ts";
import { createLoad, type Target } from "../accept/load.ts";
import { watchOtherLoad } from "../measuring/processor-time.ts";
import { rssBytes, serverDiskBytes, serverUsage } from "../measuring/server-usage.ts";
import { median } from "../measuring/statistics.ts";
import { createTable, writeResults } from "../measuring/write-results.ts";

const option = (value: string) => ({ type: "string", default: value }) as const;
const { values } = parseArgs({
  options: {
    days: option("3"),
    jobs: option("100000"),
    "per-second": option("300"),
    accounts: option("200"),
    "state-streams": option("1"),
  },
});
const [days, jobsPerDay, perSecond] = [values.days, values.jobs, values["per-second"]].map(Number) as [
  number,
  number,
  number,
];
const daySeconds = jobsPerDay / perSecond;
const scale = 86_400 / daySeconds;
const retentionSeconds = Math.max(1, Math.round(3_600 / scale));
/** Of each day. */
const samples = 10;
const pollMs = 200;
const main = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const scaled = { NODE_OPTIONS: `--import=${main("scale-times.ts")}`, BENCH_TIME_SCALE: String(scale) };
const limits = { rateLimitPerHour: 1_000_000_000, concurrentJobs: 64, maxQueuedJobs: 1_000_000 };
const table = createTable([
  ...["day", "jobs accepted, refused", "seconds", "jobs/s"],
  ...["RSS of nats-server, MB", "disk, MB", "messages", "subjects", "RSS of the API, MB", "others' share"],
]);
const streamTable = createTable(["stream", "day", "messages", "subjects", "MB"]);
const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0);

interface StreamSize {
  readonly name: string;
  readonly messages: number;
  readonly subjects: number;
  readonly bytes: number;
}

async function streamSizes({ log }: ApiProcesses): Promise<StreamSize[]> {
  const manager = await jetstreamManager(log.connection);
  const found = await Array.fromAsync(manager.streams.list());
  return found
    .map(({ config, state }) => ({
      ...{ name: config.name, messages: state.messages, bytes: state.bytes },
      subjects: state.num_subjects ?? 0,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Streams whose messages live for a limited time. */
async function scaleStreams({ log }: ApiProcesses): Promise<void> {
  const manager = await jetstreamManager(log.connection);
  for (const { config } of await Array.fromAsync(manager.streams.list())) {
    const { name, max_age: maxAge } = config;
    if (maxAge === 0) continue;
    const wanted = Math.round(maxAge / scale);
    await manager.streams.update(name, {
      ...config,
      max_age: wanted,
      duplicate_window: Math.min(config.duplicate_window, wanted),
    });
  }
}

async function openAccounts(apis: ApiProcesses): Promise<Accounts> {
  const api = apis.all[0]!;
  const opened = [];
  for (let i = 0; i < Number(values.accounts); i++) {
    const account = await openAccount(api, { limits });
    await operator(api, "POST", `/accounts/${account.accountId}/grants`, { amount: 100_000_000, note: "bench" });
    opened.push(account);
  }
  return {
    targets: opened.map(({ key }) => ({ url: api.url, key })),
    ids: opened.map(({ accountId }) => accountId),
  };
}

interface Accounts {
  readonly targets: readonly Target[];
  readonly ids: readonly string[];
}

/** Jobs that have been accepted and not settled. */
async function countUnsettled(apis: ApiProcesses, { ids }: Accounts): Promise<number> {
  const records = await Promise.all(ids.map((accountId) => readAccount(apis.log, accountId)));
  return records.reduce((sum, { running, waiting }) => sum + running + waiting, 0);
}

async function runDay(
  apis: ApiProcesses,
  day: number,
  load: ReturnType<typeof createLoad>,
  accounts: Accounts,
): Promise<void> {
  const others = watchOtherLoad();
  const startedAtMs = performance.now();
  const usages: { rssBytes: number; apiBytes: number }[] = [];
  let [accepted, refused] = [0, 0];
  for (let i = 0; i < samples; i++) {
    const figures = await load.steady(accounts.targets, { seconds: daySeconds / samples, perSecond });
    accepted += figures.accepts;
    refused += figures.refused;
    const apiBytes = apis.all.reduce((sum, { pid }) => sum + rssBytes(pid), 0);
    usages.push({ rssBytes: serverUsage().rssBytes, apiBytes });
    while ((await countUnsettled(apis, accounts)) > perSecond) await setTimeout(pollMs);
  }
  const seconds = (performance.now() - startedAtMs) / 1000;
  const sizes = await streamSizes(apis);
  const sum = (of: (size: StreamSize) => number) =>
    sizes.reduce((total, size) => total + of(size), 0).toLocaleString("en");
  // The memory of a garbage-collected process goes up and down: the median of the day's last third.
  const last = usages.slice(-Math.ceil(samples / 3));
  table.add(
    ...[day, `${accepted.toLocaleString("en")}, ${refused}`, seconds.toFixed(0), (accepted / seconds).toFixed(0)],
    megabytes(median(last.map((usage) => usage.rssBytes))),
    megabytes(serverDiskBytes(apis.nats)),
    ...[sum(({ messages }) => messages), sum(({ subjects }) => subjects)],
    megabytes(median(last.map(({ apiBytes }) => apiBytes))),
    `${(100 * (others() ?? Number.NaN)).toFixed(0)} %`,
  );
  for (const { name, messages, subjects, bytes } of sizes) {
    streamTable.add(name, day, messages.toLocaleString("en"), subjects.toLocaleString("en"), megabytes(bytes));
  }
}

const stateStreams = values["state-streams"] === "4" ? 4 : 1;
const apis = await startApis({
  stateStreams,
  environment: { ...scaled, PACKSHOT_RETENTION_SECONDS: String(retentionSeconds), PACKSHOT_LOG_LEVEL: "error" },
});
const load = createLoad({ idempotencyKeys: true });
try {
  await scaleStreams(apis);
  const flags = ["--role", "worker", "--url", apis.nats.url, "--retention-seconds", String(retentionSeconds)];
  const worker = await startService({
    name: "worker",
    args: [main("job-process-main.ts"), ...flags],
    environment: { PATH: process.env.PATH, ...scaled },
    waitForReady: readyLine,
    onLine: (line) => process.stderr.write(`worker: ${line}\n`),
  });
  const accounts = await openAccounts(apis);
  for (let day = 1; day <= days; day++) await runDay(apis, day, load, accounts);
  await worker.stop();
} finally {
  load.close();
  await apis.stop();
}

writeResults({
  name: `log-three-days${stateStreams === 1 ? "" : `-in-${stateStreams}`}`,
  title: `${days} days of ten million jobs, scaled`,
  setting: `one nats-server with ${stateStreams} state streams, \`sync_interval: always\`, one API process, one worker and the clients on the same machine`,
  sections: [
    `A day is ${jobsPerDay.toLocaleString("en")} jobs in ${daySeconds.toFixed(0)} s: every life is divided by ${scale.toFixed(0)}, an ended job is kept for ${retentionSeconds} s. Flat means: the last day is within 10 % of the day before. Memory is the median of the day's last third.`,
    table.toString(),
    "## By stream, at the end of each day",
    streamTable.toString(),
  ],
});
process.exit(0);
