/**
 * What the cage of decoders costs: processor time of `mask` edits with the bundled weights, with and without it, in turns:
 *
 *     node bench/edits/decoder-cage.ts [--photos NAME,NAME] [--megapixels 1.4,12] [--format jpeg] [--rounds 10]
 *
 * All threads of this process count, with the prediction, and the processes that decode. It runs with the worker's own flags and
 * allocator. Elapsed times say nothing beside other work, so none are printed.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findCage } from "@packshot/platform/images/find-cage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import sharp, { type FormatEnum } from "sharp";
import { type Cage, cageOf } from "../../services/inference/decoder/cage.ts";
import { createEditPool, type EditPool } from "../../services/inference/edits/edit-pool.ts";
import { photosFolder } from "../../testing/mask/photos-with-truth.ts";
import { editInput } from "../../testing/models/edit-input.ts";
import { createInProcessModels } from "../../testing/models/in-process-models.ts";
import { runAsWorker } from "../measuring/as-worker.ts";
import { cpuMs, descendants } from "../measuring/processor-time.ts";
import { resizedPhoto } from "../measuring/resized-photo.ts";
import { mean } from "../measuring/statistics.ts";

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

const decodersMs = () => descendants().reduce((sum, pid) => sum + cpuMs(pid), 0);

const pools = { off: await startPool(undefined), on: await startPool(cage) };
process.stdout.write("| photo | off, ms | on, ms | of it decoders | on ÷ off |\n|---|--:|--:|--:|--:|\n");
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
    const off = mean(times.off);
    const on = mean(times.on) + decoders;
    const cells = [
      `${name}, ${megapixels} MP`,
      off.toFixed(1),
      on.toFixed(1),
      decoders.toFixed(1),
      (on / off).toFixed(3),
    ];
    process.stdout.write(`| ${cells.join(" | ")} |\n`);
  }
}
process.exit();
