/**
 * Lists the holes of the photos with known truth that we open and the truth has not, and those that it has and we
 * close:
 *
 *     node bench/mask/measure-holes.ts [--model packshot-mask] [--plain] [PHOTO…]
 *
 * A hole is an enclosed opening over .05 % of the product. `--plain` measures the network's matte without refinement.
 */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cutOut } from "../../services/inference/edits/cut-out/cut-out.ts";
import { type Hole, missedHoles } from "../../testing/mask/holes.ts";
import { scoreMatte } from "../../testing/mask/matte-scores.ts";
import { listPhotos, listWildPhotos, readPhoto, readWildPhoto, shared } from "../../testing/mask/photos-with-truth.ts";
import { editInput } from "../../testing/models/edit-input.ts";
import { createCachedModels } from "./cached-predictions.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { values: options, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: { model: { type: "string", default: "packshot-mask" }, plain: { type: "boolean", default: false } },
});
const files = {
  "packshot-mask": join(root, "models", "packshot-mask", "1", "model.onnx"),
  u2netp: join(shared, "models", "u2netp.onnx"),
};
const models = await createCachedModels(files, join(root, ".cache", "mattes"));

const written = ({ x, y, share }: Hole) => `${(share * 100).toFixed(2)} % at ${x}, ${y}`;

const falseHoles = [] as string[];
const missing = [] as string[];
const photos = [
  ...(await listPhotos()).map((name) => () => readPhoto(name)),
  ...(await listWildPhotos()).map((name) => () => readWildPhoto(name)),
];
for (const read of photos) {
  const photo = await read();
  if (chosen.length > 0 && !chosen.includes(photo.name)) continue;
  const input = editInput(photo.bytes, models, { parameters: { model: options.model } });
  const { cut } = await cutOut(input, { refine: !options.plain });
  const { iou, boundaryIou } = scoreMatte(cut.alpha, photo.truth, photo.width, photo.height);
  const opened = missedHoles(photo.truth, cut.alpha, photo);
  const closed = missedHoles(cut.alpha, photo.truth, photo);
  falseHoles.push(...opened.map((hole) => `${photo.name}: ${written(hole)}`));
  missing.push(...closed.map((hole) => `${photo.name}: ${written(hole)}`));
  const counts = `${opened.length} holes too many, ${closed.length} too few`;
  process.stdout.write(`${photo.name} ${iou.toFixed(4)} ${boundaryIou.toFixed(4)}, ${counts}\n`);
}
process.stdout.write(`\nHoles that the truth has not:\n${falseHoles.join("\n")}\n`);
process.stdout.write(`\nHoles that are closed:\n${missing.join("\n")}\n`);
