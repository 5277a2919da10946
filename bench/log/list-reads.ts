/**
 * What lists cost in a large log, and how long a commit waits meanwhile: one account's API keys and usage by index
 * record beside a wildcard search, names by STREAM.INFO, and the repair sweep's scan. Writes
 * bench/results/<date>/log-reads.md:
 *
 *   node bench/log/list-reads.ts [--records 300000]
 *
 * Each read runs right after a restart of nats-server, whose caches are then empty; the disk's are not.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openAccount } from "@packshot/domain/account.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { builtInPlans } from "@packshot/domain/plan.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import type { Write } from "@packshot/domain/write.ts";
import { connectNats } from "@packshot/platform/nats/connection.ts";
import { listSubjects } from "@packshot/platform/nats/list-subjects.ts";
import { createLog, type Log } from "@packshot/platform/nats/log.ts";
import { scanChanges } from "@packshot/platform/nats/scan-changes.ts";
import { readIndexed } from "../../services/api/records/account-index.ts";
import { readUsage } from "../../services/api/use-cases/accounts/read-usage.ts";
import { startLog, type TestLog } from "../../testing/log/test-log.ts";

const { values } = parseArgs({ options: { records: { type: "string", default: "300000" } } });
const records = Number(values.records);
const batchRecords = 990;
const accounts = Array.from({ length: 2_000 }, () => uuidv7());
const accountId = accounts[0]!;
const keyIds = Array.from({ length: 5 }, () => uuidv7());
const days = Array.from({ length: 60 }, (_, i) => isoTime(Date.now() - (60 - i) * 86_400_000).slice(0, 10));
const who = { accountId, workspaceId: uuidv7(), name: "bench" };
const account = { ...openAccount(builtInPlans[0]!, who, Date.now()).account, apiKeys: keyIds.length };
const filler = "x".repeat(1_000);
const rows: string[] = [];

/** Jobs of all accounts; the account's keys stand at the beginning, its days of usage all over the log. */
async function fill(log: Log): Promise<void> {
  const batches = Math.ceil(records / batchRecords);
  for (let batch = 0; batch < batches; batch++) {
    const jobs = Array.from({ length: batchRecords }, (_, i): Write => {
      const owner = accounts[(batch * batchRecords + i) % accounts.length]!;
      return { subject: subjects.job(owner, uuidv7()), value: { v: 1, filler } };
    });
    const keyId = keyIds[batch];
    if (keyId !== undefined) jobs.push({ subject: subjects.apiKey(accountId, keyId), value: { v: 1, id: keyId } });
    const from = Math.floor((batch * days.length) / batches);
    const to = Math.floor(((batch + 1) * days.length) / batches);
    for (const day of days.slice(from, to)) {
      const usage = { v: 1, day, edits: { mask: 1 }, creditsDebited: 1, creditsRefunded: 0 };
      jobs.push({ subject: subjects.usage(accountId, day), value: usage });
    }
    await log.commit("fill", jobs);
  }
  // The first read of each list builds its index.
  await readIndexed(log, account, "keys");
  await readUsage({ log }, { account, from: "2000-01-01", to: "2100-01-01" });
}

/** Commits one small record after the other until it is stopped; tells how long the slowest took. */
function commitMeanwhile(log: Log): () => Promise<number> {
  let isStopped = false;
  let slowestMs = 0;
  const committing = (async () => {
    while (!isStopped) {
      const startedAtMs = performance.now();
      await log.commit("bench", [{ subject: subjects.cursor(0, "bench"), value: { v: 1 } }]);
      slowestMs = Math.max(slowestMs, performance.now() - startedAtMs);
    }
  })();
  return async () => {
    isStopped = true;
    await committing;
    return slowestMs;
  };
}

async function measure({ nats }: TestLog, name: string, read: (log: Log) => Promise<number>): Promise<void> {
  await nats.restart();
  const connections = await Promise.all(["reader", "writer"].map((role) => connectNats({ url: nats.url, name: role })));
  const [reader, writer] = connections.map((connection) => createLog(connection, { stateStreamCount: 1 })) as [
    Log,
    Log,
  ];
  // Returns once the log has recovered.
  await writer.transact("bench", async () => ({
    writes: [{ subject: subjects.cursor(0, "bench"), value: { v: 1 } }],
    result: undefined,
  }));
  const stop = commitMeanwhile(writer);
  const startedAtMs = performance.now();
  const found = await read(reader);
  const readMs = performance.now() - startedAtMs;
  rows.push(`| ${name} | ${found} | ${readMs.toFixed(1)} | ${(await stop()).toFixed(1)} |`);
  process.stdout.write(`${rows.at(-1)}\n`);
  await Promise.all(connections.map((connection) => connection.close()));
}

async function search(log: Log, filter: string): Promise<number> {
  let count = 0;
  for (let next = await log.readNext(filter, 1); next !== undefined; count++) {
    next = await log.readNext(filter, next.sequence + 1);
  }
  return count;
}

async function countNames(log: Log, filter: string): Promise<number> {
  return (await Array.fromAsync(listSubjects(log.connection, streams.state, filter))).length;
}

const log = await startLog();
try {
  await fill(log);
  await measure(log, "nothing, for the commits alone", async () => 0);
  await measure(log, "keys by wildcard search", (reader) => search(reader, subjects.apiKey(accountId, "*")));
  await measure(log, "keys by index", async (reader) => (await readIndexed(reader, account, "keys")).length);
  await measure(log, "60 days of usage by wildcard search", (reader) => search(reader, subjects.usage(accountId, "*")));
  await measure(log, "60 days of usage by index", async (reader) => {
    return (await readUsage({ log: reader }, { account, from: days[0]!, to: days.at(-1)! })).length;
  });
  await measure(log, "names of one account's jobs", (reader) => countNames(reader, subjects.job(accountId, "*")));
  await measure(log, "the repair sweep's first scan", async ({ connection, stateStreams: [stateStream] }) => {
    const changes = scanChanges(connection, stateStream!, subjects.job("*", "*"), 1, new AbortController().signal);
    return (await Array.fromAsync(changes)).length;
  });
} finally {
  await log.stop();
}

const date = isoTime(Date.now()).slice(0, 10);
const folder = fileURLToPath(new URL(`../results/${date}/`, import.meta.url));
mkdirSync(folder, { recursive: true });
const machine = `${cpus().length} × ${cpus()[0]!.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
const header = "| read | found | ms, cold | slowest commit meanwhile, ms |\n|---|--:|--:|--:|";
writeFileSync(
  `${folder}log-reads.md`,
  `# Lists in a log of ${records.toLocaleString("en")} records, ${date}\n\n${machine}; one nats-server, \`sync_interval: always\`; \`node bench/log/list-reads.ts --records ${records}\`.\n\n${header}\n${rows.join("\n")}\n`,
);
