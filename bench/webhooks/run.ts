/**
 * Deliveries per second to 50 healthy receivers, and the time from the terminal event's commit to the receiver's first
 * byte: alone, beside unhealthy endpoints (and, to compare, beside as many more healthy ones), and with 100,000
 * deliveries waiting for their retry. Real nats-server (sync always), webhook service and receivers, each a process of
 * its own on this machine.
 *
 *   node bench/webhooks/run.ts [--part isolation|waiting|all] [--rounds 2] [--waiting 100000] [--events 1600]
 *     [--samples 800] [--rate 40] [--out bench/results/<date>/webhooks.md]
 */
import { fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { headers } from "@nats-io/transport-node";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { deliverySubjects } from "@packshot/domain/webhooks/delivery.ts";
import { type Webhook, webhookWrites } from "@packshot/domain/webhooks/webhook.ts";
import { createLog } from "@packshot/log/log.ts";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { migrateLog } from "@packshot/log/operate/migrate.ts";
import { startNats } from "../../testing/servers/nats.ts";
import { registerWebhook } from "../../testing/webhooks/webhook-records.ts";
import { startWebhookService } from "../../testing/webhooks/webhook-service.ts";
import { cpuMs, descendantPid, watchOtherLoad } from "../measuring/processor-time.ts";
import { followArrivals, type Latency, measureLatency, measureThroughput, type Setup } from "./measure.ts";

const { values: options } = parseArgs({
  options: {
    part: { type: "string", default: "all" },
    rounds: { type: "string", default: "2" },
    waiting: { type: "string", default: "100000" },
    events: { type: "string", default: "1600" },
    samples: { type: "string", default: "800" },
    rate: { type: "string", default: "40" },
    out: { type: "string" },
  },
});
const events = Number(options.events);
const samples = Number(options.samples);
const rate = Number(options.rate);
const waiting = Number(options.waiting);
/** This many of the fifty accounts also have a dead, a slow and a trickling endpoint, or three more healthy ones. */
const accountsWithMore = 5;
const warmingEvents = 400;

const receivers = fork(fileURLToPath(new URL("receivers.ts", import.meta.url)));
const arrivals = await followArrivals(receivers);
const { ports } = arrivals;
const nats = await startNats();
const log = createLog(await connectNats({ url: nats.url, name: "bench" }), { stateStreamCount: 1 });
await migrateLog(log.connection, { replicas: 1 });
const accounts = ports.healthy.map(() => uuidv7());
const setup: Setup = { log, arrivals, accounts };
const hookAt = (port: number) => `http://127.0.0.1:${port}/hook`;
for (const [n, port] of ports.healthy.entries()) await registerWebhook(log, accounts[n]!, hookAt(port));
const service = await startWebhookService(nats.url, { PACKSHOT_LOG_LEVEL: "warn" });
const natsPid = descendantPid("nats-server");
const rows: string[] = [];

async function postponed(): Promise<number> {
  const text = await (await fetch(`http://${service.metrics}/metrics`)).text();
  const values = [...text.matchAll(/^packshot_webhook_postponed_total\S* (\d+)$/gm)].map(([, value]) => Number(value));
  return values.reduce((sum, value) => sum + value, 0);
}

async function measure(title: string): Promise<Latency> {
  await measureThroughput(setup, warmingEvents); // Code, connections.
  const shareOfOthers = watchOtherLoad();
  const serviceMs = cpuMs(service.pid);
  const natsMs = cpuMs(natsPid);
  const perSecond = await measureThroughput(setup, events);
  const eachMs = [(cpuMs(service.pid) - serviceMs) / events, (cpuMs(natsPid) - natsMs) / events];
  const postponedBefore = await postponed();
  const natsBefore = cpuMs(natsPid);
  const latency = await measureLatency(setup, samples, rate);
  const seconds = samples / rate;
  const { p50, p99, p50Committed, p90Committed, p99Committed } = latency;
  const numbers = [
    Math.round(perSecond),
    ...eachMs.map((value) => value.toFixed(2)),
    ...[p50, p99, p50Committed, p90Committed, p99Committed].map((value) => value.toFixed(1)),
    (((await postponed()) - postponedBefore) / seconds).toFixed(1),
    `${Math.round((cpuMs(natsPid) - natsBefore) / seconds / 10)} %`,
    `${Math.round((shareOfOthers() ?? Number.NaN) * 100)} %`,
  ];
  rows.push(`| ${title} | ${numbers.join(" | ")} |`);
  process.stderr.write(`${rows.at(-1)}\n`);
  return latency;
}

/** Runs `act` with additional endpoints at some of the accounts, which are removed afterward. */
async function withMore<T>(more: readonly number[], act: () => Promise<T>): Promise<T> {
  const added: Webhook[] = [];
  for (const accountId of accounts.slice(0, accountsWithMore)) {
    for (const port of more) added.push((await registerWebhook(log, accountId, hookAt(port))).webhook);
  }
  const result = await act();
  for (const webhook of added) await log.commit("webhook", webhookWrites(webhook, null));
  await purgeRetries();
  return result;
}

async function purgeRetries(): Promise<void> {
  const purge = JSON.stringify({ filter: "psd.retry.>" });
  await log.connection.request("$JS.API.STREAM.PURGE.PS_DELIVERIES", purge, { timeout: 30_000 });
}

/** Stores deliveries as retries: a schedule for each, due in hours. */
async function fillWaiting(count: number): Promise<void> {
  const body = JSON.stringify({ event: "job.completed", padding: "x".repeat(900) });
  const accountId = uuidv7();
  const webhookId = uuidv7();
  const schedule = async (n: number) => {
    const key = { accountId, webhookId, eventId: uuidv7() };
    const options = headers();
    options.set("Nats-Schedule", `@at ${isoTime(Date.now() + 6 * 3600 * 1000 + n * 10)}`);
    options.set("Nats-Schedule-Target", deliverySubjects.due(key));
    const message = { v: 1, ...key, event: "job.completed", jobId: uuidv7(), body, attempts: 1, failures: 1 };
    await log.connection.request(deliverySubjects.retry(key), JSON.stringify(message), {
      headers: options,
      timeout: 30_000,
    });
  };
  for (let done = 0; done < count; done += 500) {
    await Promise.all(Array.from({ length: Math.min(500, count - done) }, (_, n) => schedule(done + n)));
  }
}

async function measureIsolation(): Promise<void> {
  for (let round = 0; round < Number(options.rounds); round++) {
    await measure("healthy ones alone");
    await withMore(ports.control, () => measure(`${accountsWithMore} accounts have three more healthy endpoints`));
    await withMore(ports.unhealthy, () => measure(`${accountsWithMore} accounts have a dead, a 29 s, a trickling one`));
  }
  await measure("healthy ones alone");
}

async function measureWaiting(): Promise<string> {
  const before = await measure("none waiting");
  const startedMs = performance.now();
  await fillWaiting(waiting);
  const perSecond = Math.round(waiting / ((performance.now() - startedMs) / 1000));
  const after = await measure(`${waiting.toLocaleString("en")} waiting`);
  await purgeRetries();
  const again = await measure("none waiting, once more");
  const times = (what: "p50Committed" | "p99Committed") => after[what] / ((before[what] + again[what]) / 2);
  return `
With ${waiting.toLocaleString("en")} waiting, after the commit, against the mean of both rows without: p50 ${times("p50Committed").toFixed(2)} ×, p99 ${times("p99Committed").toFixed(2)} ×;
the two rows without differ by ${(again.p99Committed / before.p99Committed).toFixed(2)} × in their p99. Schedules were stored at ${perSecond}/s,
one message each.
`;
}

if (options.part !== "waiting") await measureIsolation();
const remark = options.part === "isolation" ? "" : await measureWaiting();
const table = `# Webhook deliveries

${cpus()[0]!.model}, ${cpus().length} cores, shared by nats-server, the webhook service, the receivers and this script; the last
column is the share of both cores that anything else took. Node ${process.version}; one nats-server, \`sync_interval: always\`.

| | deliveries/s | service CPU ms each | nats-server CPU ms each | p50 ms | p99 ms | p50 ms after commit | p90 ms | p99 ms | postponed/s | nats-server CPU | others' CPU |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
${rows.join("\n")}

Deliveries/s: ${events.toLocaleString("en")} events committed in batches, from the first commit to the last first byte at the ${ports.healthy.length} healthy
receivers. Latency: ${samples} single events at ${rate}/s, right after, from before the event's commit (and from its answer) to the first byte at
its account's healthy receiver. Postponed: deliveries scheduled anew without an attempt while the latency was measured.
${remark}`;
if (options.out === undefined) process.stdout.write(table);
else writeFileSync(options.out, table);

await service.stop();
receivers.disconnect();
await log.connection.close();
await nats.stop();
