/**
 * What the cage of decoders costs: processor time of `mask` edits with the bundled weights, with and without it, in turns:
 *
 *     node bench/edits/decoder-cage.ts [--photos NAME,NAME] [--megapixels 1.4,12] [--format jpeg] [--rounds 10]
 *
 * All threads of this process count, with the prediction, and the processes that decode. It runs with the worker's own flags and
 * allocator. Elapsed times say nothing beside other work, so none are printed. Before that, what a process takes until it is ready; beside
 * each photo, the most that the process which decoded it had in RAM.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findCage } from "@packshot/platform/images/find-cage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import sharp, { type FormatEnum } from "sharp";
import { type Cage, cageOf } from "../../services/inference/decoder/cage.ts";
import { spawnDecoder } from "../../services/inference/decoder/decoder-child.ts";
import { startDecoderProcess } from "../../services/inference/decoder/decoder-process.ts";
import { createEditPool, type EditPool } from "../../services/inference/edits/threads/edit-pool.ts";
import { photosFolder } from "../../testing/mask/photos-with-truth.ts";
import { editInput } from "../../testing/models/edit-input.ts";
import { createInProcessModels } from "../../testing/models/in-process-models.ts";
import { runAsWorker } from "../measuring/as-worker.ts";
import { cpuMs, descendants } from "../measuring/processor-time.ts";
import { resizedPhoto } from "../measuring/resized-photo.ts";
import { peakRssBytes, rssBytes } from "../measuring/server-usage.ts";
import { mean, median } from "../measuring/statistics.ts";

const { values: options } = parseArgs({
  options: {
    photos: { type: "string", default: "studio-mighty-mug,scene-wb07-brown-0" },
    megapixels: { type: "string", default: "1.4,4,12" },
    format: { type: "string", default: "jpeg" },
    rounds: { type: "string", default: "10" },
  },
});
runAsWorker();
const rounds = Number(options.rounds);
const maxPixels = 100_000_000;
const startsMeasured = 10;
const startTimeoutMs = 60_000;
const megabyte = 1e6;
const found = findCage();
if (found.kind !== "holds") throw new Error(found.problem);
const cage = cageOf({ launcher: found.launcher, maxPixels });
const model = "packshot-mask";
const models = createInProcessModels({
  [model]: fileURLToPath(new URL(`../../models/${model}/1/model.onnx`, import.meta.url)),
});
const logger = createLogger({ name: "decoder-cage", level: "warn" });

async function startPool(inCage: Cage | undefined): Promise<EditPool> {
  const pool = createEditPool({ threads: 1, logger, openCage: async () => inCage });
  await pool.start();
  return pool;
}

async function processorMs(pool: EditPool, photo: Buffer): Promise<number> {
  const before = process.cpuUsage();
  await pool.runEdit(editInput(photo, models, { tool: "mask", parameters: { model }, maxPixels }));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Also of those that were replaced: fields 16 and 17 of proc(5)'s `stat` are of children that have ended, in hundredths of a second. */
function decodersMs(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]!.split(" ");
  const ended = (Number(fields[13]) + Number(fields[14])) * 10;
  return descendants().reduce((sum, pid) => sum + cpuMs(pid), ended);
}

async function measureStarts(): Promise<void> {
  const starts: { ms: number; megabytes: number }[] = [];
  for (let n = 0; n < startsMeasured; n++) {
    const started = startDecoderProcess(spawnDecoder(cage), startTimeoutMs);
    await started.ready;
    const { pid } = started;
    if (pid === undefined) throw new Error("a decoder has no process");
    starts.push({ ms: cpuMs(pid), megabytes: rssBytes(pid) / megabyte });
    started.kill("killed", "it was measured");
    await started.ended;
  }
  const ms = mean(starts.map((start) => start.ms)).toFixed(0);
  const megabytes = mean(starts.map((start) => start.megabytes)).toFixed(0);
  process.stdout.write(`A start takes ${ms} ms of processor time, and leaves ${megabytes} MB in RAM.\n\n`);
}

await measureStarts();
const pools = { off: await startPool(undefined), on: await startPool(cage) };
process.stdout.write(
  "| photo | off, ms | on, ms | of it decoders | on ÷ off | decoders' peak so far, MB |\n|---|--:|--:|--:|--:|--:|\n",
);
for (const megapixels of options.megapixels.split(",").map(Number)) {
  for (const name of options.photos.split(",")) {
    const jpeg = await resizedPhoto(readFileSync(join(photosFolder, `${name}.jpg`)), megapixels);
    const photo = await sharp(jpeg)
      .toFormat(options.format as keyof FormatEnum)
      .toBuffer();
    for (let n = 0; n < 3; n++) for (const pool of Object.values(pools)) await processorMs(pool, photo);
    const times = { off: [] as number[], on: [] as number[] };
    const decodersBefore = decodersMs();
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 === 0 ? (["off", "on"] as const) : (["on", "off"] as const);
      for (const side of order) times[side].push(await processorMs(pools[side], photo));
    }
    // The kernel counts in steps of 10 ms, so all rounds count together.
    const decoders = (decodersMs() - decodersBefore) / rounds;
    const peak = Math.max(...descendants().map(peakRssBytes));
    const off = median(times.off);
    const on = median(times.on) + decoders;
    const cells = [
      `${name}, ${megapixels} MP`,
      off.toFixed(1),
      on.toFixed(1),
      decoders.toFixed(1),
      (on / off).toFixed(3),
      (peak / megabyte).toFixed(0),
    ];
    process.stdout.write(`| ${cells.join(" | ")} |\n`);
  }
}
process.exit();
