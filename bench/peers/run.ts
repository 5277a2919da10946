/**
 * Cut-outs by Packshot and by what could be run instead, side by side on this machine: from the request with the photo to
 * the downloaded PNG. Writes bench/results/<date>/peers.md, of which `npm run docs` makes docs/peers.svg:
 *
 *   node bench/peers/run.ts [--weights U2NETP.onnx] [--rounds 5] [--window SECONDS] [--megapixels 1,4,12] [--clients 1,4,16]
 *     [--systems raw,rembg,bullmq,packshot] [--rembg-home FOLDER] [--photo FILE] [--before COMMIT]
 *
 * `--before` adds a row with the bundled weights of an earlier commit. Photos of other sizes than the first are measured with the
 * first two numbers of clients, and four busy scenes of PACKSHOT_SHARED with all. Systems take turns, and those that
 * have no turn are suspended. It needs redis-server, and Python 3 for rembg.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { stopSignal } from "../../cli/command-line/command.ts";
import { shared } from "../../testing/mask/photos-with-truth.ts";
import { watchOtherLoad } from "../measuring/processor-time.ts";
import { measureAlternately } from "./measure.ts";
import { startPackshot } from "./packshot-systems.ts";
import { startBullmq, startRaw, startRembg } from "./peer-systems.ts";
import { describeSets, makePhotoSets, type PhotoSet, plainPhoto } from "./photo-sets.ts";
import { type Cell, writePeersReport } from "./report.ts";
import { measureStageBounds, type StageBound } from "./stage-bounds.ts";
import type { System } from "./system.ts";

const { values } = parseArgs({
  options: {
    weights: { type: "string", default: join(shared, "models", "u2netp.onnx") },
    rounds: { type: "string", default: "5" },
    window: { type: "string", default: "5" },
    megapixels: { type: "string", default: "1,4,12" },
    clients: { type: "string", default: "1,4,16" },
    systems: { type: "string", default: "raw,rembg,bullmq,packshot" },
    "rembg-home": { type: "string", default: join(tmpdir(), "packshot-bench-rembg") },
    photo: { type: "string", default: plainPhoto },
    before: { type: "string" },
  },
});
const weights = resolve(values.weights);
/** After about twelve edits a process' code is compiled. */
const warmUps = 12;
const startLimitMs = 1_800_000;
/** A window may last so many times as long, when a system is slow or the machine busy. */
const slowness = 10;
const stopLimitMs = 120_000;

const numbers = (list: string) => list.split(",").map(Number);

/** Suspends each at once, so that the next one starts on a quiet machine. */
async function startSystems(folder: string, started: System[]): Promise<void> {
  const starts: Readonly<Record<string, () => Promise<System[]>>> = {
    raw: async () => [await startRaw(weights)],
    rembg: async () => [await startRembg(weights, folder, values["rembg-home"])],
    bullmq: async () => [await startBullmq(weights, folder)],
    packshot: () => startPackshot(weights, folder, values.before),
  };
  const wanted = values.systems.split(",");
  const unknown = wanted.filter((name) => !(name in starts));
  if (unknown.length > 0)
    throw new Error(`unknown system ${unknown.join(", ")}; there are ${Object.keys(starts).join(", ")}`);
  for (const [name, start] of Object.entries(starts)) {
    if (!wanted.includes(name)) continue;
    process.stdout.write(`starting ${name} …\n`);
    const systems = await start();
    started.push(...systems);
    for (const system of systems) system.suspend();
  }
}

async function measureCells(
  systems: readonly System[],
  sets: readonly PhotoSet[],
  signal: AbortSignal,
): Promise<Cell[]> {
  const cells: Cell[] = [];
  for (const [n, { title, photos, clients: numbersOfClients }] of sets.entries()) {
    for (const clients of numbersOfClients) {
      const others = watchOtherLoad();
      const windowMs = 1000 * Number(values.window);
      const rounds = Number(values.rounds);
      const options = { systems, photos, clients, windowMs, rounds, signal, warmUps: n === 0 ? warmUps : 4 };
      const measured = await measureAlternately(options);
      cells.push({ title, clients, measured, othersShare: others() });
      for (const [name, { perSecond, p50Ms }] of measured)
        process.stdout.write(
          `${title}, ${clients} clients, ${name}: ${perSecond.toFixed(2)}/s, ${p50Ms.toFixed(0)} ms\n`,
        );
    }
  }
  return cells;
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "packshot-peers-"));
  const systems: System[] = [];
  const windows = (1 + numbers(values.megapixels).length) * numbers(values.clients).length * 6 * Number(values.rounds);
  const limit = AbortSignal.timeout(startLimitMs + windows * Number(values.window) * 1000 * slowness);
  const signal = AbortSignal.any([stopSignal(), limit]);
  try {
    // Before anything starts.
    if (!existsSync(weights)) throw new Error(`${weights} does not exist: name the u2netp.onnx that rembg publishes`);
    const sizes = { megapixels: numbers(values.megapixels), clients: numbers(values.clients) };
    const sets = await makePhotoSets({ photo: values.photo, ...sizes });
    const bounds: StageBound[] = values.systems.includes("packshot") ? await measureStageBounds(weights, sets) : [];
    await startSystems(folder, systems);
    const cells = await measureCells(systems, sets, signal);
    writePeersReport({
      cells,
      bounds,
      photos: describeSets(values.photo),
      rounds: Number(values.rounds),
      window: Number(values.window),
    });
  } finally {
    setTimeout(() => process.exit(1), stopLimitMs).unref();
    for (const system of systems) system.resume();
    for (const system of systems) await system.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
process.exit();
