/**
 * Accepts per second and their latency: one hot account and 200 accounts, one and three API processes, on a
 * real nats-server with `sync_interval: always`. Load and servers share the machine.
 *
 *   node bench/accept/accept-bench.ts [--seconds 8] [--only hot-1,list]   writes bench/results/<date>/accept.md
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openAccount } from "../../testing/api/accounts.ts";
import { type ApiProcesses, startApis } from "../../testing/api/api-processes.ts";
import { acceptTestJobs } from "../../testing/log/accepted-jobs.ts";
import { watchOtherLoad } from "../measuring/processor-time.ts";
import { quantile } from "../measuring/statistics.ts";
import { createLoad, type Figures, type Target } from "./load.ts";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "8" }, only: { type: "string" } } });
const seconds = Number(values.seconds);
const wanted = values.only?.split(",");
const bigLimits = {
  rateLimitPerHour: 1_000_000_000,
  concurrentJobs: 64,
  maxQueuedJobs: 10_000_000,
};
const rows: string[] = [];
const load = createLoad();

interface Stack {
  readonly apis: ApiProcesses;
  targets(accounts: number): Promise<Target[]>;
}

async function withStack(processes: number, act: (stack: Stack) => Promise<void>): Promise<void> {
  const apis = await startApis({ count: processes, environment: { PACKSHOT_LOG_LEVEL: "error" } });
  const targets = async (accounts: number) => {
    const opened = await Promise.all(
      Array.from({ length: accounts }, () => openAccount(apis.all[0]!, { limits: bigLimits })),
    );
    // Every account uses every process, as behind a load balancer.
    return apis.all.flatMap((api) => opened.map(({ key }) => ({ url: api.url, key })));
  };
  try {
    await act({ apis, targets });
  } finally {
    await apis.stop();
  }
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Processor seconds of the API processes: other work on the machine hardly changes this figure. */
async function cpuSeconds(apis: ApiProcesses): Promise<number> {
  const texts = await Promise.all(
    apis.all.map(async ({ metrics }) => (await fetch(`http://${metrics}/metrics`)).text()),
  );
  return texts.reduce((sum, text) => sum + Number(/^process_cpu_seconds_total\S* ([\d.e-]+)/m.exec(text)?.[1] ?? 0), 0);
}

function percent(share: number | undefined): string {
  return share === undefined ? "" : `${(share * 100).toFixed(0)} %`;
}

async function report(what: string, apis: ApiProcesses, run: () => Promise<Figures>): Promise<Figures> {
  const cpuBefore = await cpuSeconds(apis);
  const others = watchOtherLoad();
  const figures = await run();
  const othersShare = percent(others());
  const { perSecond, p50Ms, p99Ms, refused, accepts } = figures;
  const cpuMs = (((await cpuSeconds(apis)) - cpuBefore) * 1000) / accepts;
  const cells = [
    what,
    perSecond.toFixed(0),
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
    cpuMs.toFixed(2),
    refused,
    othersShare,
  ];
  rows.push(`| ${cells.join(" | ")} |`);
  console.log(rows.at(-1));
  return figures;
}

async function acceptFigures(name: string, accounts: number, processes: number): Promise<void> {
  if (wanted !== undefined && !wanted.includes(`${accounts === 1 ? "hot" : "many"}-${processes}`)) return;
  await withStack(processes, async ({ targets, apis }) => {
    const to = shuffled(await targets(accounts));
    await load.saturate(to, { seconds: 2, connectionsMax: 64 });
    const most = await report(`${name}: as fast as answered, 192 in flight`, apis, () =>
      load.saturate(to, { seconds, connectionsMax: 192 }),
    );
    await report(`${name}: 400/s`, apis, () => load.steady(to, { seconds, perSecond: 400 }));
    const half = Math.round(most.perSecond / 2);
    await report(`${name}: half of its most (${half}/s)`, apis, () => load.steady(to, { seconds, perSecond: half }));
  });
}

/**
 * Two systems at once, one empty, one with 100,000 waiting jobs. They alternate, so that other work slows both alike.
 */
async function waitingFigures(): Promise<void> {
  if (wanted !== undefined && !wanted.includes("waiting")) return;
  const open = async ({ apis }: Stack) => ({
    ...(await openAccount(apis.all[0]!, { limits: bigLimits })),
    url: apis.all[0]!.url,
  });
  await withStack(1, async (empty) => {
    await withStack(1, async (full) => {
      const fresh = await open(empty);
      const waiting = await open(full);
      const neighbor = await open(full);
      const { log } = full.apis;
      await acceptTestJobs(log, waiting.accountId, 50_000);
      const lists: number[] = [];
      const besideLists = watchOtherLoad();
      for (let i = 0; i < 1_000; i++) lists.push(await load.get(waiting, "/v1/jobs"));
      lists.sort((a, b) => a - b);
      const p50 = quantile(lists, 0.5).toFixed(1);
      const p99 = quantile(lists, 0.99).toFixed(1);
      rows.push(`| GET /v1/jobs, first page of 50,000 jobs | | ${p50} | ${p99} | | 0 | ${percent(besideLists())} |`);
      console.log(rows.at(-1));
      await acceptTestJobs(log, waiting.accountId, 50_000);
      const what = [
        { name: "one at a time, empty system", target: fresh },
        { name: "one at a time, 100,000 jobs of another account waiting", target: neighbor },
        { name: "one at a time, the account whose 100,000 jobs wait", target: waiting },
      ].map((one) => ({ ...one, times: [] as number[] }));
      const beside = watchOtherLoad();
      for (let round = 0; round < 200; round++) {
        for (const { target, times } of what) {
          for (let i = 0; i < 5; i++) times.push(await load.edit(target));
        }
      }
      const othersShare = percent(beside());
      for (const { name, times } of what) {
        times.sort((a, b) => a - b);
        const perSecond = (times.length * 1000) / times.reduce((sum, time) => sum + time, 0);
        const cells = [
          name,
          perSecond.toFixed(0),
          quantile(times, 0.5).toFixed(1),
          quantile(times, 0.99).toFixed(1),
          "",
          0,
          othersShare,
        ];
        rows.push(`| ${cells.join(" | ")} |`);
        console.log(rows.at(-1));
      }
    });
  });
}

await acceptFigures("hot account, 1 process", 1, 1);
await acceptFigures("hot account, 3 processes", 1, 3);
await acceptFigures("200 accounts, 1 process", 200, 1);
await acceptFigures("200 accounts, 3 processes", 200, 3);
await waitingFigures();
load.close();

const date = new Date().toISOString().slice(0, 10);
const folder = fileURLToPath(new URL(`../results/${date}/`, import.meta.url));
mkdirSync(folder, { recursive: true });
const [cpu] = cpus();
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
const text = `# Accepts, ${date}

${cpus().length} × ${cpu?.model ?? "CPU"}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}, commit ${commit}; one nats-server,
\`sync_interval: always\`; load generator, API processes and nats-server on the same machine. ${seconds} s each. The last column
is the share of both cores that other work of the machine took meanwhile: where it is large, a figure is a lower bound.

| | accepts/s | p50 ms | p99 ms | CPU ms of the API per accept | refused | others' CPU |
|---|---|---|---|---|---|---|
${rows.join("\n")}
`;
if (wanted === undefined) writeFileSync(`${folder}accept.md`, text);
else console.log(text);
