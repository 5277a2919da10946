/**
 * Deliveries per second to 50 healthy receivers, and the time from the terminal event's commit to the receiver's first
 * byte, with 0 and with 100,000 deliveries waiting for their retry. Real nats-server (sync always), webhook service and
 * receivers, each a process of its own on this machine.
 *
 *   node bench/webhooks/run.ts [--waiting 100000] [--events 20000] [--rate 20] [--out bench/results/<date>/webhooks.md]
 */
import { fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { headers } from "@nats-io/transport-node";
import { deliverySubjects } from "@packshot/domain/delivery.ts";
import { isoTime, uuidv7 } from "@packshot/domain/ids.ts";
import { connectNats } from "@packshot/platform/nats/connection.ts";
import { createLog } from "@packshot/platform/nats/log.ts";
import { ensureStreams } from "@packshot/platform/nats/streams.ts";
import { emit, endedEvent, registerWebhook, startWebhookService } from "../../test/failures/webhooks-harness.ts";
import { startNats } from "../../test/support/nats.ts";

const { values: options } = parseArgs({
  options: {
    waiting: { type: "string", default: "100000" },
    events: { type: "string", default: "20000" },
    samples: { type: "string", default: "2000" },
    rate: { type: "string", default: "20" },
    out: { type: "string" },
  },
});
const eventsAtOnceMax = 200;

const receivers = fork(fileURLToPath(new URL("receivers.ts", import.meta.url)));
const arrivedAtMs = new Map<string, number>();
let onArrival = () => {};
const ports = await new Promise<number[]>((resolve) => {
  receivers.on("message", (said: { ports?: number[]; arrivals?: [string, number][] }) => {
    if (said.ports) resolve(said.ports);
    for (const [id, atMs] of said.arrivals ?? []) if (!arrivedAtMs.has(id)) arrivedAtMs.set(id, atMs);
    onArrival();
  });
});

const nats = await startNats();
const log = createLog(await connectNats({ url: nats.url, name: "bench" }));
await ensureStreams(log.connection, { replicas: 1 });
const accounts = ports.map(() => uuidv7());
for (const [n, port] of ports.entries()) await registerWebhook(log, accounts[n]!, `http://127.0.0.1:${port}/hook`);
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

async function measure(waitingNow: number) {
  await measureThroughput(2_000); // Warm: code, connections.
  const throughput = await measureThroughput(events);
  const latency = await measureLatency(samples, rate);
  const fixed = (value: number) => value.toFixed(1);
  rows.push(
    `| ${waitingNow.toLocaleString("en")} | ${Math.round(throughput.perSecond)} | ${Math.round(throughput.emittedPerSecond)} | ${fixed(latency.p50)} | ${fixed(latency.p99)} | ${fixed(latency.p50Committed)} | ${fixed(latency.p99Committed)} |`,
  );
  process.stderr.write(`${rows.at(-1)}\n`);
  return latency;
}

const before = await measure(0);
const fillStartedMs = nowMs();
await fillWaiting(waiting);
const fillPerSecond = Math.round(waiting / ((nowMs() - fillStartedMs) / 1000));
const after = await measure(waiting);

const table = `# Webhook deliveries

${cpus()[0]!.model}, ${cpus().length} cores shared by nats-server, the webhook service, ${ports.length} receivers and this script; Node ${process.version}; one
nats-server, \`sync_interval: always\`, on the machine's disk. ${isoTime(Date.now())}.

| waiting for retry | deliveries/s | events/s put in meanwhile | p50 ms | p99 ms | p50 ms after commit | p99 ms after commit |
|--:|--:|--:|--:|--:|--:|--:|
${rows.join("\n")}

Deliveries/s: ${events.toLocaleString("en")} events committed in batches of ${eventsAtOnceMax}, from the first commit to the last first byte. Latency: ${samples.toLocaleString("en")} single
events at ${rate}/s, from before the event's commit (and from its answer) to the receiver's first byte. p99 with waiting
retries is ${(after.p99 / before.p99).toFixed(2)} × that without. Schedules were stored at ${fillPerSecond}/s.
`;
if (options.out === undefined) process.stdout.write(table);
else writeFileSync(options.out, table);

await service.stop();
receivers.disconnect();
await log.connection.close();
await nats.stop();
