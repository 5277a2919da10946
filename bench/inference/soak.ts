/**
 * The model server among rude clients for minutes, with honest ones beside them, and a model that is reloaded all the
 * while: nobody honest may be failed, and memory, handles and threads must come back to where they were.
 *
 *     node bench/inference/soak.ts [--minutes 3]
 *
 * Ends with 1 where they do not.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { callUnary, openChannel } from "@packshot/inference/model-client/grpc-channel.ts";
import { createOpenInferenceClient } from "@packshot/inference/model-client/open-inference-client.ts";
import { rudeClients } from "../../test/conformance/open-inference-abuse.ts";
import { pictureSide as side, writeConformanceModels } from "../../test/conformance/open-inference-models.ts";
import { hardware } from "./hardware.ts";
import { type ServerProcess, startServer } from "./processes.ts";

const { values: flags } = parseArgs({ options: { minutes: { type: "string", default: "3" } } });
const honestAtOnce = 4;
const rudeAtOnce = 4;
const reloadEveryMs = 2_000;
const sampleEveryMs = 5_000;
/** What a heap may stand higher at the end than after its first third: collectors are in no hurry. */
const growthMibMax = 24;
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
const server = await startServer(folder, 1);
const startedAt = performance.now();
const endsAt = startedAt + Number(flags.minutes) * 60_000;
const goesOn = (): boolean => performance.now() < endsAt;
const counts = { honest: 0, failed: 0, reloads: 0, rude: new Map<string, number>() };

function look({ pid, residentMib }: ServerProcess): Sample {
  return {
    atS: Math.round((performance.now() - startedAt) / 1_000),
    memoryMib: Math.round(residentMib()),
    handles: readdirSync(`/proc/${pid}/fd`).length,
    threads: readdirSync(`/proc/${pid}/task`).length,
  };
}

async function honest(): Promise<void> {
  const client = createOpenInferenceClient({ address: server.address });
  if (!client.ready()) await new Promise<void>((resolve) => client.onReadyChange((ready) => ready && resolve()));
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

const samples: Sample[] = [];
async function sampling(): Promise<void> {
  for (; goesOn(); await pause(sampleEveryMs)) {
    samples.push(look(server));
    say(JSON.stringify(samples.at(-1)));
  }
}

/** Everybody has gone: what is still open after so long stays open. */
async function settled(before: Sample): Promise<Sample> {
  for (let tries = 0; tries < 20; tries += 1) {
    const now = look(server);
    if (now.handles <= before.handles && now.threads <= before.threads) return now;
    await pause(500);
  }
  return look(server);
}

say(hardware());
const before = look(server);
const many = <T>(count: number, start: (at: number) => Promise<T>) =>
  Array.from({ length: count }, (_, at) => start(at));
await Promise.all([...many(honestAtOnce, honest), ...many(rudeAtOnce, (at) => rude(at * 5)), reloading(), sampling()]);
const after = await settled(before);
const queued = /^packshot_inference_queue_rows\{model="picture".*\} (\d+)$/m.exec(await server.metrics())?.[1];
await server.stop();
rmSync(folder, { recursive: true });

const third = samples[Math.floor(samples.length / 3)]!;
const rudeTotal = [...counts.rude.values()].reduce((sum, each) => sum + each, 0);
say(JSON.stringify({ before, third, after }));
say(JSON.stringify({ honest: counts.honest, failed: counts.failed, reloads: counts.reloads, rude: rudeTotal, queued }));
say(JSON.stringify(Object.fromEntries(counts.rude)));
const isSound =
  counts.failed === 0 &&
  queued === "0" &&
  after.handles <= before.handles &&
  after.threads <= before.threads &&
  after.memoryMib - third.memoryMib <= growthMibMax;
process.exitCode = isSound ? 0 : 1;
