/**
 * Deliveries per second to 50 healthy receivers, and the time from the terminal event's commit to the receiver's first
 * byte, with 0 and with 100,000 deliveries waiting for their retry. Real nats-server (sync always), webhook service and
 * receivers, each a process of its own on this machine.
 *
 *   node bench/webhooks/run.ts [--waiting 100000] [--events 5000] [--samples 600] [--rate 20] [--out bench/results/<date>/webhooks.md]
 */
import { fork } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { headers } from "@nats-io/transport-node";
import { deliverySubjects } from "@packshot/domain/delivery.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { connectNats } from "@packshot/platform/nats/connection.ts";
import { createLog } from "@packshot/platform/nats/log.ts";
import { ensureStreams } from "@packshot/platform/nats/streams.ts";
import { emit, endedEvent, registerWebhook, startWebhookService } from "../../test/failures/webhooks-harness.ts";
import { startNats } from "../../test/support/nats.ts";

const { values: options } = parseArgs({
  options: {
    waiting: { type: "string", default: "100000" },
    events: { type: "string", default: "5000" },
    samples: { type: "string", default: "600" },
    rate: { type: "string", default: "20" },
    out: { type: "string" },
  },
});
const eventsAtOnceMax = 200;
/** So many accounts also have a dead, a slow and a trickling endpoint. */
const unwellAccounts = 5;

const receivers = fork(fileURLToPath(new URL("receivers.ts", import.meta.url)));
const arrivedAtMs = new Map<string, number>();
let onArrival = () => {};
interface Ports {
  readonly healthy: readonly number[];
  readonly unwell: readonly number[];
}

const ports = await new Promise<Ports>((resolve) => {
  receivers.on("message", (said: Partial<Ports> & { arrivals?: [string, number][] }) => {
    if (said.healthy !== undefined) resolve(said as Ports);
    for (const [id, atMs] of said.arrivals ?? []) if (!arrivedAtMs.has(id)) arrivedAtMs.set(id, atMs);
    onArrival();
  });
});

const nats = await startNats();
const log = createLog(await connectNats({ url: nats.url, name: "bench" }));
await ensureStreams(log.connection, { replicas: 1 });
const accounts = ports.healthy.map(() => uuidv7());
const hookAt = (port: number) => `http://127.0.0.1:${port}/hook`;
for (const [n, port] of ports.healthy.entries()) await registerWebhook(log, accounts[n]!, hookAt(port));
const service = await startWebhookService(nats.url, { PACKSHOT_LOG_LEVEL: "warn" });

const nowMs = () => performance.timeOrigin + performance.now();
const quantile = (sorted: readonly number[], share: number) => sorted[Math.floor(share * (sorted.length - 1))]!;

async function arrivalOf(count: number): Promise<void> {
  await new Promise<void>((resolve) => {
    onArrival = () => {
      if (arrivedAtMs.size >= count) resolve();
    };
    onArrival();
  });
}

/** All events are committed as fast as they go; the clock runs from the first commit to the last first byte. */
async function measureThroughput(events: number) {
  arrivedAtMs.clear();
  const startedMs = nowMs();
  for (let sent = 0; sent < events; sent += eventsAtOnceMax) {
    const some = Array.from({ length: eventsAtOnceMax }, (_, n) => endedEvent(accounts[(sent + n) % accounts.length]!));
    await emit(log, ...some);
  }
  const emittedMs = nowMs();
  await arrivalOf(events);
  const lastMs = Math.max(...arrivedAtMs.values());
  return {
    perSecond: events / ((lastMs - startedMs) / 1000),
    emittedPerSecond: events / ((emittedMs - startedMs) / 1000),
  };
}

/** Single events at a steady rate: the time from before their commit, and from its answer, to the first byte. */
async function measureLatency(samples: number, perSecond: number) {
  arrivedAtMs.clear();
  const begunAtMs = new Map<string, number>();
  const committedAtMs = new Map<string, number>();
  const commits: Promise<void>[] = [];
  const startedMs = nowMs();
  for (let n = 0; n < samples; n++) {
    const waitMs = startedMs + (n * 1000) / perSecond - nowMs();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const event = endedEvent(accounts[n % accounts.length]!);
    begunAtMs.set(event.eventId, nowMs());
    commits.push(emit(log, event).then(() => void committedAtMs.set(event.eventId, nowMs())));
  }
  await Promise.all(commits);
  await arrivalOf(samples);
  const since = (from: ReadonlyMap<string, number>) =>
    [...arrivedAtMs].map(([id, atMs]) => atMs - from.get(id)!).sort((a, b) => a - b);
  const [begun, committed] = [since(begunAtMs), since(committedAtMs)];
  return {
    p50: quantile(begun, 0.5),
    p99: quantile(begun, 0.99),
    p50Committed: quantile(committed, 0.5),
    p99Committed: quantile(committed, 0.99),
  };
}

