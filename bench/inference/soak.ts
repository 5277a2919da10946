/**
 * The model server among rude clients for minutes, with honest ones beside them, and a model that is reloaded all the
 * while: nobody honest may be failed, and handles, threads and what a collection leaves of memory must come back.
 *
 *     node bench/inference/soak.ts [--minutes 3] [--rude 4] [--reload-seconds 2]
 *
 * Ends with 1 where they do not. `--rude 0` and `--reload-seconds 0` leave that part out, to tell whose fault a growth is.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { callUnary, openChannel } from "@packshot/inference/model-client/grpc-channel.ts";
import { readyClient } from "../../testing/models/ready-client.ts";
import { rudeClients } from "../../testing/models/misbehaving-clients.ts";
import { pictureSide as side, writeConformanceModels } from "../../testing/models/conformance-models.ts";
import { hardware } from "./hardware.ts";
import { startServer } from "./processes.ts";

const { values: flags } = parseArgs({
  options: {
    minutes: { type: "string", default: "3" },
    rude: { type: "string", default: "4" },
    "reload-seconds": { type: "string", default: "2" },
  },
});
const honestAtOnce = 4;
const reloadEveryMs = Number(flags["reload-seconds"]) * 1_000;
const sampleEveryMs = 5_000;
/** What is kept after a collection may stand this much higher at the end than at the beginning: compiled code. */
const keptGrowthMibMax = 4;
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
const server = await startServer(folder, 1, { NODE_OPTIONS: `--import=${preload}` });
const startedAt = performance.now();
const endsAt = startedAt + Number(flags.minutes) * 60_000;
const goesOn = (): boolean => performance.now() < endsAt;
const counts = { honest: 0, failed: 0, reloads: 0, rude: new Map<string, number>() };

function look(): Sample {
  return {
    atS: Math.round((performance.now() - startedAt) / 1_000),
    memoryMib: Math.round(server.residentMib()),
    handles: readdirSync(`/proc/${server.pid}/fd`).length,
    threads: readdirSync(`/proc/${server.pid}/task`).length,
  };
}

/** Heap and buffers after a collection, of the thread that does gRPC. */
async function keptMib(): Promise<number> {
  await pause(1_000);
  process.kill(server.pid, "SIGUSR2");
  await pause(1_000);
  const metrics = await server.metrics();
  const bytes = (name: string) => Number(new RegExp(`^${name}(?:{[^}]*})? (.+)$`, "m").exec(metrics)![1]);
  const kept = bytes("nodejs_heap_size_used_bytes") + bytes("nodejs_external_memory_bytes");
  return Math.round(kept / 2 ** 18) / 4;
}

async function honest(): Promise<void> {
  const client = await readyClient(server.address);
  const data = new Uint8Array(side * side * 3).fill(200);
  const ask = async () => {
    const request = { model: "picture", input: { shape: [1, side, side, 3], data }, tenant: "honest" };
    const signal = new AbortController().signal;
    return (await client.predict({ ...request, deadlineAtMs: Date.now() + 30_000, signal })).output.data;
  };
  const wanted = await ask();
  while (goesOn()) {
    const answer = await ask().catch(() => null);
    counts.honest += 1;
    if (answer === null || Buffer.compare(answer, wanted) !== 0) counts.failed += 1;
  }
  client.close();
}

async function rude(first: number): Promise<void> {
  const victim = { address: server.address, model: "picture", side };
  for (let at = first; goesOn(); at += 1) {
    const { does, act } = rudeClients[at % rudeClients.length]!;
    await act(victim);
    counts.rude.set(does, (counts.rude.get(does) ?? 0) + 1);
  }
}

async function reloading(): Promise<void> {
  const channels = openChannel(server.address);
  for (; goesOn(); await pause(reloadEveryMs)) {
    const options = { deadlineAtMs: Date.now() + 60_000 };
    await callUnary(channels.inference, "RepositoryModelLoad", { model_name: "picture" }, options);
    counts.reloads += 1;
  }
  channels.health.close();
  channels.inference.close();
}

async function sampling(): Promise<void> {
  for (; goesOn(); await pause(sampleEveryMs)) say(JSON.stringify(look()));
}

/** Everybody has gone: what is still open after so long stays open. */
async function settled(before: Sample): Promise<Sample> {
  for (let tries = 0; tries < 20; tries += 1) {
    const now = look();
    if (now.handles <= before.handles && now.threads <= before.threads) return now;
    await pause(500);
  }
  return look();
}

/** Once through everything before the first look, so that what is compiled and pooled once is not taken for a leak. */
async function once(): Promise<void> {
  const victim = { address: server.address, model: "picture", side };
  for (const { act } of rudeClients) await act(victim);
}

say(hardware());
await once();
const keptBefore = await keptMib();
const before = look();
const many = <T>(count: number, start: (at: number) => Promise<T>) =>
  Array.from({ length: count }, (_, at) => start(at));
await Promise.all([
  ...many(honestAtOnce, honest),
  ...many(Number(flags.rude), (at) => rude(at * 5)),
  ...(reloadEveryMs > 0 ? [reloading()] : []),
  sampling(),
]);
const after = await settled(before);
const keptAfter = await keptMib();
const queued = /^packshot_inference_queue_rows\{model="picture".*\} (\d+)$/m.exec(await server.metrics())?.[1];
await server.stop();
rmSync(folder, { recursive: true });

const rudeTotal = [...counts.rude.values()].reduce((sum, each) => sum + each, 0);
say(JSON.stringify({ before, after, keptMib: { before: keptBefore, after: keptAfter } }));
say(JSON.stringify({ honest: counts.honest, failed: counts.failed, reloads: counts.reloads, rude: rudeTotal, queued }));
say(JSON.stringify(Object.fromEntries(counts.rude)));
const isSound =
  counts.failed === 0 &&
  queued === "0" &&
  after.handles <= before.handles &&
  after.threads <= before.threads &&
  keptAfter - keptBefore <= keptGrowthMibMax;
process.exitCode = isSound ? 0 : 1;
