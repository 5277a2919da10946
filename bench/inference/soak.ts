/**
 * The model server for minutes among misbehaving clients, with ordinary ones next to them and a model that is reloaded
 * all the time. No ordinary request may fail, and handles, threads and memory after a collection must not grow.
 *
 *     node bench/inference/soak.ts [--minutes 3] [--misbehaving 4] [--reload-seconds 2]
 *
 * Exits with 1 when they do. `--misbehaving 0` and `--reload-seconds 0` leave that part out, to find what causes
 * growth.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { callUnary, openChannel } from "@packshot/inference/model-client/grpc-channel.ts";
import { imageSide as side, writeConformanceModels } from "../../testing/models/conformance-models.ts";
import { connectModelClient } from "../../testing/models/connect-model-client.ts";
import { misbehavingClients } from "../../testing/models/misbehaving-clients.ts";
import { hardware } from "./hardware.ts";
import { startServer } from "./processes.ts";

const { values: flags } = parseArgs({
  options: {
    minutes: { type: "string", default: "3" },
    misbehaving: { type: "string", default: "4" },
    "reload-seconds": { type: "string", default: "2" },
  },
});
const ordinaryClients = 4;
const reloadEveryMs = Number(flags["reload-seconds"]) * 1_000;
const sampleEveryMs = 5_000;
/** Memory after a collection may grow this much from start to end: compiled code. */
const heapGrowthMibMax = 4;
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Sample {
  readonly atS: number;
  readonly memoryMib: number;
  readonly handles: number;
  readonly threads: number;
}

const folder = mkdtempSync(join(tmpdir(), "packshot-soak-"));
writeConformanceModels(folder);
const preload = new URL("./collect-on-signal.ts", import.meta.url);
const server = await startServer(folder, 1, { NODE_OPTIONS: `--import=${preload}`, PACKSHOT_MODEL_CONTROL: "on" });
const startedAt = performance.now();
const endsAt = startedAt + Number(flags.minutes) * 60_000;
const isRunning = (): boolean => performance.now() < endsAt;
const counts = { ordinary: 0, failed: 0, reloads: 0, misbehaving: new Map<string, number>() };

function sample(): Sample {
  return {
    atS: Math.round((performance.now() - startedAt) / 1_000),
    memoryMib: Math.round(server.residentMib()),
    handles: readdirSync(`/proc/${server.pid}/fd`).length,
    threads: readdirSync(`/proc/${server.pid}/task`).length,
  };
}

/** Heap and buffers of the gRPC thread after a collection. */
async function heapMib(): Promise<number> {
  await pause(1_000);
  process.kill(server.pid, "SIGUSR2");
  await pause(1_000);
  const metrics = await server.metrics();
  const bytes = (name: string) => Number(new RegExp(`^${name}(?:{[^}]*})? (.+)$`, "m").exec(metrics)![1]);
  const kept = bytes("nodejs_heap_size_used_bytes") + bytes("nodejs_external_memory_bytes");
  return Math.round(kept / 2 ** 18) / 4;
}

async function ordinary(): Promise<void> {
  const client = await connectModelClient(server.address);
  const data = new Uint8Array(side * side * 3).fill(200);
  const ask = async () => {
    const request = { model: "segmenter", input: { shape: [1, side, side, 3], data }, tenant: "ordinary" };
    const signal = new AbortController().signal;
    return (await client.predict({ ...request, deadlineAtMs: Date.now() + 30_000, signal })).output.data;
  };
  const wanted = await ask();
  while (isRunning()) {
    const answer = await ask().catch(() => null);
    counts.ordinary += 1;
    if (answer === null || Buffer.compare(answer, wanted) !== 0) counts.failed += 1;
  }
  client.close();
}

async function misbehaving(first: number): Promise<void> {
  const victim = { address: server.address, model: "segmenter", side };
  for (let at = first; isRunning(); at += 1) {
    const { does, act } = misbehavingClients[at % misbehavingClients.length]!;
    await act(victim);
    counts.misbehaving.set(does, (counts.misbehaving.get(does) ?? 0) + 1);
  }
}

async function reloading(): Promise<void> {
  const channels = openChannel(server.address);
  for (; isRunning(); await pause(reloadEveryMs)) {
    const options = { deadlineAtMs: Date.now() + 60_000 };
    await callUnary(channels.inference, "RepositoryModelLoad", { model_name: "segmenter" }, options);
    counts.reloads += 1;
  }
  channels.health.close();
  channels.inference.close();
}

async function sampling(): Promise<void> {
  for (; isRunning(); await pause(sampleEveryMs)) say(JSON.stringify(sample()));
}

/** After all clients have disconnected: what is still open after 10 s stays open. */
async function afterDisconnect(before: Sample): Promise<Sample> {
  for (let tries = 0; tries < 20; tries += 1) {
    const now = sample();
    if (now.handles <= before.handles && now.threads <= before.threads) return now;
    await pause(500);
  }
  return sample();
}

/** Runs each client once before the first sample, so that code compiled once does not look like a leak. */
async function warmUp(): Promise<void> {
  const victim = { address: server.address, model: "segmenter", side };
  for (const { act } of misbehavingClients) await act(victim);
}

say(hardware());
await warmUp();
const heapBefore = await heapMib();
const before = sample();
const many = <T>(count: number, start: (at: number) => Promise<T>) =>
  Array.from({ length: count }, (_, at) => start(at));
await Promise.all([
  ...many(ordinaryClients, ordinary),
  ...many(Number(flags.misbehaving), (at) => misbehaving(at * 5)),
  ...(reloadEveryMs > 0 ? [reloading()] : []),
  sampling(),
]);
const after = await afterDisconnect(before);
const heapAfter = await heapMib();
const queued = /^packshot_inference_queue_rows\{model="segmenter".*\} (\d+)$/m.exec(await server.metrics())?.[1];
await server.stop();
rmSync(folder, { recursive: true });

const misbehavingTotal = [...counts.misbehaving.values()].reduce((sum, each) => sum + each, 0);
say(JSON.stringify({ before, after, heapMib: { before: heapBefore, after: heapAfter } }));
say(
  JSON.stringify({
    ordinary: counts.ordinary,
    failed: counts.failed,
    reloads: counts.reloads,
    misbehaving: misbehavingTotal,
    queued,
  }),
);
say(JSON.stringify(Object.fromEntries(counts.misbehaving)));
const isSound =
  counts.failed === 0 &&
  queued === "0" &&
  after.handles <= before.handles &&
  after.threads <= before.threads &&
  heapAfter - heapBefore <= heapGrowthMibMax;
process.exitCode = isSound ? 0 : 1;
