/**
 * Cut-outs by Packshot and by what could be run instead, side by side on this machine: from the request with the photo to
 * the downloaded PNG. Writes bench/results/<date>/peers.md, of which `npm run docs` makes docs/peers.svg:
 *
 *   node bench/peers/run.ts [--weights U2NETP.onnx] [--rounds 5] [--window SECONDS] [--megapixels 1,4,12] [--clients 1,4,16]
 *     [--systems raw,rembg,bullmq,packshot] [--rembg-home FOLDER] [--photo FILE]
 *
 * Photos of other sizes than the first are measured with the first two numbers of clients. Systems take turns, and those that
 * have no turn are suspended. It needs redis-server, and Python 3 for rembg.
 */
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { stopSignal } from "../../cli/command-line/command.ts";
import { photosFolder, shared } from "../../testing/mask/photos-with-truth.ts";
import { watchOtherLoad } from "../measuring/processor-time.ts";
import { measureAlternately } from "./measure.ts";
import { startPackshot } from "./packshot-systems.ts";
import { startBullmq, startRaw, startRembg } from "./peer-systems.ts";
import { type Cell, writePeersReport } from "./report.ts";
import { measureStageBounds, type StageBound } from "./stage-bounds.ts";
import type { System } from "./system.ts";

const sample = fileURLToPath(new URL("../../cli/demo/sample/mug.jpg", import.meta.url));
/** That of bench/mask/measure-speed.ts, where it is there. */
const usual = join(photosFolder, "white-wb07-brown-0.jpg");
const { values } = parseArgs({
  options: {
    weights: { type: "string", default: join(shared, "models", "u2netp.onnx") },
    rounds: { type: "string", default: "5" },
    window: { type: "string", default: "5" },
    megapixels: { type: "string", default: "1,4,12" },
    clients: { type: "string", default: "1,4,16" },
    systems: { type: "string", default: "raw,rembg,bullmq,packshot" },
    "rembg-home": { type: "string", default: join(tmpdir(), "packshot-bench-rembg") },
    photo: { type: "string", default: existsSync(usual) ? usual : sample },
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

async function photoOf(megapixels: number): Promise<Buffer> {
  const photo = readFileSync(values.photo);
  const { width, height } = await sharp(photo).metadata();
  const scale = Math.sqrt((megapixels * 1e6) / (width * height));
  return await sharp(photo)
    .resize(Math.round(width * scale), Math.round(height * scale))
    .jpeg({ quality: 92 })
    .toBuffer();
}

/** Suspends each at once, so that the next one starts on a quiet machine. */
async function startSystems(folder: string, started: System[]): Promise<void> {
  const starts: Readonly<Record<string, () => Promise<System[]>>> = {
    raw: async () => [await startRaw(weights)],
    rembg: async () => [await startRembg(weights, folder, values["rembg-home"])],
    bullmq: async () => [await startBullmq(weights, folder)],
    packshot: () => startPackshot(weights, folder),
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

async function measureCells(systems: readonly System[], signal: AbortSignal): Promise<Cell[]> {
  const cells: Cell[] = [];
  for (const [n, megapixels] of numbers(values.megapixels).entries()) {
    const photo = await photoOf(megapixels);
    // With more clients, large photos would take as long as everything else together.
    for (const clients of n === 0 ? numbers(values.clients) : numbers(values.clients).slice(0, 2)) {
      const others = watchOtherLoad();
      const windowMs = 1000 * Number(values.window);
      const rounds = Number(values.rounds);
      const options = { systems, photo, clients, windowMs, rounds, signal, warmUps: n === 0 ? warmUps : 3 };
      const measured = await measureAlternately(options);
      const cell = { megapixels, clients, measured, othersShare: others() };
      cells.push(cell);
      for (const [name, { perSecond, p50Ms }] of measured)
        process.stdout.write(
          `${megapixels} MP, ${clients} clients, ${name}: ${perSecond.toFixed(2)}/s, ${p50Ms.toFixed(0)} ms\n`,
        );
    }
  }
  return cells;
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "packshot-peers-"));
  const systems: System[] = [];
  const windows = numbers(values.megapixels).length * numbers(values.clients).length * 5 * Number(values.rounds);
  const limit = AbortSignal.timeout(startLimitMs + windows * Number(values.window) * 1000 * slowness);
  const signal = AbortSignal.any([stopSignal(), limit]);
  try {
    // Before anything starts.
    if (!existsSync(weights)) throw new Error(`${weights} does not exist: name the u2netp.onnx that rembg publishes`);
    const bounds: StageBound[] = values.systems.includes("packshot")
      ? await measureStageBounds(weights, numbers(values.megapixels), photoOf)
      : [];
    await startSystems(folder, systems);
    const cells = await measureCells(systems, signal);
    writePeersReport({
      cells,
      bounds,
      photo: basename(values.photo),
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
