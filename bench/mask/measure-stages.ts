/**
 * Prints the processor time of each stage of a `mask` edit with the bundled weights, photo by photo:
 *
 *     node bench/mask/measure-stages.ts [--photos FILE,FILE] [--megapixels 1.45]
 *
 * The predictions are read from a cache, so that *predict* is what the worker does around them. With `--cpu-prof`, node
 * writes the profile from which bench/measuring/flame-graph.ts draws a flame graph. It runs with the worker's own flags and
 * allocator, which decide how often garbage is collected; `--plain-node` leaves them out.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { photosFolder } from "../../testing/mask/photos-with-truth.ts";
import { runAsWorker } from "../measuring/as-worker.ts";
import { createCachedModels } from "./cached-predictions.ts";
import { timeStages } from "./stage-times.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { values: options } = parseArgs({
  options: {
    photos: { type: "string", default: "scene-mighty-mug,white-wb07-brown-0" },
    megapixels: { type: "string", default: "1.45" },
    model: { type: "string", default: "packshot-mask" },
    "plain-node": { type: "boolean", default: false },
  },
});
if (!options["plain-node"]) runAsWorker();
const files = { "packshot-mask": join(root, "models", "packshot-mask", "1", "model.onnx") };
const models = await createCachedModels(files, join(root, ".cache", "mattes"));

for (const name of options.photos.split(",")) {
  const photo = readFileSync(join(photosFolder, `${name}.jpg`));
  const stages = await timeStages(photo, Number(options.megapixels), options.model, models);
  const total = stages.values().reduce((sum, ms) => sum + ms, 0);
  const cells = [...stages].map(([stage, ms]) => `${stage} ${ms}`);
  process.stdout.write(`${name}: ${cells.join(", ")}; total ${total} ms\n`);
}
process.exit();
