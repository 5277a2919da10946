/**
 * Days of ten million jobs in short: as many jobs as `--jobs` are a day, run as fast as `--per-second`, and every record,
 * event, ended job and idempotency key lives as much shorter as the day is. So the log holds the same share of a day at
 * every moment, and whatever grows from day to day grows for ever. Writes bench/results/<date>/log-days-in-short.md:
 *
 *   node bench/log/days-in-short.ts [--days 5] [--jobs 100000] [--per-second 300] [--state-streams 1]
 *
 * 100,000 jobs at 300 a second take 333 s, so a second stands for 259: an ended job, kept for an hour, lives 14 s, an
 * idempotency key 333 s. nats-server ends lives at whole seconds: the shortest ones (a tombstone's second) are not scaled.
 * Clients wait for what is not settled yet: on a machine that is slower than `--per-second`, a day is longer than that, and
 * lives are shorter than its share.
 *
 * What is kept is complete at the end of day 1 in the state streams (idempotency keys live a day) and of day 3 in the
 * events streams (72 hours), so growth is judged from then on: five days leave three to compare. A file of the ledger's
 * archive is not scaled: it has 8 MiB, however short a day is, so `PS_LEDGER` grows to that, is emptied and grows again.
 *
 * Clients send edits with idempotency keys to an API process; a worker ends them without an edit. The repair sweep and the
 * sweep of files keep their own pace, and there are no webhooks.
 */
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { jetstreamManager } from "@nats-io/jetstream";
import { streams } from "@packshot/domain/subjects.ts";
import { ledgerFileBytes } from "@packshot/platform/ledger/ledger-archive.ts";
import { readyLine, startService } from "../../cli/up/start-service.ts";
import { openAccount, operator } from "../../testing/api/accounts.ts";
import { type ApiProcesses, startApis } from "../../testing/api/api-processes.ts";
import { readAccount } from "../../testing/log/accepted-jobs.ts";
import { createLoad, type Target } from "../accept/load.ts";
import { watchOtherLoad } from "../measuring/processor-time.ts";
import { rssBytes, serverDiskBytes, serverUsage } from "../measuring/server-usage.ts";
import { median } from "../measuring/statistics.ts";
import { createTable, formatTable, writeResults } from "../measuring/write-results.ts";
import { type DailySize, judgeFlatness } from "./flatness.ts";

