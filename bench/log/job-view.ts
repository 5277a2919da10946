/**
 * What unexpired jobs cost an API process that starts: seconds until it listens and until it is ready, its memory, and
 * lists of 100 accounts right after; and the bytes that a job takes in the index alone. Writes bench/results/<date>/job-view.md:
 *
 *   node bench/log/job-view.ts [--records 1000000]
 *
 * nats-server restarts before each start, whose caches are then empty; the disk's are not.
 */
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { completeJob } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Write } from "@packshot/domain/write.ts";
import { type OpenedAccount, openAccount } from "../../testing/api/accounts.ts";
import { type ApiProcesses, startApis } from "../../testing/api/api-processes.ts";
import { processingJob } from "../../testing/log/job-records.ts";
import { onFreePorts } from "../../testing/servers/free-ports.ts";
import { cpuMs, descendantPid, watchOtherLoad } from "../measuring/processor-time.ts";
import { quantile } from "../measuring/statistics.ts";
import { createTable, writeResults } from "../measuring/write-results.ts";
import { bytesPerJob } from "./job-index-memory.ts";

const { values } = parseArgs({ options: { records: { type: "string", default: "1000000" } } });
const records = Number(values.records);
const batchRecords = 500;
const accountsMax = 2_000;
const listedAccounts = 100;
const retentionMs = 24 * 3600 * 1000;
const pollMs = 250;
const mb = 2 ** 20;
const table = createTable([
  ...["unexpired jobs", "listens after, s", "ready after, s", "processor time until then, s", "of nats-server"],
  ...["RSS, MB", "highest RSS", "heap", "external", "a list of 20, ms: p50", "p99", "max"],
]);

/** A completed job's record as a worker writes it: 1.3 kB. */
function completedJob(accountId: string, n: number): Write {
  const id = uuidv7();
  const metadata = { sku: `K-${n}`, shop: "berlin", order: uuidv7() };
  const source = { kind: "url", imageUrl: `https://shop.example/photos/2026/${id}.jpg` } as const;
  const job = processingJob({ id, accountId, metadata, source });
  const key = storageKeys.attempt(accountId, id, job.attemptId);
  const file = { contentType: "image/png", bytes: 1_234_567, width: 1_024, height: 1_024 };
  const matte = {
    coverage: 0.4123,
    borderContact: 0,
    holes: 2,
    edgeSharpness: 0.81,
    uncertainty: 0.012,
    expectedOverlap: 0.975,
    quality: "ok",
  };
  const result = {
    result: { ...file, key: `${key}result` },
    thumbnail: { ...file, key: `${key}thumbnail` },
    model: "u2netp@1",
    report: { matte },
    timings: { fetchSource: 112.1, decode: 31.2, prepare: 9.3, predict: 101.2, refine: 66.1, encode: 88.8 },
    inferenceMs: 0,
  };
  const ended = completeJob(job, result, result.model, { nowMs: Date.now(), retentionMs });
  return { subject: subjects.job(accountId, id), value: ended, ttlSeconds: retentionMs / 1000 };
}

async function fill({ log }: ApiProcesses, opened: readonly OpenedAccount[]): Promise<void> {
  const others = Array.from({ length: accountsMax - opened.length }, () => ({ accountId: uuidv7() }));
  const accounts = [...opened, ...others];
  for (let from = 0; from < records; from += batchRecords) {
    const jobs = Array.from({ length: Math.min(batchRecords, records - from) }, (_, i) =>
      completedJob(accounts[(from + i) % accounts.length]!.accountId, from + i),
    );
    await log.commit("fill", jobs);
  }
}

interface Memory {
  readonly rss: number;
  readonly heap: number;
  readonly external: number;
}

/** undefined: the process does not answer yet. Megabytes and seconds. */
async function readMetrics(metrics: string): Promise<(Memory & { readonly cpuS: number }) | undefined> {
  const text = await fetch(`${metrics}/metrics`).then(
    (response) => response.text(),
    () => "",
  );
  const read = (name: string) => Number(new RegExp(`^${name}\\S* (\\S+)`, "m").exec(text)?.[1] ?? Number.NaN);
  const rss = read("process_resident_memory_bytes") / mb;
  if (Number.isNaN(rss)) return undefined;
  return {
    rss,
    heap: read("nodejs_heap_size_used_bytes") / mb,
    external: read("nodejs_external_memory_bytes") / mb,
    cpuS: read("process_cpu_seconds_total"),
  };
}