/** As retries lie there: a schedule for each, due in hours. */
async function fillWaiting(count: number): Promise<void> {
  const { body } = { body: JSON.stringify({ event: "job.completed", padding: "x".repeat(900) }) };
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

const events = Number(options.events);
const samples = Number(options.samples);
const rate = Number(options.rate);
const waiting = Number(options.waiting);
const rows: string[] = [];

/** Milliseconds of processor time that a process has used. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The nats-server is a grandchild: its guard stands in between. */
function natsServerPid(): number {
  const parents = new Map<number, number>();
  const servers: number[] = [];
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const [start, rest] = readFileSync(`/proc/${name}/stat`, "utf8").split(") ") as [string, string];
      parents.set(Number(name), Number(rest.split(" ")[1]));
      if (start.endsWith("(nats-server")) servers.push(Number(name));
    } catch {
      // Ended while the list was read.
    }
  }
  return servers.find((pid) => parents.get(parents.get(pid) ?? 0) === process.pid || parents.get(pid) === process.pid)!;
}

const natsPid = natsServerPid();

async function measure(title: string) {
  await measureThroughput(400); // Warm: code, connections.
  const [serviceBefore, natsBefore] = [cpuMs(service.pid), cpuMs(natsPid)];
  const throughput = await measureThroughput(events);
  const perDelivery = {
    service: (cpuMs(service.pid) - serviceBefore) / events,
    nats: (cpuMs(natsPid) - natsBefore) / events,
  };
  const latency = await measureLatency(samples, rate);
  const numbers = [
    Math.round(throughput.perSecond),
    perDelivery.service.toFixed(2),
    perDelivery.nats.toFixed(2),
    ...[latency.p50, latency.p99, latency.p50Committed, latency.p99Committed].map((value) => value.toFixed(1)),
    loadavg()[0]!.toFixed(1),
  ];
  rows.push(`| ${title} | ${numbers.join(" | ")} |`);
  process.stderr.write(`${rows.at(-1)}\n`);
  return latency;
}

const before = await measure("none waiting");

const unwell: { accountId: string; id: string }[] = [];
for (const accountId of accounts.slice(0, unwellAccounts)) {
  for (const port of ports.unwell) unwell.push((await registerWebhook(log, accountId, hookAt(port))).webhook);
}
const beside = await measure(
  `none waiting; ${unwellAccounts} accounts also have a dead, a 29 s and a trickling endpoint`,
);
for (const { accountId, id } of unwell) {
  await log.commit("webhook", [{ subject: subjects.webhook(accountId, id), value: null, ttlSeconds: 3600 }]);
}
await purgeRetries();

const fillStartedMs = nowMs();
await fillWaiting(waiting);
const fillPerSecond = Math.round(waiting / ((nowMs() - fillStartedMs) / 1000));
const after = await measure(`${waiting.toLocaleString("en")} waiting`);
await purgeRetries();
const again = await measure("none waiting, once more");

async function purgeRetries(): Promise<void> {
  const purge = JSON.stringify({ filter: "psd.retry.>" });
  await log.connection.request("$JS.API.STREAM.PURGE.PS_DELIVERIES", purge, { timeout: 30_000 });
}

const none = {
  p50: (before.p50Committed + again.p50Committed) / 2,
  p99: (before.p99Committed + again.p99Committed) / 2,
};
const table = `# Webhook deliveries

${cpus()[0]!.model}, ${cpus().length} cores, shared by nats-server, the webhook service, ${ports.healthy.length} healthy receivers, this script, and whatever
else ran (see the load: 2 is two busy cores). Node ${process.version}; one nats-server, \`sync_interval: always\`. ${isoTime(Date.now())}.

| | deliveries/s | service CPU ms each | nats-server CPU ms each | p50 ms | p99 ms | p50 ms after commit | p99 ms after commit | load |
|---|--:|--:|--:|--:|--:|--:|--:|--:|
${rows.join("\n")}

Deliveries/s: ${events.toLocaleString("en")} events committed in batches of ${eventsAtOnceMax}, from the first commit to the last first byte. Latency: ${samples.toLocaleString("en")} single
events at ${rate}/s, from before the event's commit (and from its answer) to the healthy receiver's first byte.

After the commit, against the mean of both rows without: p50 with ${waiting.toLocaleString("en")} waiting ${(after.p50Committed / none.p50).toFixed(2)} ×, p99 ${(after.p99Committed / none.p99).toFixed(2)} ×; beside
unwell endpoints p50 ${(beside.p50Committed / none.p50).toFixed(2)} ×, p99 ${(beside.p99Committed / none.p99).toFixed(2)} ×; the two rows without differ by ${(again.p99Committed / before.p99Committed).toFixed(2)} × in their p99.
Schedules were stored at ${fillPerSecond}/s: each is a write to disk of its own.
`;
if (options.out === undefined) process.stdout.write(table);
else writeFileSync(options.out, table);

await service.stop();
receivers.disconnect();
await log.connection.close();
await nats.stop();