const option = (value: string) => ({ type: "string", default: value }) as const;
const { values } = parseArgs({
  options: {
    days: option("5"),
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
/** Per day. */
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
const eventsKeptDays = 3;
/** The day's jobs that may be under way when it ends: a hundredth, and at least a second's. */
const jobsNoise = Math.max(perSecond, jobsPerDay / 100);
/** Until the archiver looks again, and is done. */
const ledgerWaitSeconds = 70;
/** A file's entries, which take a seventh more in the stream, and those that come until the next file. */
const ledgerMegabytesMax = ((8 / 7) * ledgerFileBytes + ledgerWaitSeconds * perSecond * 480) / 2 ** 20;
const sizes = new Map<string, DailySize & { readonly values: number[] }>();
const toMegabytes = (bytes: number) => bytes / 2 ** 20;

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
      name: config.name,
      messages: state.messages,
      bytes: state.bytes,
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
  let accepted = 0;
  let refused = 0;
  for (let i = 0; i < samples; i++) {
    const figures = await load.steady(accounts.targets, { seconds: daySeconds / samples, perSecond });
    accepted += figures.accepts;
    refused += figures.refused;
    const apiBytes = apis.all.reduce((sum, { pid }) => sum + rssBytes(pid), 0);
    usages.push({ rssBytes: serverUsage().rssBytes, apiBytes });
    while ((await countUnsettled(apis, accounts)) > perSecond) await setTimeout(pollMs);
  }
  const seconds = (performance.now() - startedAtMs) / 1000;
  const found = await streamSizes(apis);
  const sum = (of: (size: StreamSize) => number) =>
    found.reduce((total, size) => total + of(size), 0).toLocaleString("en");
  // The memory of a garbage-collected process goes up and down: the median of the day's last third.
  const last = usages.slice(-Math.ceil(samples / 3));
  const serverMegabytes = toMegabytes(median(last.map((usage) => usage.rssBytes)));
  const diskMegabytes = toMegabytes(serverDiskBytes(apis.nats));
  const apiMegabytes = toMegabytes(median(last.map(({ apiBytes }) => apiBytes)));
  table.add(
    ...[day, `${accepted.toLocaleString("en")}, ${refused}`, seconds.toFixed(0), (accepted / seconds).toFixed(0)],
    ...[serverMegabytes, diskMegabytes].map((size) => size.toFixed(0)),
    ...[sum(({ messages }) => messages), sum(({ subjects }) => subjects)],
    apiMegabytes.toFixed(0),
    `${(100 * (others() ?? Number.NaN)).toFixed(0)} %`,
  );
  note("memory of nats-server, MB", serverMegabytes, { fullFromDay: eventsKeptDays, noise: 5 });
  note("disk of nats-server, MB", diskMegabytes, { fullFromDay: eventsKeptDays, noise: 5 + ledgerMegabytesMax });
  note("memory of the API, MB", apiMegabytes, { fullFromDay: eventsKeptDays, noise: 5 });
  for (const { name, messages, subjects, bytes } of found) {
    const size = toMegabytes(bytes);
    streamTable.add(name, day, messages.toLocaleString("en"), subjects.toLocaleString("en"), size.toFixed(0));
    const fullFromDay = name.startsWith(streams.events) ? eventsKeptDays : 1;
    note(`${name}: subjects`, subjects, { fullFromDay, noise: jobsNoise });
    if (name === streams.ledger) {
      note(`${name}: MB`, size, { fullFromDay, noise: 0, max: ledgerMegabytesMax });
    } else {
      note(`${name}: messages`, messages, { fullFromDay, noise: jobsNoise });
      note(`${name}: MB`, size, { fullFromDay, noise: 1 });
    }
  }
}

function note(name: string, value: number, rule: Omit<DailySize, "name" | "values">): void {
  const size = sizes.get(name) ?? { name, ...rule, values: [] };
  size.values.push(value);
  sizes.set(name, size);
}

function growthTable(): string {
  const columns = ["", "complete from day", "that day", "highest since", "last day", "limit", ""];
  const held = [...sizes.values()].filter(({ values }) => Math.max(...values) > 0);
  const rows = held.map((size) => {
    const kept = size.values.slice(size.fullFromDay - 1);
    const values = kept.length === 0 ? [] : [kept[0]!, Math.max(...kept), kept.at(-1)!];
    const cells = values.map((value) => Math.round(value).toLocaleString("en"));
    const limit = size.max === undefined ? "" : Math.round(size.max).toLocaleString("en");
    return [size.name, size.fullFromDay, ...(cells.length === 0 ? ["", "", ""] : cells), limit, judgeFlatness(size)];
  });
  return formatTable(columns, rows);
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
  name: `log-days-in-short${stateStreams === 1 ? "" : `-in-${stateStreams}`}`,
  title: `${days} days of ten million jobs, in short`,
  setting: `one nats-server with ${stateStreams} state streams, \`sync_interval: always\`, one API process, one worker and the clients on the same machine`,
  sections: [
    `A day is ${jobsPerDay.toLocaleString("en")} jobs in ${daySeconds.toFixed(0)} s: every life is divided by ${scale.toFixed(0)}, an ended job is kept for ${retentionSeconds} s. Memory is the median of the day's last third.`,
    table.toString(),
    "## Does it grow?",
    "*Flat*: no day is more than 10 % above the first one at whose end what is kept is complete. `PS_LEDGER` is emptied whenever a file of its archive is full, whose 8 MiB are not scaled: it may take as much as a file and a minute's entries.",
    growthTable(),
    "## By stream, at the end of each day",
    streamTable.toString(),
  ],
});
process.exit(0);