async function statusOf(url: string): Promise<number | undefined> {
  const answer = await fetch(url).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.status;
}

interface Started {
  readonly url: string;
  readonly listensS: number;
  readonly readyS: number;
  /** Processor time until it was ready, which other work on the machine hardly changes. */
  readonly cpuS: number;
  readonly serverCpuS: number;
  readonly rssMax: number;
  /** Ten seconds after it was ready. */
  readonly memory: Memory;
}

/** Starts a process, and watches it from outside. */
async function startWatched(apis: ApiProcesses): Promise<Started> {
  return await onFreePorts(2, async ([apiPort, metricsPort]) => {
    const api = `http://127.0.0.1:${apiPort}`;
    const metrics = `http://127.0.0.1:${metricsPort}`;
    const serverPid = descendantPid("nats-server");
    const serverCpuMs = cpuMs(serverPid);
    const startedAtMs = performance.now();
    const seconds = () => (performance.now() - startedAtMs) / 1000;
    const starting = apis.start({ PACKSHOT_API_PORT: String(apiPort), PACKSHOT_METRICS_PORT: String(metricsPort) });
    let listensS: number | undefined;
    let rssMax = 0;
    for (;;) {
      rssMax = Math.max(rssMax, (await readMetrics(metrics))?.rss ?? 0);
      if ((await statusOf(`${api}/openapi.json`)) !== undefined) listensS ??= seconds();
      if ((await statusOf(`${metrics}/health/ready`)) === 200) break;
      await delay(pollMs);
    }
    const readyS = seconds();
    const { cpuS } = (await readMetrics(metrics))!;
    const serverCpuS = (cpuMs(serverPid) - serverCpuMs) / 1000;
    const { url } = await starting;
    await delay(10_000);
    const memory = (await readMetrics(metrics))!;
    return {
      url,
      listensS: listensS ?? readyS,
      readyS,
      cpuS,
      serverCpuS,
      rssMax: Math.max(rssMax, memory.rss),
      memory,
    };
  });
}

async function listEach(url: string, opened: readonly OpenedAccount[]): Promise<number[]> {
  const times: number[] = [];
  for (const { key } of opened) {
    const startedAtMs = performance.now();
    const answer = await fetch(`${url}/v1/jobs?limit=20`, { headers: { Authorization: `Bearer ${key}` } });
    const { data } = (await answer.json()) as { data: readonly unknown[] };
    if (data.length !== Math.min(20, Math.floor(records / accountsMax)))
      throw new Error(`a list of ${data.length}: ${answer.status}`);
    times.push(performance.now() - startedAtMs);
  }
  return times.toSorted((a, b) => a - b);
}

function report(jobs: number, started: Started, lists: readonly number[]): void {
  const { listensS, readyS, cpuS, serverCpuS, rssMax, memory } = started;
  table.add(
    jobs.toLocaleString("en"),
    ...[listensS, readyS, cpuS, serverCpuS].map((value) => value.toFixed(1)),
    ...[memory.rss, rssMax, memory.heap, memory.external].map((value) => value.toFixed(0)),
    ...[0.5, 0.99, 1].map((share) => (lists.length === 0 ? "" : quantile(lists, share).toFixed(1))),
  );
}

const apis = await startApis();
const others = watchOtherLoad();
try {
  const opened = await Promise.all(Array.from({ length: listedAccounts }, () => openAccount(apis.all[0]!)));
  await apis.all[0]!.stop();
  report(0, await startWatched(apis), []);
  await apis.all.at(-1)!.stop();
  await fill(apis, opened);
  await apis.nats.restart();
  const started = await startWatched(apis);
  report(records, started, await listEach(started.url, opened));
} finally {
  await apis.stop();
}

const bytes = [accountsMax, records / 10].map(
  (accounts) => `${bytesPerJob(records, accounts).toFixed(0)} bytes a job of ${accounts.toLocaleString("en")} accounts`,
);
writeResults({
  name: "job-view",
  title: `An API process that starts with ${records.toLocaleString("en")} unexpired jobs`,
  setting: `one nats-server; other processes used ${((others() ?? 0) * 100).toFixed(0)} % of the machine meanwhile`,
  sections: [table.toString(), `The index alone, heap and external: ${bytes.join(", ")}.`],
});
process.exit(0);
